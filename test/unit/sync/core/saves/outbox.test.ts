import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LinkedFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { settled } from '#support/manual-clock.ts';
import { Outbox } from '#sync/core/record/outbox.ts';
import type { OutboxStore, StoredSave } from '#sync/core/ports.ts';

const ORDERS = 'model/cubes/orders.yml';
const USERS = 'model/cubes/users.yml';

/** Refuses or breaks everything that is written to the branch; undefined: it works again. */
function breakWrites(linked: LinkedFolder, status?: number, words = 'x'): void {
  linked.wire.instead = ({ method }) =>
    status !== undefined && method === 'PUT' ? Response.json({ error: words }, { status }) : undefined;
}

async function save(linked: LinkedFolder, text: string, file = ORDERS): Promise<void> {
  linked.write(file, text);
  linked.sync.onSaved([file]);
  await linked.sync.flush();
}

/** Resolves when the status fits; every change is checked. */
function until(
  linked: LinkedFolder,
  fits: (status: LinkedFolder['sync']['status']['value']) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (fits(linked.sync.status.value)) resolve();
    };
    linked.sync.status.onDidChange(look);
    look();
  });
}

const isInSync = ({ state }: { readonly state: { readonly kind: string } }): boolean => state.kind === 'inSync';

describe('a save that could not be sent', () => {
  it.each([500, 502, 503, 429])(
    'waits, is shown with the reason, and goes when the platform works again: %i',
    async (status) => {
      const linked = await pulledFolder();
      breakWrites(linked, status);
      await save(linked, '# later\n');
      const { state, waiting, outbox } = linked.sync.status.value;
      expect([waiting, outbox.map(({ path: file }) => file)]).toEqual([1, [ORDERS]]);
      expect(state).toMatchObject({ kind: 'waiting', count: 1, reason: { kind: 'unavailable' } });
      const why = status === 429 ? 'the platform asks for a pause' : `the platform answers ${status}`;
      expect(outbox[0]?.reason.message).toBe(why);
      breakWrites(linked);
      await until(linked, isInSync);
      expect(await linked.remote(ORDERS)).toBe('# later\n');
    },
  );

  it('keeps the folder from being in sync, however often both sides are compared', async () => {
    const linked = await pulledFolder();
    breakWrites(linked, 503);
    await save(linked, '# later\n');
    const seen = new Set<string>();
    linked.sync.status.onDidChange(({ state }) => seen.add(state.kind));
    for (let round = 0; round < 3; round++) await linked.sync.plan();
    expect([...seen]).not.toContain('inSync');
    expect(linked.sync.status.value.waiting).toBe(1);
  });

  it.each([400, 403, 409, 422])(
    'stays visible when it was refused, and goes when the user tries again: %i',
    async (status) => {
      const linked = await pulledFolder();
      breakWrites(linked, status, 'The moon is not right.');
      await save(linked, '# refused\n');
      await linked.sync.plan();
      const refused = linked.sync.status.value;
      expect(refused.state).toMatchObject({ kind: 'waiting', count: 1, reason: { kind: 'refused' } });
      expect(refused.outbox[0]?.reason.message).toContain(`(status ${status}): “The moon is not right.”`);
      breakWrites(linked);
      // Not automatically: that is the user's decision.
      await linked.sync.plan();
      expect(await linked.remote(ORDERS)).not.toBe('# refused\n');
      await linked.sync.sendWaiting();
      expect(await linked.remote(ORDERS)).toBe('# refused\n');
      expect(linked.sync.status.value).toMatchObject({ waiting: 0, state: { kind: 'inSync' } });
    },
  );

  it('goes with the next start of VS Code when the window was closed before', async () => {
    const linked = await pulledFolder();
    linked.sync.pause('byUser');
    await save(linked, '# closed\n');
    await linked.sync.close();
    linked.sync = await linked.open();
    await linked.sync.plan();
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBe('# closed\n');
    await linked.sync.plan();
    expect(linked.sync.status.value).toMatchObject({ waiting: 0, state: { kind: 'inSync' } });
  });

  it('becomes an ordinary local change at the next start when the file is another one by then', async () => {
    const linked = await pulledFolder();
    linked.sync.pause('byUser');
    await save(linked, '# closed\n');
    await linked.sync.close();
    linked.write(ORDERS, '# something else\n');
    const before = await linked.remote(ORDERS);
    linked.sync = await linked.open();
    await linked.sync.plan();
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBe(before);
    expect(linked.sync.status.value).toMatchObject({ waiting: 0, localChanges: [{ path: ORDERS }] });
  });

  it('never goes over a version that a colleague made meanwhile', async () => {
    const linked = await pulledFolder();
    linked.sync.pause('byUser');
    await save(linked, '# mine\n');
    await linked.sync.close();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.sync = await linked.open();
    await linked.sync.plan();
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBe('# theirs\n');
    expect(linked.sync.status.value).toMatchObject({ waiting: 0, state: { kind: 'changes', conflicts: 1 } });
  });

  it('stays a local change where the outbox cannot be read', async () => {
    const linked = await pulledFolder();
    linked.sync.pause('byUser');
    await save(linked, '# closed\n');
    await linked.sync.close();
    const [file] = readdirSync(linked.storage, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('outbox.json'),
    );
    const at = path.join(linked.storage, file ?? '');
    expect(readFileSync(at, 'utf8')).toContain(ORDERS);
    writeFileSync(at, '[{"path"');
    linked.sync = await linked.open();
    await linked.sync.plan();
    expect(linked.sync.status.value).toMatchObject({ waiting: 0, localChanges: [{ path: ORDERS }] });
  });

  it('stops waiting once the file was pushed, brought back or resolved', async () => {
    const linked = await pulledFolder();
    const original = linked.read(ORDERS) ?? '';
    linked.sync.pause('byUser');
    await save(linked, '# mine\n');
    linked.write(ORDERS, original);
    await linked.sync.plan();
    expect(linked.sync.status.value.waiting).toBe(0);
    await save(linked, '# mine\n', USERS);
    await linked.sync.push(await linked.sync.plan(), 'all');
    await linked.sync.plan();
    expect(linked.sync.status.value.waiting).toBe(0);
  });
});

describe('a pause', () => {
  it('holds back what was saved until the user resumes', async () => {
    const linked = await pulledFolder();
    linked.sync.pause('byUser');
    await save(linked, '# paused\n');
    expect(linked.sync.status.value.state).toEqual({ kind: 'paused', by: 'byUser', count: 1 });
    linked.sync.resume('byUser');
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBe('# paused\n');
  });
});

describe('a halted folder', () => {
  it('sends no single save either, and what was saved goes after the review', async () => {
    const linked = await pulledFolder();
    const [model, away] = [path.join(linked.root, 'model'), path.join(linked.root, 'away')];
    renameSync(model, away);
    mkdirSync(model);
    for (const file of linked.files()) linked.remove(file);
    linked.write(ORDERS, '# another folder\n');
    const before = await linked.remote(ORDERS);
    await linked.sync.plan();
    expect(linked.sync.status.value.state.kind).toBe('halted');
    await save(linked, '# saved while halted\n');
    expect(await linked.remote(ORDERS)).toBe(before);
    expect(linked.sync.status.value).toMatchObject({ waiting: 1, outbox: [{ reason: { kind: 'guard' } }] });
    expect(await linked.sync.resolve(ORDERS, 'mine')).toMatchObject({ status: 'refused' });
    expect(await linked.remote(ORDERS)).toBe(before);
    const plan = await linked.sync.plan();
    const confirmed = plan.guards.map(({ kind }) => kind);
    expect(await linked.sync.push(plan, new Set([ORDERS]), { confirmed })).toMatchObject({ status: 'done' });
    expect(await linked.remote(ORDERS)).toBe('# saved while halted\n');
  });
});

describe('the outbox', () => {
  const memory = (): OutboxStore & { saves: readonly StoredSave[] } => {
    const store = {
      saves: [] as readonly StoredSave[],
      load: async () => store.saves,
      save: async (saves: readonly StoredSave[]) => {
        store.saves = saves;
      },
    };
    return store;
  };

  it('keeps a save that was made again while the earlier one was being sent', () => {
    const outbox = new Outbox(() => undefined);
    outbox.add(['a', 'b']);
    const { turn } = outbox;
    outbox.add(['a']);
    outbox.release(['a', 'b'], turn);
    expect(outbox.items.map(({ path: file }) => file)).toEqual(['a']);
  });

  it('reads what an earlier window left before it writes anything', async () => {
    const store = memory();
    store.saves = [{ path: 'old', hash: 'h', reason: 'the platform answers 503' }];
    const outbox = new Outbox(() => undefined);
    outbox.add(['new']);
    const [, taken] = await Promise.all([outbox.write(), outbox.attach(store, async () => 'h'), settled()]);
    await outbox.write();
    expect(taken).toEqual(['old']);
    expect(store.saves.map(({ path: file }) => file).toSorted()).toEqual(['new', 'old']);
  });

  it('writes again after the disk has refused', async () => {
    const store = memory();
    let isFull = true;
    const outbox = new Outbox(() => undefined);
    await outbox.attach(
      { ...store, save: (saves) => (isFull ? Promise.reject(new Error('full')) : store.save(saves)) },
      async () => 'h',
    );
    outbox.add(['a']);
    await expect(outbox.write()).rejects.toThrow('full');
    isFull = false;
    await outbox.write();
    expect(store.saves).toMatchObject([{ path: 'a', hash: 'h' }]);
  });
});
