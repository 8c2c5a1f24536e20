import { renameSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LinkedFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { Attempts } from '#sync/core/record/attempts.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';

const ORDERS = 'model/cubes/orders.yml';
const MOVED = 'model/cubes/moved.yml';

/** The platform carries out the next change, and then cannot be reached. */
async function withoutReply(linked: LinkedFolder, work: () => Promise<unknown>): Promise<void> {
  let isGone = false;
  linked.wire.cut = (request, when) => {
    isGone ||= when === 'after' && request.method !== 'GET' && /\/(files|rename|finish)$/.test(request.url);
    return isGone;
  };
  await work();
  expect(isGone, 'a reply was lost').toBe(true);
  linked.wire.cut = () => false;
}

/** The next start, after the process was killed: nothing is closed, and the lock is left behind. */
function afterKill(linked: LinkedFolder): Promise<FolderSync> {
  const unlocked = { acquire: async () => true, isHeld: async () => true, release: async () => undefined };
  return linked.open(undefined, (ports) => ({ ...ports, lock: unlocked }));
}

describe('a change whose reply was lost and that is changed again before the next check', () => {
  it('sends the newer save automatically, without a conflict', async () => {
    const linked = await pulledFolder();
    linked.write(ORDERS, '# first\n');
    await withoutReply(linked, async () => {
      linked.sync.onSaved([ORDERS]);
      await linked.sync.flush();
    });
    linked.write(ORDERS, '# second\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.plan();
    await linked.sync.flush();
    expect(linked.sync.status.value).toMatchObject({ conflicts: [], waiting: 0 });
    expect(await linked.remote(ORDERS)).toBe('# second\n');
  });

  it('sends a save that takes the lost one back', async () => {
    const linked = await pulledFolder();
    const before = linked.read(ORDERS) ?? '';
    linked.write(ORDERS, '# first\n');
    const plan = await linked.sync.plan();
    await withoutReply(linked, () => linked.sync.push(plan, 'all'));
    linked.write(ORDERS, before);
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'upload', path: ORDERS }]);
  });

  it('keeps a file that comes back after its deletion was sent', async () => {
    const linked = await pulledFolder();
    const before = linked.read(ORDERS) ?? '';
    linked.remove(ORDERS);
    const plan = await linked.sync.plan();
    await withoutReply(linked, () => linked.sync.push(plan, 'all', { confirmed: ['manyDeletesRemote'] }));
    expect(await linked.remote(ORDERS)).toBeUndefined();
    linked.write(ORDERS, before);
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'upload', path: ORDERS }]);
  });

  it('sends an edit of a file whose renaming was sent', async () => {
    const linked = await pulledFolder();
    renameSync(path.join(linked.root, ORDERS), path.join(linked.root, MOVED));
    const plan = await linked.sync.plan();
    expect(plan.entries).toMatchObject([{ kind: 'renameRemote' }]);
    await withoutReply(linked, () => linked.sync.push(plan, 'all'));
    linked.write(MOVED, '# edited after it was renamed\n');
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'upload', path: MOVED, reason: 'changed' }]);
  });

  it.each(['in the same window', 'after a kill'])(
    'sends edits of files whose upload was finished, %s',
    async (when) => {
      const linked = await pulledFolder();
      const files = linked.files().slice(0, 4);
      for (const file of files) linked.write(file, `# first ${file}\n`);
      const plan = await linked.sync.plan();
      await withoutReply(linked, () => linked.sync.push(plan, 'all', { confirmed: ['allChangedLocally'] }));
      expect(linked.wire.sent).toContain('POST upload/finish');
      if (when === 'after a kill') linked.sync = await afterKill(linked);
      for (const file of files) linked.write(file, `# second ${file}\n`);
      const { entries } = await linked.sync.plan();
      expect(entries.map(({ kind, path: file }) => `${kind} ${file}`)).toEqual(files.map((file) => `upload ${file}`));
    },
  );

  it('remains a conflict where someone else changed the file', async () => {
    const linked = await pulledFolder();
    linked.write(ORDERS, '# first\n');
    const plan = await linked.sync.plan();
    await withoutReply(linked, () => linked.sync.push(plan, 'all'));
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.write(ORDERS, '# second\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.plan();
    await linked.sync.flush();
    expect(linked.sync.status.value.conflicts).toMatchObject([{ path: ORDERS, reason: 'bothChanged' }]);
    expect(await linked.remote(ORDERS)).toBe('# theirs\n');
  });

  it('forgets a save that never arrived, so that someone else may write the same', async () => {
    let late = 0;
    const clock = {
      now: () => Date.now() + late,
      sleep: (): Promise<void> => new Promise((resolve) => void setImmediate(resolve)),
    };
    const linked = await pulledFolder({ clock });
    const before = linked.read(ORDERS) ?? '';
    linked.write(ORDERS, '# first\n');
    const plan = await linked.sync.plan();
    linked.wire.cut = (request) => request.method !== 'GET';
    await linked.sync.push(plan, 'all');
    linked.wire.cut = () => false;
    linked.write(ORDERS, before);
    late = 60 * 60 * 1000;
    await linked.sync.plan();
    await linked.colleague({ [ORDERS]: '# first\n' });
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'download', path: ORDERS }]);
  });
});

describe('what is remembered of attempts', () => {
  const attempt = (hash: string, time = 0) => ({ side: 'there', hash, size: 1, time }) as const;

  it('holds the newest of each path', () => {
    const attempts = new Attempts();
    for (let at = 0; at < 1000; at++) attempts.add('m/a', attempt(`h${at}`));
    const kept = attempts.byPath.get('m/a') ?? [];
    expect(kept).toHaveLength(16);
    expect(kept.at(-1)?.hash).toBe('h999');
  });

  it('holds the same version once', () => {
    const attempts = new Attempts();
    for (let time = 0; time < 5; time++) attempts.add('m/a', attempt('same', time));
    expect(attempts.byPath.get('m/a')).toEqual([attempt('same', 4)]);
  });

  it('does not grow beyond twenty thousand in all', () => {
    const attempts = new Attempts();
    for (let at = 0; at < 25_000; at++) attempts.add(`m/${at}`, attempt('h'));
    expect(attempts.byPath.size).toBe(20_000);
    expect(attempts.byPath.has('m/0')).toBe(false);
    expect(attempts.byPath.has('m/24999')).toBe(true);
  });
});
