import { appendFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { stopDevMode } from '#api/resources/branches.ts';
import { linkFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { send } from '#support/platform.ts';

const ORDERS = 'model/cubes/orders.yml';

describe('comparing both sides', () => {
  it('shares a comparison that has not begun, and lets one caller cancel without ending it for the others', async () => {
    const linked = await linkFolder();
    const giveUp = new AbortController();
    const [first, second] = [linked.sync.plan({ signal: giveUp.signal }), linked.sync.plan()];
    giveUp.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expect((await second).entries.length).toBeGreaterThan(0);
    expect(linked.wire.sent.filter((sent) => sent === 'GET file-hashes')).toHaveLength(1);
  });

  it('re-hashes everything when asked to verify', async () => {
    const linked = await pulledFolder();
    expect((await linked.sync.plan({ verify: true })).entries).toEqual([]);
  });
});

describe('what holds sync up', () => {
  it('sends nothing while paused, and everything after', async () => {
    const linked = await pulledFolder();
    linked.sync.pause('gitCheckout');
    linked.write(ORDERS, '# paused\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    expect(linked.sync.status.value).toMatchObject({ state: { kind: 'paused' }, waiting: 1, paused: ['gitCheckout'] });
    expect(await linked.remote(ORDERS)).not.toBe('# paused\n');
    linked.sync.resume('gitCheckout');
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBe('# paused\n');
  });

  it('sends nothing more once the key is refused, and uploads saves when a comparison succeeds again', async () => {
    const linked = await pulledFolder();
    linked.platform.control.faults([{ kind: 'status', status: 401, path: 'data-model' }]);
    linked.write(ORDERS, '# refused\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    expect(linked.sync.status.value).toMatchObject({ state: { kind: 'paused' }, waiting: 1, paused: ['signedOut'] });
    const sent = linked.wire.sent.length;
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    expect(linked.wire.sent).toHaveLength(sent);
    linked.platform.control.faults([]);
    await linked.sync.plan();
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBe('# refused\n');
    expect(linked.sync.status.value.paused).toEqual([]);
  });

  it('discards a plan once something else was synced', async () => {
    const linked = await pulledFolder();
    linked.write(ORDERS, '# one\n');
    const plan = await linked.sync.plan();
    await linked.sync.push(plan, 'all');
    expect(await linked.sync.push(plan, 'all')).toMatchObject({ status: 'refused' });
    expect(await linked.sync.push({ ...(await linked.sync.plan()), target: '["x","1","dev-x"]' }, 'all')).toMatchObject(
      { status: 'refused' },
    );
  });

  it('asks before it deletes everything', async () => {
    const linked = await pulledFolder();
    linked.remove('model');
    mkdirSync(path.join(linked.root, 'model'));
    const plan = await linked.sync.plan();
    expect(plan.guards.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['localEmptied', 'manyDeletesRemote']));
    expect(linked.sync.status.value.state.kind).toBe('halted');
    expect(await linked.sync.push(plan, 'all')).toMatchObject({ status: 'refused' });
    expect(Object.keys(await linked.platform.control.hashes(1, linked.branch)).length).toBeGreaterThan(5);
  });

  it('halts when the folder is gone, and when another one took its place', async () => {
    const linked = await pulledFolder();
    const [model, away] = [path.join(linked.root, 'model'), path.join(linked.root, 'away')];
    renameSync(model, away);
    expect(await linked.sync.plan()).toMatchObject({
      entries: [],
      guards: [{ kind: 'rootMissing', confirmable: false }],
    });
    mkdirSync(model);
    writeFileSync(path.join(model, 'x.yml'), 'a: 1\n');
    const plan = await linked.sync.plan();
    expect(plan.guards.map(({ kind }) => kind)).toContain('rootChanged');
    expect(await linked.sync.push(plan, new Set(['model/x.yml']))).toMatchObject({ status: 'refused' });
    expect(await linked.sync.push(plan, new Set(['model/x.yml']), { confirmed: ['rootChanged'] })).toMatchObject({
      status: 'done',
    });
  });

  it('never writes under an editor with unsaved changes', async () => {
    const linked = await pulledFolder();
    const before = linked.read(ORDERS);
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    const plan = await linked.sync.plan();
    linked.dirty.add(ORDERS);
    expect(await linked.sync.pull(plan, 'all')).toMatchObject({ status: 'partial', changed: [ORDERS] });
    expect(linked.read(ORDERS)).toBe(before);
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'conflict', reason: 'dirtyEditor' }]);
  });

  it('lets one window write and the other read', async () => {
    const linked = await pulledFolder();
    const other = await linked.open();
    linked.write(ORDERS, '# mine\n');
    const plan = await other.plan();
    expect(other.status.value).toMatchObject({ state: { kind: 'readOnly' }, localChanges: [{ path: ORDERS }] });
    expect(await other.push(plan, 'all')).toMatchObject({ status: 'refused' });
    await linked.sync.close();
    expect(await other.push(await other.plan(), 'all')).toMatchObject({ status: 'done' });
  });

  it('starts again where it stopped', async () => {
    const linked = await pulledFolder();
    await linked.sync.close();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.sync = await linked.open();
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'download', path: ORDERS, reason: 'changed' }]);
  });

  it('deletes and overwrites nothing once its notes are damaged: equal files agree, others are asked about', async () => {
    const linked = await pulledFolder();
    await linked.sync.close();
    const bases = readdirSync(linked.storage, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith(`${path.sep}base`),
    );
    for (const name of bases) appendFileSync(path.join(linked.storage, name), 'x');
    const [first = '', second = '', third = ''] = linked.files();
    linked.write(first, '# mine\n');
    linked.remove(second);
    await linked.colleague({ [third]: null });
    const again = await linked.open();
    const { entries, unchanged } = await again.plan();
    expect(entries).toMatchObject([
      { kind: 'conflict', reason: 'bothAdded', path: first },
      { kind: 'download', path: second },
      { kind: 'upload', path: third },
    ]);
    expect(unchanged).toBe(linked.files().length - 2);
    expect(bases).toHaveLength(1);
  });

  it('says that a branch is no longer one that can be written to, and loses nothing', async () => {
    const linked = await pulledFolder();
    linked.write(ORDERS, '# mine\n');
    const plan = await linked.sync.plan();
    const params = { deploymentId: '1' };
    await send(linked.platform, stopDevMode, { params });
    const outcome = await linked.sync.push(plan, 'all');
    expect(outcome).toMatchObject({ status: 'partial', applied: [], failed: [{ path: ORDERS }] });
    expect(outcome.message).toMatchInlineSnapshot(
      `"Pushed 0 files. 1 file failed: The platform refused the change (status 403): “Branch "dev-ada-1" is not an active dev-mode branch: start dev mode on it again.” If dev mode has ended on this branch, start it again."`,
    );
    expect(linked.read(ORDERS)).toBe('# mine\n');
    expect(linked.sync.status.value.localChanges).toHaveLength(1);
  });
});

it('checks again automatically on a timer, unless paused', async () => {
  const clock = new ManualClock();
  const linked = await linkFolder({ clock, settings: { refreshSeconds: 60 } });
  await clock.advance(60_000);
  await new Promise<void>((resolve) => {
    if (linked.sync.status.value.plan) resolve();
    else linked.sync.status.onDidChange(({ plan }) => plan && resolve());
  });
  expect(linked.sync.status.value.remoteChanges.length).toBeGreaterThan(0);
});
