import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { abortable } from '#base/async.ts';
import { Disk } from '#sync/disk/disk.ts';
import { HistoryFile } from '#sync/disk/history-file.ts';
import { damagesOf } from '#support/sync/damages.ts';
import { openDisk } from '#support/sync/disk.ts';
import { type LinkedFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { problem, SimulatedDisk } from '#support/sync/simulated-disk.ts';
import { type HistoryRun, lastToUndo } from '#sync/core/undo/history.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';

const push = async ({ sync }: LinkedFolder): Promise<unknown> => sync.push(await sync.plan(), 'all');

/** A folder with a changed, a new, a deleted and a renamed file. */
async function changedFolder(): Promise<{
  linked: LinkedFolder;
  files: readonly string[];
  before: Map<string, string>;
}> {
  const linked = await pulledFolder();
  const files = linked.files().slice(0, 3);
  const before = new Map(files.map((file) => [file, linked.read(file) ?? '']));
  const [changed = '', gone = '', renamed = ''] = files;
  linked.write(changed, '# mine\n');
  linked.write('model/new.yml', '# new\n');
  linked.remove(gone);
  linked.remove(renamed);
  linked.write('model/renamed.yml', before.get(renamed) ?? '');
  return { linked, files, before };
}

describe('the sync history', () => {
  it('says what was done, when, why and from where, newest first', async () => {
    const { linked } = await changedFolder();
    await push(linked);
    linked.sync.onSaved(['model/new.yml']);
    linked.write('model/new.yml', '# saved\n');
    await linked.sync.flush();
    const runs = await linked.sync.maintenance.history();
    expect(runs.map(({ action }) => action)).toEqual(['pull', 'push', 'save']);
    const page = await linked.sync.maintenance.historyPage(() => 'now');
    expect(page).toContain(`now  Automatic upload after a save  (${linked.branch}, this window)\n  Pushed 1 file.`);
    expect(page).toContain('    uploaded model/new.yml (new), ');
    expect(page).toContain('to model/renamed.yml on the platform');
    const next = await linked.open();
    expect(await next.maintenance.historyPage(() => 'now')).toContain('another window, or before a restart');
  });

  it('keeps every file of a run over a whole branch, in order', async () => {
    const { storage } = await openDisk();
    const store = new HistoryFile(new Disk(), path.join(storage, 'history.jsonl'));
    const entryAt = (at: number): PlanEntry => ({ kind: 'adopt', path: `model/${at}.yml`, hash: 'a', size: at });
    const applied = Array.from({ length: 1001 }, (_, at) => entryAt(at));
    const run: HistoryRun = {
      ...{ id: 'a', time: 1, action: 'pull', branch: 'dev-a', session: 's', status: 'done', message: 'Pulled "all"' },
      ...{ applied, failed: [{ path: 'b', message: 'no' }], changed: ['c'], trashed: ['d'] },
    };
    await store.append(run);
    await store.append({ ...run, id: 'b', applied: [] });
    expect(await store.list()).toEqual([run, { ...run, id: 'b', applied: [] }]);
  });

  it('has a limit, stays private and survives a line that a crash cut', async () => {
    const { storage } = await openDisk();
    const file = path.join(storage, 'history.jsonl');
    const store = new HistoryFile(new Disk(), file, 4000);
    const run = (id: string): HistoryRun => ({
      ...{ id, time: 1, action: 'push', branch: 'dev-a', session: 's', status: 'done', message: 'x'.repeat(200) },
      ...{ applied: [], failed: [], changed: [], trashed: [] },
    });
    for (let at = 0; at < 10; at++) await store.append(run(String(at)));
    appendFileSync(file, '{"id":"half');
    for (let at = 10; at < 50; at++) await store.append(run(String(at)));
    const ids = (await store.list()).map(({ id }) => id);
    expect(ids.at(-1)).toBe('49');
    expect(ids.length).toBeLessThan(20);
    expect(ids).toEqual(ids.toSorted((a, b) => Number(a) - Number(b)));
  });
});

describe('the file of the history', () => {
  const run = (id: string, action: HistoryRun['action'] = 'push'): HistoryRun => ({
    ...{ id, time: 1, action, branch: 'dev-a', session: 's', status: 'done', message: `Run ${id}.` },
    ...{ applied: [], failed: [], changed: [], trashed: [] },
  });
  const FILE = '/history/history.jsonl';

  it('never shows a run differently from how it was, whichever byte is damaged or cut', async () => {
    const disk = new SimulatedDisk({ name: 'an ordinary disk' });
    const store = new HistoryFile(new Disk(disk.calls((_call, _isWrite, effect) => effect())), FILE);
    const runs = [run('1'), run('2', 'pull'), run('3')];
    for (const each of runs) await store.append(each);
    for (const bytes of damagesOf(disk.files().get(FILE) ?? Buffer.alloc(0))) {
      disk.write(FILE, bytes);
      const found = await store.list();
      expect(runs).toEqual(expect.arrayContaining([...found]));
      expect(found.length).toBeLessThanOrEqual(runs.length);
      await store.append(run('4'));
      expect((await store.list()).at(-1)).toEqual(run('4'));
    }
  });

  it.each([
    ['open', ''],
    ['write', ''],
    ['fdatasync', ''],
    ['fsync', ''],
    ['stat', ''],
    ['readFile', 'which is needed to drop the oldest runs'],
    ['rename', 'of the shortened file'],
  ])('loses no run when one %s fails %s', async (failing) => {
    for (const isAfter of [false, true]) {
      const disk = new SimulatedDisk({ name: 'an ordinary disk' });
      let fails = false;
      const calls = disk.calls((call, _isWrite, effect) => {
        const isIt = fails && call.startsWith(`${failing} `);
        if (isIt && !isAfter) throw problem('EIO', call);
        const result = effect();
        if (isIt) throw problem('EIO', call);
        return result;
      });
      const store = new HistoryFile(new Disk(calls), FILE, 600);
      const written: string[] = [];
      for (let at = 0; at < 12; at++) {
        fails = at % 3 === 0;
        await store.append(run(String(at))).catch(() => undefined);
        fails = false;
        written.push(String(at));
        const ids = (await store.list()).map(({ id }) => id);
        expect(ids).toEqual(written.slice(-ids.length));
        expect(ids.length).toBeGreaterThan(0);
      }
      expect([...disk.files().keys()]).toEqual([FILE]);
    }
  });

  it('survives a power loss, from its first run on', async () => {
    const disk = new SimulatedDisk({ name: 'an ordinary disk' });
    disk.makeFolder('/history');
    disk.writeBack();
    const store = new HistoryFile(new Disk(disk.calls((_call, _isWrite, effect) => effect())), FILE);
    for (const id of ['1', '2']) {
      await store.append(run(id));
      disk.losePower(() => false);
      expect((await store.list()).at(-1)).toEqual(run(id));
    }
  });
});

describe('undoing a push', () => {
  it('gives the platform its versions back and leaves the local ones as local changes', async () => {
    const { linked, files, before } = await changedFolder();
    await push(linked);
    const run = lastToUndo(await linked.sync.maintenance.history(), 'push');
    if (!run) throw new Error('there is no push');
    const { reversals, lost } = await linked.sync.maintenance.undoSteps(run);
    const outcome = await linked.sync.maintenance.undoLast('push');
    expect(outcome).toMatchObject({ status: 'done', failed: [], changed: [] });
    // What was foretold is what was done.
    const paths = (entries: readonly { readonly path: string }[]) => entries.map(({ path }) => path).sort();
    expect([paths(reversals.map(({ entry }) => entry)), lost]).toEqual([paths(outcome.applied), []]);
    for (const file of files) expect(await linked.remote(file)).toBe(before.get(file));
    expect(await linked.remote('model/new.yml')).toBeUndefined();
    expect(await linked.remote('model/renamed.yml')).toBeUndefined();
    expect(linked.read(files[0] ?? '')).toBe('# mine\n');
    const kinds = (await linked.sync.plan()).entries.map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['deleteRemote', 'renameRemote', 'upload', 'upload']);
    expect(await linked.sync.maintenance.undoLast('push')).toMatchObject({ status: 'refused' });
  });

  it('touches nothing where a colleague changed one of the files since', async () => {
    const { linked, files } = await changedFolder();
    await push(linked);
    const [changed = ''] = files;
    await linked.colleague({ [changed]: '# theirs\n' });
    const outcome = await linked.sync.maintenance.undoLast('push');
    expect(outcome.status).toBe('refused');
    expect(outcome.message).toBe(`Nothing was undone. ${changed}: changed on the platform since.`);
    expect(await linked.remote(changed)).toBe('# theirs\n');
    expect(await linked.remote('model/new.yml')).toBe('# new\n');
  });
});

describe('undoing a pull', () => {
  async function pulled(): Promise<{ linked: LinkedFolder; changed: string; gone: string; before: readonly string[] }> {
    const linked = await pulledFolder();
    const [changed = '', gone = ''] = linked.files();
    const before = [linked.read(changed) ?? '', linked.read(gone) ?? ''];
    await linked.colleague({ [changed]: '# theirs\n', [gone]: null, 'model/new.yml': '# new\n' });
    await linked.pullAll();
    return { linked, changed, gone, before };
  }

  it('does not wait for a comparison that the platform does not answer, which follows it', async () => {
    const { linked, changed } = await pulled();
    const [asked, answering] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    linked.wire.meanwhile = async (request) => {
      asked.resolve();
      await abortable(answering.promise, request.signal);
    };
    const compared = [linked.sync.plan()];
    await asked.promise;
    // The second one still waits for its turn.
    compared.push(linked.sync.plan());
    expect(await linked.sync.maintenance.undoLast('pull')).toMatchObject({ status: 'done' });
    answering.resolve();
    for (const plan of await Promise.all(compared)) expect(plan.entries.map(({ path }) => path)).toContain(changed);
    expect(linked.sync.status.value).toMatchObject({ isCurrent: true, error: undefined });
  });

  it('puts the local versions back as local changes', async () => {
    const { linked, changed, gone, before } = await pulled();
    expect(await linked.sync.maintenance.undoLast('pull')).toMatchObject({ status: 'done', failed: [], changed: [] });
    expect([linked.read(changed), linked.read(gone), linked.read('model/new.yml')]).toEqual([...before, undefined]);
    expect(await linked.remote(changed)).toBe('# theirs\n');
    const kinds = (await linked.sync.plan()).entries.map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['deleteRemote', 'upload', 'upload']);
  });

  it('touches nothing where a file was edited since', async () => {
    const { linked, changed, gone } = await pulled();
    linked.write(changed, '# edited\n');
    const outcome = await linked.sync.maintenance.undoLast('pull');
    expect(outcome.message).toBe(`Nothing was undone. ${changed}: changed here since.`);
    expect(linked.read(changed)).toBe('# edited\n');
    expect(linked.read(gone)).toBeUndefined();
  });
});

describe('discarding local changes', () => {
  it('brings the platform’s versions back and keeps the local ones in the trash', async () => {
    const { linked, files, before } = await changedFolder();
    const plan = await linked.sync.plan();
    const outcome = await linked.sync.maintenance.discard(new Set(plan.entries.map((entry) => entry.path)));
    expect(outcome).toMatchObject({ status: 'done', failed: [], changed: [] });
    for (const file of files) expect(linked.read(file)).toBe(before.get(file));
    expect(linked.read('model/new.yml')).toBeUndefined();
    expect((await linked.sync.plan()).entries).toEqual([]);
    const kept = await linked.sync.trashed();
    expect(new Map(kept.map(({ path: file, cause }) => [file, cause]))).toEqual(
      new Map([
        [files[0], 'discard'],
        ['model/new.yml', 'discard'],
      ]),
    );
  });

  it('leaves alone what was edited since the change was shown, and other files', async () => {
    const { linked, files } = await changedFolder();
    const [changed = '', gone = ''] = files;
    await linked.sync.plan();
    linked.write(changed, '# edited again\n');
    const outcome = await linked.sync.maintenance.discard(new Set([changed]));
    expect(outcome).toMatchObject({ status: 'partial', changed: [changed] });
    expect(linked.read(changed)).toBe('# edited again\n');
    expect(linked.read(gone)).toBeUndefined();
    expect(await linked.sync.maintenance.discard(new Set(['model/none.yml']))).toMatchObject({ status: 'refused' });
  });
});
