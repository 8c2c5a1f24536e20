import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '#base/log.ts';
import type { FolderSync, SyncOutcome } from '#sync/core/folder-sync.ts';
import { Disk } from '#sync/disk/disk.ts';
import { FolderTurnFile } from '#sync/disk/folder-turn-file.ts';
import { type LinkedFolder, linkFolder } from '#support/sync/linked-folder.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `model/cubes/${name}.yml`);
const [theirNames, myNames] = [names.slice(0, 4), names.slice(4)];

/** A folder that is open in two programs, such as an editor and the command line, both with everything pulled. */
async function inTwoPrograms(): Promise<{ readonly linked: LinkedFolder; readonly other: FolderSync }> {
  const linked = await linkFolder();
  const other = await linked.openElsewhere();
  await linked.pullAll();
  await run('pull', other);
  return { linked, other };
}

async function run(way: 'push' | 'pull', sync: FolderSync): Promise<SyncOutcome> {
  return sync[way](await sync.plan(), 'all', { confirmed: ['allChangedRemotely', 'allChangedLocally'] });
}

function hidden(linked: LinkedFolder): readonly string[] {
  return linked.files().filter((file) => file.includes('.modelbench-') || file.includes('recovered'));
}

describe('a folder in two programs with records of their own', () => {
  it.each([
    ['pull', 'pull'],
    ['push', 'push'],
    ['pull', 'push'],
  ] as const)('takes a %s and a %s at once: both are done, once, without a conflict', async (first, second) => {
    const { linked, other } = await inTwoPrograms();
    for (let round = 0; round < 3; round++) {
      const [theirs, mine] = [`# theirs ${round}\n`, `# mine ${round}\n`];
      await linked.colleague(Object.fromEntries(theirNames.map((name) => [name, theirs])));
      for (const name of myNames) linked.write(name, mine);
      const ends = await Promise.all([run(first, linked.sync), run(second, other)]);
      expect(ends.map(({ status }) => status)).toEqual(['done', 'done']);
      expect(hidden(linked)).toEqual([]);
      // Whatever was left, one program finishes it, and the other one has nothing to do.
      for (const way of ['pull', 'push'] as const)
        expect(await run(way, linked.sync)).toMatchObject({ status: 'done' });
      expect((await other.plan()).entries).toEqual([]);
      for (const name of names) {
        const expected = theirNames.includes(name) ? theirs : mine;
        expect([linked.read(name), await linked.remote(name)]).toEqual([expected, expected]);
      }
    }
  });

  it('leaves alone what the other program has not finished, and clears it up when that is gone', async () => {
    const { linked, other } = await inTwoPrograms();
    const [shared, folder] = [path.join(linked.storage, 'turns'), path.join(linked.root, 'model')];
    const unfinished = path.join(folder, '.modelbench-0000-000000000000.tmp');
    const turn = new FolderTurnFile(new Disk(), { shared, folder }, silentLogger);
    await turn.during(
      async () => {
        writeFileSync(unfinished, 'half a file');
        await other.plan();
        expect(existsSync(unfinished)).toBe(true);
      },
      { mayWait: false },
    );
    await other.plan();
    expect(existsSync(unfinished)).toBe(false);
  });
});
