import { describe, expect, it } from 'vitest';
import { linkFolder, pulledFolder } from '#support/sync/linked-folder.ts';

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
    const linked = await pulledFolder();
    linked.write(ORDERS, '# first\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    linked.wire.sent.length = 0;
    linked.write(ORDERS, '# second\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    expect(linked.wire.sent).toEqual(['PUT files']);
    expect(await linked.remote(ORDERS)).toBe('# second\n');
    expect(linked.sync.status.value).toMatchObject({
      state: { kind: 'inSync' },
      localChanges: [],
      waiting: 0,
      error: undefined,
    });
  });

  it('sends several files through an upload transaction, and deletes only what was ticked', async () => {
    const linked = await pulledFolder();
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
    const linked = await pulledFolder();
    const before = await linked.remote(ORDERS);
    linked.write(ORDERS, '# mine\n');
    linked.write('model/new.yml', 'cubes: []\n');
    const outcome = await linked.sync.push(await linked.sync.plan(), new Set(['model/new.yml']));
    expect(outcome.applied.map(({ path }) => path)).toEqual(['model/new.yml']);
    expect(await linked.remote(ORDERS)).toBe(before);
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'upload', path: ORDERS }]);
  });

  it('sends saves that come in the middle of a push after it, the last one last', async () => {
    const linked = await pulledFolder();
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

  it('renames on the platform what was renamed here, automatically after a save', async () => {
    const linked = await pulledFolder();
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
    const linked = await pulledFolder();
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
    const linked = await pulledFolder();
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

  it('never deletes automatically', async () => {
    const linked = await pulledFolder();
    linked.remove(ORDERS);
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBeDefined();
    expect(linked.sync.status.value.localChanges).toMatchObject([{ kind: 'deleteRemote', path: ORDERS }]);
  });

  it('keeps bytes as they are: CRLF, a byte order mark, an empty file, ten megabytes, no text at all', async () => {
    const linked = await pulledFolder();
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
    const linked = await pulledFolder();
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
    const linked = await pulledFolder();
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
});
