import { describe, expect, it } from 'vitest';
import { linkFolder } from '#support/sync/linked-folder.ts';

const ORDERS = 'model/cubes/orders.yml';

describe('a folder linked to a dev branch', () => {
  it('brings an empty folder everything, and then has nothing to do', async () => {
    const linked = await linkFolder();
    const plan = await linked.sync.plan();
    expect(plan.entries.every(({ kind }) => kind === 'download')).toBe(true);
    expect(await linked.sync.pull(plan, 'all')).toMatchObject({ status: 'done', failed: [], changed: [] });
    expect(linked.read(ORDERS)).toBe(await linked.remote(ORDERS));
    expect(await linked.sync.plan()).toMatchObject({ entries: [], guards: [], unchanged: plan.entries.length });
  });

  it('sends one saved file with one request, once the server is known to honour conditions', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    linked.write(ORDERS, '# first\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    linked.wire.sent.length = 0;
    linked.write(ORDERS, '# second\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    expect(linked.wire.sent).toEqual(['PUT files']);
    expect(await linked.remote(ORDERS)).toBe('# second\n');
    expect(linked.sync.status.value).toMatchObject({ phase: 'idle', localChanges: [], waiting: 0, error: undefined });
  });

  it('sends several files through an upload transaction, and deletes only what was ticked', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    const [first, second] = linked.files();
    linked.write(ORDERS, '# mine\n');
    linked.write('model/cubes/new.yml', 'cubes: []\n');
    linked.remove(first ?? '');
    linked.remove(second ?? '');
    const plan = await linked.sync.plan();
    const guarded = await linked.sync.push(plan, 'all');
    expect(guarded).toMatchObject({ status: 'done' });
    expect(linked.wire.sent).toContain('POST upload/finish');
    expect(await linked.remote(first ?? '')).toBeUndefined();
    expect(await linked.remote('model/cubes/new.yml')).toBe('cubes: []\n');
    expect((await linked.sync.plan()).entries).toEqual([]);
  });

  it('sends only what was ticked', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    const before = await linked.remote(ORDERS);
    linked.write(ORDERS, '# mine\n');
    linked.write('model/new.yml', 'cubes: []\n');
    const outcome = await linked.sync.push(await linked.sync.plan(), new Set(['model/new.yml']));
    expect(outcome.applied.map(({ path }) => path)).toEqual(['model/new.yml']);
    expect(await linked.remote(ORDERS)).toBe(before);
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'upload', path: ORDERS }]);
  });

  it('sends saves that come in the middle of a push after it, the last one last', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    const [first = '', second = '', third = ''] = linked.files();
    linked.write(first, '# one\n');
    linked.write(second, '# one\n');
    const plan = await linked.sync.plan();
    let saves = 0;
    linked.wire.meanwhile = (request) => {
      if (request.url.includes('/upload/') && saves < 3) {
        linked.write(third, `# save ${++saves}\n`);
        linked.sync.onSaved([third]);
      }
      return Promise.resolve();
    };
    linked.wire.sent.length = 0;
    expect(await linked.sync.push(plan, 'all')).toMatchObject({ status: 'done', changed: [] });
    await linked.sync.flush();
    expect(saves).toBe(3);
    expect(await linked.remote(third)).toBe('# save 3\n');
    const { sent } = linked.wire;
    expect(sent.indexOf('PUT files')).toBeGreaterThan(sent.indexOf('POST upload/finish'));
  });

  it('renames on the platform what was renamed here, by itself after a save', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    const content = linked.read(ORDERS) ?? '';
    linked.remove(ORDERS);
    linked.write('model/cubes/purchases.yml', content);
    linked.sync.onSaved([ORDERS, 'model/cubes/purchases.yml']);
    await linked.sync.flush();
    expect(linked.wire.sent).toContain('POST files/rename');
    expect(await linked.remote(ORDERS)).toBeUndefined();
    expect(await linked.remote('model/cubes/purchases.yml')).toBe(content);
  });

  it('sends what the plan showed: a file that was edited since stays out, alone and in a transaction', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    const [first = '', second = ''] = linked.files();
    const before = await linked.remote(first);
    linked.write(first, '# one\n');
    const alone = await linked.sync.plan();
    linked.write(first, '# two\n');
    expect(await linked.sync.push(alone, 'all')).toMatchObject({ status: 'partial', applied: [], changed: [first] });
    expect(await linked.remote(first)).toBe(before);
    linked.write(second, '# mine\n');
    const both = await linked.sync.plan();
    linked.write(first, '# three\n');
    expect(await linked.sync.push(both, 'all')).toMatchObject({ status: 'partial', changed: [first] });
    expect(await linked.remote(first)).toBe(before);
    expect(await linked.remote(second)).toBe('# mine\n');
  });

  it('deletes many files with one request, and not one that is back since the plan', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    const [first = '', second = '', third = ''] = linked.files();
    const content = linked.read(third) ?? '';
    for (const file of [first, second, third]) linked.remove(file);
    const plan = await linked.sync.plan();
    linked.write(third, content);
    linked.wire.sent.length = 0;
    const confirmed = plan.guards.map(({ kind }) => kind);
    expect(await linked.sync.push(plan, 'all', { confirmed })).toMatchObject({ status: 'partial', changed: [third] });
    expect(linked.wire.sent.filter((line) => line === 'DELETE files')).toHaveLength(1);
    expect(await Promise.all([first, second, third].map((file) => linked.remote(file)))).toEqual([
      undefined,
      undefined,
      content,
    ]);
  });

  it('never deletes by itself', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    linked.remove(ORDERS);
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBeDefined();
    expect(linked.sync.status.value.localChanges).toMatchObject([{ kind: 'deleteRemote', path: ORDERS }]);
  });

  it('keeps bytes as they are: CRLF, a byte order mark, an empty file, ten megabytes, no text at all', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    const files: Record<string, string | Uint8Array> = {
      'model/crlf.yml': 'a: 1\r\nb: 2\r\n',
      'model/bom.yml': '\uFEFFa: 1\n',
      'model/empty.yml': '',
      'model/large.yml': 'x: 1234567\n'.repeat(953_000),
      'model/binary.yml': new Uint8Array([0, 255, 254, 128, 10]),
    };
    for (const [file, content] of Object.entries(files)) linked.write(file, content);
    expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done', failed: [] });
    expect((await linked.sync.plan()).entries).toEqual([]);
    linked.write('model/crlf.yml', 'a: 1\r\nb: 3\r\n');
    linked.sync.onSaved(['model/crlf.yml']);
    await linked.sync.flush();
    expect((await linked.sync.plan()).entries).toEqual([]);
    for (const file of ['model/crlf.yml', 'model/bom.yml', 'model/empty.yml', 'model/large.yml']) linked.remove(file);
    const outcome = await linked.sync.resolve('model/crlf.yml', 'theirs');
    expect(outcome.status).toBe('done');
    expect(linked.read('model/crlf.yml')).toBe('a: 1\r\nb: 3\r\n');
    expect((await linked.sync.resolve('model/bom.yml', 'theirs')).status).toBe('done');
    expect(linked.read('model/bom.yml')).toBe('\uFEFFa: 1\n');
  });

  it('leaves out what the ignore files name, from the moment they do, and deletes it nowhere', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    linked.write('model/scratch.yml', '# mine\n');
    linked.write('model/drafts/a.yml', '# draft\n');
    linked.write('.modelbenchignore', 'model/drafts/\ncubes/orders.yml\n');
    linked.write('model/.modelbenchignore', 'orders.yml\n');
    linked.write('.gitignore', 'scratch.yml\n');
    const expected = [
      { kind: 'ignored', path: ORDERS },
      { kind: 'upload', path: 'model/scratch.yml' },
    ];
    expect((await linked.sync.plan()).entries).toMatchObject(expected);
    expect((await linked.sync.plan()).entries).toMatchObject(expected);
    linked.sync.configure({ useGitignore: true });
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'ignored', path: ORDERS }]);
    linked.remove(ORDERS);
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ applied: [] });
    expect(await linked.remote(ORDERS)).toBeDefined();
  });

  it('treats a file as any other that is called as what every object has', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name) => `model/${name}`);
    const linked = await linkFolder();
    await linked.pullAll();
    for (const name of names) linked.write(name, `# ${name}\n`);
    expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done', failed: [] });
    for (const name of names) expect(await linked.remote(name)).toBe(`# ${name}\n`);
    expect((await linked.sync.plan()).entries).toEqual([]);
    await linked.colleague({ [names[0] ?? '']: '# theirs\n' });
    linked.write(names[1] ?? '', '# mine\n');
    linked.sync.onSaved([names[1] ?? '']);
    await linked.sync.flush();
    await linked.pullAll();
    expect(linked.read(names[0] ?? '')).toBe('# theirs\n');
    expect(await linked.remote(names[1] ?? '')).toBe('# mine\n');
    linked.remove(names[2] ?? '');
    expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done' });
    expect(await linked.remote(names[2] ?? '')).toBeUndefined();
    expect(await linked.remote(names[3] ?? '')).toBeDefined();
    expect((await linked.sync.plan()).entries).toEqual([]);
  });

  it('says which file cannot be brought because the platform sends text', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    linked.write('model/binary.yml', new Uint8Array([0, 255, 254, 128]));
    linked.write('model/other.yml', 'a: 1\n');
    await linked.sync.push(await linked.sync.plan(), 'all');
    linked.remove('model/binary.yml');
    const outcome = await linked.sync.resolve('model/binary.yml', 'theirs');
    expect(outcome).toMatchObject({ status: 'partial', failed: [{ path: 'model/binary.yml' }] });
    expect(outcome.message).toContain('it sends files as text');
  });
});

describe('two people on one branch', () => {
  it('never overwrites what somebody else saved since: the save becomes a conflict', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.write(ORDERS, '# mine\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBe('# theirs\n');
    expect(linked.read(ORDERS)).toBe('# mine\n');
    expect(linked.sync.status.value.conflicts).toMatchObject([{ path: ORDERS, reason: 'bothChanged', eolOnly: false }]);
  });

  it('settles a conflict as the person chooses', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
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
    const linked = await linkFolder();
    await linked.pullAll();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.write(ORDERS, '# mine\n');
    await linked.sync.plan();
    await linked.colleague({ [ORDERS]: '# theirs, again\n' });
    expect(await linked.sync.resolve(ORDERS, 'mine')).toMatchObject({ status: 'refused' });
    expect(await linked.remote(ORDERS)).toBe('# theirs, again\n');
  });

  it('takes theirs and can bring mine back', async () => {
    const linked = await linkFolder();
    await linked.pullAll();
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
    const linked = await linkFolder();
    await linked.pullAll();
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
    const linked = await linkFolder();
    await linked.pullAll();
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
    const linked = await linkFolder();
    await linked.pullAll();
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
    const linked = await linkFolder();
    await linked.pullAll();
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
    const linked = await linkFolder();
    await linked.pullAll();
    await linked.colleague({ [ORDERS]: 'a: 1\nb: 2\n' });
    linked.write(ORDERS, 'a: 1\r\nb: 2\r\n');
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'conflict', path: ORDERS, eolOnly: true }]);
  });
});
