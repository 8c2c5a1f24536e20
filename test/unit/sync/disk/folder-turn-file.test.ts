import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { Disk } from '#sync/disk/disk.ts';
import { FolderTurnFile, type TurnPlace } from '#sync/disk/folder-turn-file.ts';
import { type LockMachine, thisMachine } from '#sync/disk/lock-file.ts';
import { newFolder } from '#support/sync/test-disk.ts';

function sitDown() {
  const root = newFolder('sync-turns-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = path.join(root, 'model');
  mkdirSync(folder);
  const shared = path.join(root, 'state/turns');
  const turn = (place: Partial<TurnPlace> = {}, machine?: LockMachine): FolderTurnFile =>
    new FolderTurnFile(new Disk(), { shared, folder, ...place }, silentLogger, machine);
  return { root, folder, shared, turn };
}

/** Holds a turn until the returned function is called. */
async function held(turn: FolderTurnFile): Promise<() => Promise<void>> {
  const work = Promise.withResolvers<undefined>();
  const begun = Promise.withResolvers<undefined>();
  const done = turn.during(
    async () => {
      begun.resolve(undefined);
      return work.promise;
    },
    { mayWait: false },
  );
  await begun.promise;
  return async () => {
    work.resolve(undefined);
    await done;
  };
}

const nothing = async (): Promise<string> => Promise.resolve('done');

describe('the turns of a folder', () => {
  it('let one program change it at a time, whichever link it is opened by', async () => {
    const { root, folder, turn } = sitDown();
    symlinkSync(folder, path.join(root, 'link'));
    const other = turn({ folder: path.join(root, 'link'), longestWait: 0 });
    const end = await held(turn());
    expect(await other.during(nothing, { mayWait: false })).toBeUndefined();
    expect(await other.during(nothing, { mayWait: true })).toBeUndefined();
    await end();
    expect(await other.during(nothing, { mayWait: false })).toEqual({ value: 'done' });
  });

  it('let work that may wait begin when the other program has finished', async () => {
    const { turn } = sitDown();
    const end = await held(turn());
    const waiting = turn().during(nothing, { mayWait: true });
    await end();
    expect(await waiting).toEqual({ value: 'done' });
  });

  it('do not keep folders from each other', async () => {
    const { root, turn } = sitDown();
    mkdirSync(path.join(root, 'other'));
    const end = await held(turn());
    expect(await turn({ folder: path.join(root, 'other') }).during(nothing, { mayWait: false })).toEqual({
      value: 'done',
    });
    await end();
  });

  it('end with the work that fails, and with the process that had one', async () => {
    const { turn } = sitDown();
    const failing = turn().during(async () => Promise.reject(new Error('failed')), { mayWait: false });
    await expect(failing).rejects.toThrow('failed');
    const end = await held(turn({}, { ...thisMachine, pid: 1 }));
    const later: LockMachine = { ...thisMachine, isRunning: (pid) => pid !== 1 };
    expect(await turn({}, later).during(nothing, { mayWait: false })).toEqual({ value: 'done' });
    await end();
  });

  it('hold nothing up where they cannot be written', async () => {
    const { root, turn } = sitDown();
    const shared = path.join(root, 'file');
    writeFileSync(shared, '');
    expect(await turn({ shared }).during(nothing, { mayWait: true })).toEqual({ value: 'done' });
    expect(existsSync(path.join(root, 'state'))).toBe(false);
  });
});
