import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { hasFeature } from '#support/sync/test-disk.ts';
import { FileProblem } from '#sync/core/ports.ts';

const ORDERS = 'model/cubes/orders.yml';

describe('a connection that breaks', () => {
  it('keeps saves while offline and catches up on return', async () => {
    const linked = await pulledFolder();
    linked.wire.cut = (_, when) => when === 'before';
    linked.write(ORDERS, '# offline\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    expect(linked.sync.status.value).toMatchObject({
      state: { kind: 'waiting', count: 1, reason: { kind: 'offline' } },
      waiting: 1,
    });
    linked.wire.cut = () => false;
    await linked.sync.plan();
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBe('# offline\n');
    expect(linked.sync.status.value).toMatchObject({ state: { kind: 'inSync' }, waiting: 0, error: undefined });
  });

  it('shows a conflict on return when someone else changed the file meanwhile', async () => {
    const linked = await pulledFolder();
    linked.wire.cut = (_, when) => when === 'before';
    linked.write(ORDERS, '# offline\n');
    linked.sync.onSaved([ORDERS]);
    await linked.sync.flush();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.wire.cut = () => false;
    await linked.sync.plan();
    await linked.sync.flush();
    expect(await linked.remote(ORDERS)).toBe('# theirs\n');
    expect(linked.sync.status.value.conflicts).toHaveLength(1);
  });

  it.each(['PUT', 'POST'])('resolves a lost reply by looking: %s', async (method) => {
    const linked = await pulledFolder();
    const [first = '', second = ''] = linked.files();
    linked.write(first, '# one\n');
    if (method === 'POST') linked.write(second, '# two\n');
    const plan = await linked.sync.plan();
    let left = 1;
    const finishes = (url: string): boolean => url.endsWith(method === 'PUT' ? '/files' : 'upload/finish');
    linked.wire.cut = (request, when) =>
      when === 'after' && request.method === method && finishes(request.url) && left-- > 0;
    expect(await linked.sync.push(plan, 'all')).toMatchObject({ status: 'done', failed: [] });
    expect(linked.wire.sent.filter((line) => line === `${method} files` || line === 'POST upload/finish')).toHaveLength(
      1,
    );
    expect((await linked.sync.plan()).entries).toEqual([]);
  });

  it('resumes an upload that was cut, without sending again what arrived', async () => {
    const linked = await pulledFolder();
    for (let at = 0; at < 12; at++) linked.write(`model/new/${at}.yml`, `a: ${at}\n`);
    linked.wire.cut = (request, when) => when === 'before' && request.url.endsWith('upload/finish');
    expect(await linked.sync.push(await linked.sync.plan().catch(() => linked.sync.plan()), 'all')).toMatchObject({
      applied: [],
    });
    linked.wire.cut = () => false;
    linked.wire.sent.length = 0;
    expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done' });
    expect(await linked.remote('model/new/11.yml')).toBe('a: 11\n');
    // One file asks whether the server still knows the transaction.
    expect(linked.wire.sent.filter((line) => line.includes('upload'))).toEqual([
      'POST upload/file',
      'POST upload/finish',
    ]);
  });

  it('starts an upload again that the server has forgotten, or of which a file changed here', async () => {
    const linked = await pulledFolder();
    for (let at = 0; at < 4; at++) linked.write(`model/new/${at}.yml`, `a: ${at}\n`);
    const cutFinish = async (): Promise<void> => {
      linked.wire.cut = (request, when) => when === 'before' && request.url.endsWith('upload/finish');
      await linked.sync.push(await linked.sync.plan(), 'all');
      linked.wire.cut = () => false;
      linked.wire.sent.length = 0;
    };
    const uploads = (): readonly string[] => linked.wire.sent.filter((line) => line.includes('upload'));
    const whole = ['POST upload/start', ...Array.from({ length: 4 }, () => 'POST upload/file'), 'POST upload/finish'];
    await cutFinish();
    linked.write('model/new/3.yml', 'a: changed\n');
    expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done', failed: [] });
    expect(uploads()).toEqual(whole);
    expect(await linked.remote('model/new/3.yml')).toBe('a: changed\n');
    for (let at = 0; at < 4; at++) linked.write(`model/new/${at}.yml`, `b: ${at}\n`);
    // The platform finishes the upload, but its reply is lost; then someone else reverts it.
    let finished = false;
    linked.wire.cut = (request, when) => {
      finished ||= when === 'after' && request.url.endsWith('upload/finish');
      return finished;
    };
    await linked.sync.push(await linked.sync.plan(), 'all');
    expect(await linked.remote('model/new/0.yml')).toBe('b: 0\n');
    const before = Array.from({ length: 4 }, (_, at) => [
      `model/new/${at}.yml`,
      at === 3 ? 'a: changed\n' : `a: ${at}\n`,
    ]);
    await linked.colleague(Object.fromEntries(before) as Record<string, string>);
    linked.wire.cut = () => false;
    linked.wire.sent.length = 0;
    expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done', failed: [] });
    expect(uploads()).toEqual(['POST upload/file', ...whole]);
    expect(await linked.remote('model/new/0.yml')).toBe('b: 0\n');
  });

  it('can be cancelled at any moment and leaves both sides consistent', async () => {
    const linked = await pulledFolder();
    for (let at = 0; at < 20; at++) linked.write(`model/new/${at}.yml`, `a: ${at}\n`);
    const cancel = new AbortController();
    const outcome = await linked.sync.push(await linked.sync.plan(), 'all', {
      signal: cancel.signal,
      onProgress: () => cancel.abort(),
    });
    expect(['cancelled', 'done']).toContain(outcome.status);
    const early = new AbortController();
    early.abort();
    linked.write('model/new/0.yml', 'changed: 1\n');
    expect(await linked.sync.push(await linked.sync.plan(), 'all', { signal: early.signal })).toMatchObject({
      status: 'cancelled',
      applied: [],
    });
    expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done' });
    expect((await linked.sync.plan()).entries).toEqual([]);
  });
});

describe('a disk that refuses', () => {
  it('refuses a merged text and a version of the trash that the disk has no room for, and changes nothing', async () => {
    const isFull = { now: false };
    const linked = await linkFolder({
      ports: (ports) => {
        const stage = ports.files.stage.bind(ports.files);
        const full = new FileProblem('full', 'The disk is full.');
        ports.files.stage = (...args) => (isFull.now ? Promise.reject(full) : stage(...args));
        return ports;
      },
    });
    await linked.pullAll();
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    linked.write(ORDERS, '# mine\n');
    await linked.sync.plan();
    isFull.now = true;
    const merged = new TextEncoder().encode('# both\n');
    const full = { status: 'refused', message: 'The disk is full.' };
    expect(await linked.sync.resolve(ORDERS, { merged })).toMatchObject(full);
    expect([linked.read(ORDERS), await linked.remote(ORDERS)]).toEqual(['# mine\n', '# theirs\n']);
    isFull.now = false;
    await linked.sync.resolve(ORDERS, 'theirs');
    isFull.now = true;
    const [mine] = await linked.sync.trashed();
    expect(mine && (await linked.sync.restore(mine))).toMatchObject(full);
    expect(linked.read(ORDERS)).toBe('# theirs\n');
  });

  it('leaves the file and says so when the disk is full', async () => {
    const linked = await linkFolder({
      ports: (ports) => ({
        ...ports,
        files: new Proxy(ports.files, {
          get: (files, name) =>
            name === 'stage'
              ? () => Promise.reject(new FileProblem('full', 'The disk is full. Free some space and try again.'))
              : (Reflect.get(files, name) as () => unknown).bind(files),
        }),
      }),
    });
    const plan = await linked.sync.plan();
    const outcome = await linked.sync.pull(plan, 'all');
    expect(outcome).toMatchObject({ status: 'partial', applied: [] });
    expect(outcome.failed).toHaveLength(plan.entries.length);
    expect(outcome.message).toMatchInlineSnapshot(
      `"Pulled 0 files. 11 files failed: The disk is full. Free some space and try again."`,
    );
    expect(linked.files()).toEqual([]);
  });

  it('writes nothing through a folder that became a link', async () => {
    if (!hasFeature('symbolic links')) return;
    const linked = await pulledFolder();
    const outside = path.join(linked.root, 'outside');
    mkdirSync(outside);
    const plan = await linked.sync.plan();
    expect(plan.entries).toEqual([]);
    await linked.colleague({ 'model/linked/x.yml': '# theirs\n' });
    const next = await linked.sync.plan();
    symlinkSync(outside, path.join(linked.root, 'model/linked'));
    expect(await linked.sync.pull(next, 'all')).toMatchObject({ status: 'partial', applied: [] });
    expect((await linked.sync.plan()).entries).toMatchObject([
      { kind: 'frozen', path: 'model/linked', reason: 'symlink' },
      { kind: 'frozen', path: 'model/linked/x.yml', reason: 'symlink' },
    ]);
  });
});
