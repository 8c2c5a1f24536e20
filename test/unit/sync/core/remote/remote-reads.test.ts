import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { originOf } from '#base/origin.ts';
import { PlatformError } from '#api/errors.ts';
import { silentLogger } from '#base/log.ts';
import { type LinkedFolder, linkFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { createPlatformReader } from '#sync/core/remote/platform-remote.ts';
import type { RemoteReader, SyncPorts } from '#sync/core/ports.ts';
import { patientClient } from '../../../../support/api/patient-client.ts';

const decoder = new TextDecoder();
const branchReads = (linked: LinkedFolder): number => linked.wire.sent.filter((sent) => sent === 'GET files').length;

/** Changes how a branch is read. */
function reading(change: (read: RemoteReader['read']) => RemoteReader['read']): (ports: SyncPorts) => SyncPorts {
  return (ports) => {
    const { remote } = ports;
    const read = change((paths, signal) => remote.read(paths, signal));
    return { ...ports, remote: new Proxy(remote, { get: (of, key) => (key === 'read' ? read : bound(of, key)) }) };
  };
}

function bound(of: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(of, key, of);
  return typeof value === 'function' ? (value.bind(of) as unknown) : value;
}

const broken = (): PlatformError =>
  new PlatformError({ kind: 'network', operation: 'listDataModelFiles', message: 'broken', retryable: true });

describe('a pull', () => {
  it('reads the branch once, however many files it brings', async () => {
    const linked = await linkFolder();
    const files = Array.from({ length: 300 }, (_, at) => [`model/many/f${at}.yml`, `# ${at}\n`] as const);
    await linked.colleague(Object.fromEntries(files));
    await linked.pullAll();
    expect(branchReads(linked)).toBe(1);
    expect(linked.read('model/many/f299.yml')).toBe('# 299\n');
  });

  it('continues with what is missing when the connection breaks', async () => {
    const asked: number[] = [];
    const linked = await linkFolder({
      ports: reading(
        (read) =>
          async function* (paths, signal) {
            asked.push(paths.size);
            let came = 0;
            for await (const each of read(paths, signal)) {
              yield each;
              if (++came === 2 && asked.length < 3) throw broken();
            }
          },
      ),
    });
    await linked.pullAll();
    const [all = 0] = asked;
    expect(asked).toEqual([all, all - 2, all - 4]);
    expect(linked.files()).toHaveLength(all);
  });

  it('keeps what arrived when the connection stays broken', async () => {
    const linked = await linkFolder({
      ports: reading(
        (read) =>
          async function* (paths, signal) {
            if (paths.size < 3) throw broken();
            for await (const each of read(paths, signal)) {
              yield each;
              throw broken();
            }
          },
      ),
    });
    const outcome = await linked.sync.pull(await linked.sync.plan(), 'all');
    expect(outcome).toMatchObject({ status: 'partial', changed: [] });
    expect(outcome.failed).toHaveLength(2);
    expect(linked.files()).toHaveLength(outcome.applied.length);
  });

  it('refuses content that does not fit the hash that the platform lists', async () => {
    const linked = await linkFolder({
      ports: reading(
        (read) =>
          async function* (paths, signal) {
            for await (const { path: file } of read(paths, signal)) yield { path: file, bytes: Uint8Array.of(1) };
          },
      ),
    });
    const outcome = await linked.sync.pull(await linked.sync.plan(), 'all');
    expect(outcome).toMatchObject({ status: 'partial', applied: [] });
    expect(outcome.message).toMatchInlineSnapshot(
      `"Pulled 0 files. 11 files failed: model/cubes/customers.yml: The platform sent other content than it lists for this file. The file here was left as it is."`,
    );
    expect(linked.files()).toEqual([]);
  });

  it('freezes a file that the platform cannot send as text, instead of offering it for ever', async () => {
    const linked = await pulledFolder();
    linked.write('model/binary.yml', new Uint8Array([0, 255, 254, 128]));
    linked.write('model/other.yml', 'a: 1\n');
    await linked.sync.push(await linked.sync.plan(), 'all');
    await linked.sync.close();
    rmSync(linked.storage, { recursive: true });
    linked.remove('model/binary.yml');
    const sync = await linked.open();
    const outcome = await sync.pull(await sync.plan(), 'all');
    expect(outcome).toMatchObject({ status: 'partial', failed: [{ path: 'model/binary.yml' }] });
    expect(outcome.message).toMatchInlineSnapshot(
      `"Pulled 0 files. 1 file failed: model/binary.yml: The platform sends files as text, and its version of this file is not text. The file here was left as it is."`,
    );
    const frozen = [{ kind: 'frozen', path: 'model/binary.yml', side: 'remote', reason: 'notText' }];
    expect((await sync.plan()).entries).toEqual(frozen);
    await sync.close();
    const next = await linked.open();
    expect((await next.plan()).entries).toEqual(frozen);
    expect(next.status.value.remoteChanges).toEqual([]);
  });
});

describe('a conflict', () => {
  it.each([
    ['larger than a megabyte', 'x'.repeat(1024 * 1024 + 1)],
    ['with a NUL', 'a\0b'],
  ])('on a file %s reads the branch at one scan only', async (_, text) => {
    const linked = await pulledFolder();
    await linked.colleague({ 'model/big.yml': `theirs ${text}` });
    linked.write('model/big.yml', `mine ${text}`);
    const before = branchReads(linked);
    for (let scan = 0; scan < 3; scan++)
      expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'conflict' }]);
    expect(branchReads(linked) - before).toBe(1);
  });

  it('says why it cannot be read, and everything else is synced', async () => {
    let fails = false;
    const linked = await pulledFolder({
      ports: reading((read) => (paths, signal) => {
        if (fails) throw broken();
        return read(paths, signal);
      }),
    });
    fails = true;
    await linked.colleague({ 'model/both.yml': 'theirs\n' });
    linked.write('model/both.yml', 'mine\n');
    linked.write('model/new.yml', 'new\n');
    const plan = await linked.sync.plan();
    expect(plan.entries).toMatchObject([{ kind: 'conflict', unread: 'broken' }, { kind: 'upload' }]);
    expect(await linked.sync.push(plan, 'all')).toMatchObject({ status: 'done' });
    // Keeping mine puts the platform's version into the trash first, so it must be readable again.
    fails = false;
    expect(await linked.sync.resolve('model/both.yml', 'mine')).toMatchObject({ status: 'done' });
  });

  it('whose content is not what the platform lists is not read again at every scan', async () => {
    let reads = 0;
    const linked = await pulledFolder({
      ports: reading(
        (read) =>
          async function* (paths, signal) {
            reads += 1;
            for await (const each of read(paths, signal)) {
              yield each.path === 'model/both.yml' ? { path: each.path, bytes: Uint8Array.of(1) } : each;
            }
          },
      ),
    });
    await linked.colleague({ 'model/both.yml': 'theirs\n' });
    linked.write('model/both.yml', 'mine\n');
    const before = reads;
    for (let scan = 0; scan < 3; scan++) {
      const unread = 'The platform sent other content than it lists for this file.';
      expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'conflict', unread }]);
    }
    expect(reads - before).toBe(1);
  });
});

describe('a comparison', () => {
  it('asks the platform nothing for the agreed version of an unchanged file', async () => {
    const linked = await pulledFolder();
    rmSync(path.join(linked.storage, 'versions'), { recursive: true });
    await linked.sync.plan();
    const before = linked.wire.sent.length;
    const [file = ''] = linked.files();
    expect(decoder.decode(await linked.sync.baseContent(file))).toBe(linked.read(file));
    expect(linked.wire.sent).toHaveLength(before);
  });

  it('reads the branch once for several files, and not again for the pull that follows', async () => {
    const linked = await pulledFolder();
    const files = linked.files().slice(0, 3);
    const changed = Object.fromEntries(files.map((file) => [file, `# of a colleague: ${file}\n`]));
    await linked.colleague(changed);
    const plan = await linked.sync.plan();
    const before = branchReads(linked);
    const texts = await Promise.all(files.map((file) => linked.sync.remoteContent(file)));
    expect(texts.map((text) => decoder.decode(text))).toEqual(Object.values(changed));
    expect(await linked.sync.pull(plan, 'all')).toMatchObject({ status: 'done' });
    expect(branchReads(linked) - before).toBe(1);
    expect(readdirSync(path.join(linked.storage, 'versions')).length).toBeGreaterThan(0);
  });
});

describe('a branch that is larger than the client reads at once', () => {
  it('comes file by file', async () => {
    const content = 'x'.repeat(10_000);
    const files = Array.from({ length: 50 }, (_, at) => ({ path: `model/f${at}.yml`, content: `${at}${content}` }));
    const client = patientClient({
      baseUrl: 'http://127.0.0.1',
      credential: () => ({ kind: 'bearer', token: 'k', origin: originOf('http://127.0.0.1') }),
      logger: silentLogger,
      limits: { maxAnswerBytes: 20_000 },
      fetch: () => Promise.resolve(Response.json({ path: '/', type: 'directory', children: files })),
    });
    const reader = createPlatformReader({ client, deployment: 1, branch: 'dev-a' });
    const found: string[] = [];
    for await (const { path: file, bytes } of reader.read(new Set(['model/f3.yml', 'model/f49.yml']))) {
      expect(bytes?.length).toBeGreaterThan(10_000);
      found.push(file);
    }
    expect(found).toEqual(['model/f3.yml', 'model/f49.yml']);
  });
});
