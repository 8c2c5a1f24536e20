import { describe, expect, it } from 'vitest';
import { pulledFolder } from '#support/sync/linked-folder.ts';

const ORDERS = 'model/cubes/orders.yml';

describe('two people on one branch', () => {
  it('never overwrites what someone else saved since: the save becomes a conflict', async () => {
    const linked = await pulledFolder();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.write(ORDERS, '# mine\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBe('# theirs\n');
    expect(linked.read(ORDERS)).toBe('# mine\n');
    expect(linked.sync.status.value.conflicts).toMatchObject([{ path: ORDERS, reason: 'bothChanged', eolOnly: false }]);
  });

  it('resolves a conflict as the user chooses', async () => {
    const linked = await pulledFolder();
    const base = linked.read(ORDERS);
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.write(ORDERS, '# mine\n');
    await linked.sync.plan();
    const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
    expect(text(await linked.sync.baseContent(ORDERS))).toBe(base);
    expect(text(await linked.sync.remoteContent(ORDERS))).toBe('# theirs\n');
    const merged = new TextEncoder().encode('# mine\n# theirs\n');
    expect(linked.sync.status.value.conflicts).toHaveLength(1);
    expect(await linked.sync.resolve(ORDERS, { merged })).toMatchObject({ status: 'done' });
    expect(linked.sync.status.value.conflicts).toEqual([]);
    expect(await linked.remote(ORDERS)).toBe('# mine\n# theirs\n');
    expect(linked.read(ORDERS)).toBe('# mine\n# theirs\n');
    expect((await linked.sync.trashed()).map(({ path }) => path)).toEqual([ORDERS]);
    expect((await linked.sync.plan()).entries).toEqual([]);
  });

  it('does not carry out a choice about versions that are no longer there', async () => {
    const linked = await pulledFolder();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.write(ORDERS, '# mine\n');
    await linked.sync.plan();
    await linked.colleague({ [ORDERS]: '# theirs, again\n' });
    expect(await linked.sync.resolve(ORDERS, 'mine')).toMatchObject({ status: 'refused' });
    expect(await linked.remote(ORDERS)).toBe('# theirs, again\n');
  });

  it('writes a text with both versions here only, and keeps the conflict', async () => {
    const linked = await pulledFolder();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.write(ORDERS, '# mine\n');
    const [conflict] = (await linked.sync.plan()).entries;
    if (conflict?.kind !== 'conflict') throw new Error('there is no conflict');
    const marked = new TextEncoder().encode('# both\n');
    // A comparison between the choice and its effect must not make the choice one about newer versions.
    await linked.colleague({ [ORDERS]: '# theirs, again\n' });
    await linked.sync.plan();
    expect(await linked.sync.resolve(ORDERS, { marked }, { seen: conflict })).toMatchObject({ status: 'refused' });
    expect(linked.read(ORDERS)).toBe('# mine\n');
    expect(await linked.sync.resolve(ORDERS, { marked })).toMatchObject({ status: 'done', applied: [] });
    expect(linked.read(ORDERS)).toBe('# both\n');
    expect(await linked.remote(ORDERS)).toBe('# theirs, again\n');
    expect(linked.sync.status.value.conflicts).toMatchObject([{ path: ORDERS }]);
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'conflict', path: ORDERS }]);
    expect((await linked.sync.trashed()).map(({ cause }) => cause)).toEqual(['resolve']);
  });

  it('takes theirs and can bring mine back', async () => {
    const linked = await pulledFolder();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.write(ORDERS, '# mine\n');
    await linked.sync.plan();
    const outcome = await linked.sync.resolve(ORDERS, 'theirs');
    expect(linked.read(ORDERS)).toBe('# theirs\n');
    const [mine] = await linked.sync.trashed();
    expect(mine).toMatchObject({ path: ORDERS, cause: 'resolve', deleted: false, size: 7 });
    expect(outcome.trashed).toEqual([mine?.id]);
    expect(await linked.sync.trashedContent(mine?.id ?? '')).toEqual(Buffer.from('# mine\n'));
    expect(mine && (await linked.sync.restore(mine))).toMatchObject({ status: 'done' });
    expect(linked.read(ORDERS)).toBe('# mine\n');
    expect((await linked.sync.trashed()).map(({ cause }) => cause)).toEqual(['restore', 'resolve']);
  });

  it('restores under no editor with unsaved changes, and sets nothing aside that is the same', async () => {
    const linked = await pulledFolder();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    await linked.pullAll();
    const [kept] = await linked.sync.trashed();
    if (!kept) throw new Error('the replaced version is not kept');
    linked.dirty.add(ORDERS);
    expect(await linked.sync.restore(kept)).toMatchObject({ status: 'refused' });
    expect(linked.read(ORDERS)).toBe('# theirs\n');
    linked.dirty.clear();
    expect(await linked.sync.restore(kept)).toMatchObject({ status: 'done', trashed: [expect.any(String)] });
    expect(await linked.sync.restore(kept)).toMatchObject({ status: 'done', trashed: [] });
    expect(await linked.sync.trashed()).toHaveLength(2);
    expect(await linked.sync.restore({ ...kept, id: 'gone' })).toMatchObject({ status: 'refused' });
  });

  it('lets an edit win over a deletion, either way', async () => {
    const linked = await pulledFolder();
    const [first = '', second = ''] = linked.files();
    await linked.colleague({ [first]: null, [second]: '# theirs\n' });
    linked.write(first, '# mine\n');
    linked.remove(second);
    const plan = await linked.sync.plan();
    expect(plan.entries).toMatchObject([
      { kind: 'upload', path: first, reason: 'restored' },
      { kind: 'download', path: second, reason: 'restored' },
    ]);
    await linked.sync.push(plan, 'all');
    await linked.sync.pull(await linked.sync.plan(), 'all');
    expect(await linked.remote(first)).toBe('# mine\n');
    expect(linked.read(second)).toBe('# theirs\n');
  });

  it('publishes nothing of an upload when the platform changed in the middle of it', async () => {
    const linked = await pulledFolder();
    const [first = '', second = ''] = linked.files();
    linked.write(first, '# mine\n');
    linked.write(second, '# mine\n');
    const plan = await linked.sync.plan();
    let struck = false;
    const colleague = linked.colleague({});
    await colleague;
    linked.wire.cut = (request, when) => {
      if (!struck && when === 'after' && request.url.endsWith('upload/file')) {
        struck = true;
        void linked.colleague({ [first]: '# theirs\n' });
      }
      return false;
    };
    const outcome = await linked.sync.push(plan, 'all');
    expect(outcome).toMatchObject({ status: 'partial', applied: [], changed: [first] });
    expect(await linked.remote(first)).toBe('# theirs\n');
    expect(await linked.remote(second)).not.toBe('# mine\n');
  });

  it('pulls a deletion into the trash', async () => {
    const linked = await pulledFolder();
    const content = linked.read(ORDERS);
    await linked.colleague({ [ORDERS]: null });
    await linked.pullAll();
    expect(linked.read(ORDERS)).toBeUndefined();
    const [kept] = await linked.sync.trashed();
    expect(kept).toMatchObject({ path: ORDERS, cause: 'pull', deleted: true });
    expect(kept && (await linked.sync.restore(kept))).toMatchObject({ status: 'done' });
    expect(linked.read(ORDERS)).toBe(content);
  });

  it('says when versions differ only in line ends', async () => {
    const linked = await pulledFolder();
    await linked.colleague({ [ORDERS]: 'a: 1\nb: 2\n' });
    linked.write(ORDERS, 'a: 1\r\nb: 2\r\n');
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'conflict', path: ORDERS, eolOnly: true }]);
  });
});
