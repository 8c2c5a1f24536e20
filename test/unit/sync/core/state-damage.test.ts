import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BaseFile } from '#sync/disk/base-file.ts';
import { Disk } from '#sync/disk/disk.ts';
import { type DiskCalls, nodeCalls } from '#sync/disk/disk-calls.ts';
import { JournalFile } from '#sync/disk/journal-file.ts';
import { damagesOf } from '#support/sync/damages.ts';
import { openDisk } from '#support/sync/disk.ts';
import { type LinkedFolder, linkFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { SyncRecord } from '#sync/core/record/sync-record.ts';

const ORDERS = 'model/cubes/orders.yml';
const target = { account: 'a', deployment: '1', branch: 'dev-a' };

/** Waits for no disk: what is tested here is what is read. */
const hasty: DiskCalls = {
  ...nodeCalls,
  open: async (...args) => {
    const file = await nodeCalls.open(...args);
    const nothing = (): Promise<void> => Promise.resolve();
    return { appendFile: (data) => file.appendFile(data), sync: nothing, datasync: nothing, close: () => file.close() };
  },
};

async function stateOf(folder: string, calls: DiskCalls = nodeCalls): Promise<SyncRecord> {
  const disk = new Disk(calls);
  const base = new BaseFile(disk, path.join(folder, 'base'));
  const journal = new JournalFile(disk, path.join(folder, 'journal'));
  const state = await SyncRecord.open({ base, journal, files: { recover: () => Promise.resolve() } }, target);
  onTestFinished(() => journal.close());
  return state;
}

/** What a process that was killed leaves behind: a snapshot, and a journal that extends it. */
async function killedState(folder: string): Promise<ReadonlyMap<string, unknown>> {
  const state = await stateOf(folder);
  await state.commit([agreed('model/a.yml', 'old'), agreed('model/gone.yml', 'old')]);
  await state.checkpoint();
  await state.commit([agreed('model/a.yml', 'new')]);
  await state.commit([{ path: 'model/gone.yml', hash: undefined, size: 0 }]);
  return state.entries;
}

const agreed = (file: string, hash: string) => ({ path: file, hash: hash.padEnd(40, '0'), size: 1 });

describe('damage to what sync noted', () => {
  it('never makes an older base: any byte of any file is known again, or leads to a question', async () => {
    const { storage } = await openDisk();
    const whole = path.join(storage, 'whole');
    mkdirSync(whole);
    const entries = await killedState(whole);
    const names = readdirSync(whole);
    expect(names.sort()).toEqual(['base', 'journal', 'journal.copy']);
    let asked = 0;
    let number = 0;
    for (const name of names) {
      for (const bytes of [...damagesOf(readFileSync(path.join(whole, name)), 11), undefined]) {
        // Another folder each time: some disks remove none with open files in it.
        const broken = path.join(storage, `broken-${++number}`);
        mkdirSync(broken);
        for (const each of names) copyFileSync(path.join(whole, each), path.join(broken, each));
        if (bytes) writeFileSync(path.join(broken, name), bytes);
        else rmSync(path.join(broken, name));
        const state = await stateOf(broken, hasty);
        if (state.isDoubtful) asked += 1;
        expect(state.entries).toEqual(state.isDoubtful ? new Map() : entries);
        // The question is asked until it was answered, also after another start.
        await state.close();
        const next = await stateOf(broken, hasty);
        expect(next.isDoubtful).toBe(state.isDoubtful);
        expect(next.entries).toEqual(state.entries);
      }
    }
    expect(asked).toBeGreaterThan(10);
  });

  it.each(['base', 'journal', 'journal.copy'])('does not touch a good %s that cannot be read now', async (name) => {
    const { storage } = await openDisk();
    const entries = await killedState(storage);
    const before = readdirSync(storage).map((each) => read(storage, each));
    const calls: DiskCalls = {
      ...nodeCalls,
      readFile: (file) =>
        path.basename(file) === name
          ? Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' }))
          : nodeCalls.readFile(file),
    };
    await expect(stateOf(storage, calls)).rejects.toThrow('The record of the last sync');
    expect(readdirSync(storage).map((each) => read(storage, each))).toEqual(before);
    expect((await stateOf(storage)).entries).toEqual(entries);
  });

  it.each(['appendFile', 'datasync'] as const)(
    'writes down later what a failing %s kept out of the journal',
    async (what) => {
      const { storage } = await openDisk();
      let refuses = false;
      const fail = (): Promise<never> => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
      const calls: DiskCalls = {
        ...nodeCalls,
        open: async (...args) => {
          const file = await nodeCalls.open(...args);
          return {
            appendFile: (data) => (refuses && what === 'appendFile' ? fail() : file.appendFile(data)),
            datasync: () => (refuses && what === 'datasync' ? fail() : file.datasync()),
            sync: () => file.sync(),
            close: () => file.close(),
          };
        },
      };
      const state = await stateOf(storage, calls);
      await state.commit([agreed('model/a.yml', 'one')]);
      refuses = true;
      await expect(state.commit([agreed('model/b.yml', 'two')]).then(() => state.intend([]))).rejects.toThrow('ENOSPC');
      refuses = false;
      await state.commit([agreed('model/c.yml', 'three')]);
      const next = await stateOf(storage);
      expect([...next.entries.keys()]).toEqual(['model/a.yml', 'model/b.yml', 'model/c.yml']);
      expect(next.isDoubtful).toBe(false);
    },
  );
});

function read(folder: string, name: string): string | undefined {
  return name === 'trash' || name === 'versions' || name === 'branches'
    ? undefined
    : readFileSync(path.join(folder, name), 'latin1');
}

function notes(linked: LinkedFolder, name: string): string {
  const [branch = ''] = readdirSync(path.join(linked.storage, 'branches'));
  return path.join(linked.storage, 'branches', branch, name);
}

describe('a folder whose record of the last sync is damaged', () => {
  it('asks before anything is sent or brought, and every difference is a choice', async () => {
    const linked = await pulledFolder();
    const before = linked.read(ORDERS) ?? '';
    linked.write(ORDERS, '# mine\n');
    expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done' });
    await linked.sync.close();
    // A colleague takes the change back.
    await linked.colleague({ [ORDERS]: before });
    writeFileSync(notes(linked, 'base'), 'nonsense');
    const sync = await linked.open();
    const plan = await sync.plan();
    expect(plan.entries).toMatchObject([{ kind: 'conflict', path: ORDERS, reason: 'bothAdded' }]);
    expect(plan.guards).toMatchObject([{ kind: 'stateDamaged', blocks: 'both', confirmable: true }]);
    expect(sync.status.value.state).toMatchObject({ kind: 'halted', guard: { kind: 'stateDamaged' } });
    linked.write('model/added.yml', '# added\n');
    sync.onSaved(['model/added.yml', ORDERS]);
    await sync.flush();
    expect([await linked.remote('model/added.yml'), await linked.remote(ORDERS)]).toEqual([undefined, before]);
    const refused = await sync.push(await sync.plan(), 'all');
    expect(refused).toMatchObject({ status: 'refused', message: expect.stringContaining('damaged') as string });
    expect(await sync.push(await sync.plan(), 'all', { confirmed: ['stateDamaged'] })).toMatchObject({
      status: 'done',
    });
    await sync.resolve(ORDERS, 'theirs');
    expect(await sync.plan()).toMatchObject({ entries: [], guards: [] });
  });

  it('asks nothing when both sides agree anyway', async () => {
    const linked = await pulledFolder();
    await linked.sync.close();
    writeFileSync(notes(linked, 'base'), 'nonsense');
    const sync = await linked.open();
    await sync.plan();
    expect(await sync.plan()).toMatchObject({ entries: [], guards: [] });
  });

  it('syncs again without a restart after the disk was full while it was closed', async () => {
    const linked = await linkFolder({
      ports: (ports) => {
        ports.journal.append = (_, durable) =>
          durable ? Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })) : Promise.resolve();
        return ports;
      },
    });
    await linked.sync.plan().catch(() => undefined);
    await linked.sync.close();
    const sync = await linked.open();
    expect(await sync.pull(await sync.plan(), 'all')).toMatchObject({ status: 'done' });
  });
});
