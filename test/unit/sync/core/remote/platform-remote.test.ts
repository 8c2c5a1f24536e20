import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { originOf } from '#base/origin.ts';
import { silentLogger } from '#base/log.ts';
import { type ListedBranch, builtFrom } from '#support/listed-branches.ts';
import { hostileNames } from '#support/sync/hostile-names.ts';
import { readListing, readListingText } from '#sync/core/remote/listing.ts';
import { createPlatformReader, createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import { devBranch } from '#sync/core/target.ts';
import { patientClient } from '../../../../support/api/patient-client.ts';

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');
const [A, B] = [sha1('a'), sha1('b')];
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

const DEV: readonly ListedBranch[] = [
  { name: 'main', parentBranch: null },
  { name: 'dev-a', parentBranch: 'main' },
];

function connect(
  answer: (sent: Sent) => Response | Promise<Response>,
  folder = 'model',
  attempts = 1,
  branches = DEV,
): ReturnType<typeof connection> {
  return connection(answer, folder, attempts, branches);
}

function connection(
  answer: (sent: Sent) => Response | Promise<Response>,
  folder: string,
  attempts: number,
  branches: readonly ListedBranch[],
) {
  const sent: Sent[] = [];
  const client = patientClient({
    baseUrl: 'http://127.0.0.1',
    credential: () => ({ kind: 'bearer', token: 'k', origin: originOf('http://127.0.0.1') }),
    logger: silentLogger,
    limits: { attempts, backoffMs: 0 },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const entry = {
        method: request.method,
        url: new URL(request.url),
        headers: request.headers,
        body: await request.clone().text(),
      };
      sent.push(entry);
      return entry.url.pathname.endsWith('/branches') ? json({ data: branches }) : answer(entry);
    },
  });
  const branch = devBranch('dev-a');
  if (!branch.ok) throw new Error(branch.error);
  const options = { client, deployment: 7, branch: branch.value, folder };
  const files = (): readonly Sent[] => sent.filter(({ url }) => !url.pathname.endsWith('/branches'));
  return { sent, files, reader: createPlatformReader(options), writer: createPlatformWriter(options) };
}

const json = (value: unknown): Response => Response.json(value);
const hashes = (files: Record<string, string>): unknown => ({
  files: Object.fromEntries(Object.entries(files).map(([path, hash]) => [path, { hash }])),
});

describe('only a dev branch can be written to', () => {
  it.each(['main', 'master', 'feature', 'dev', 'dev-', 'xdev-a', 'dev- a', ''])('refuses %j', (name) => {
    expect(devBranch(name)).toMatchObject({ ok: false });
  });

  it('accepts a personal one', () => {
    expect(devBranch('dev-anna-1')).toEqual({ ok: true, value: 'dev-anna-1' });
  });
});

describe('the listing of a branch', () => {
  it('reads paths with and without a leading slash, and keeps the rest of the branch apart', async () => {
    const { reader, sent } = connect(() =>
      json(hashes({ '/model/a.yml': A, 'model/b.yml': B, 'cube.js': A, '/README.md': B })),
    );
    const listing = await reader.list();
    expect([...listing.files]).toEqual([
      ['model/a.yml', { hash: A }],
      ['model/b.yml', { hash: B }],
    ]);
    expect([...listing.others]).toEqual([
      ['cube.js', A],
      ['/README.md', B],
    ]);
    expect(listing.complete).toBe(true);
    expect(sent[0]?.url.searchParams.get('branchName')).toBe('dev-a');
  });

  it('freezes every hostile name and still names it in the manifest', () => {
    const names = hostileNames.filter((name) => name !== '' && !name.startsWith('/')).map((name) => `model/${name}`);
    const listing = readListing({ files: Object.fromEntries(names.map((name) => [name, { hash: A }])) }, 'model');
    expect([...listing.files.keys()]).toEqual([]);
    expect(listing.others.size).toBe(names.length);
  });

  it('trusts no path that comes twice', () => {
    const { files, frozen } = readListing(
      { files: { 'model/a.yml': { hash: A }, '/model/a.yml': { hash: B } } },
      'model',
    );
    expect(files.size).toBe(0);
    expect(frozen.get('model/a.yml')).toBe('invalidName');
  });

  it.each([
    ['truncated', { truncated: true }],
    ['a next page', { pageInfo: { hasNextPage: true } }],
    ['a cursor', { nextCursor: 'x' }],
    ['more than it holds', { total: 2 }],
  ])('counts as incomplete when the server says so: %s', (_, extra) => {
    expect(readListing({ files: { 'model/a.yml': { hash: A } }, ...extra }, 'model').complete).toBe(false);
  });

  it('reads the text as it reads the parsed answer, and leaves any other form to the validator', async () => {
    const files = { '/model/a.yml': A, 'model/b.yml': B, 'model/../x': A, 'cube.js': B, 'model/é.yml': A };
    const text = JSON.stringify(hashes(files));
    expect(await readListingText(text, 'model')).toEqual(
      readListing(JSON.parse(text) as Parameters<typeof readListing>[0], 'model'),
    );
    expect((await readListingText('{"files":{}}', 'model'))?.files.size).toBe(0);
    const others = [
      `${text} x`,
      ` ${text}`,
      JSON.stringify({ ...(hashes(files) as object), truncated: true }),
      '{"files":{"a":{"hash":"x"}}}',
      '[]',
      '',
    ];
    for (const other of others) expect(await readListingText(other, 'model')).toBeUndefined();
    for (let cut = 0; cut < text.length; cut++)
      expect(await readListingText(text.slice(0, cut), 'model')).toBeUndefined();
  });

  it('lets others run while it reads a hundred thousand entries, also another listing', async () => {
    const many = (seed: string): string =>
      JSON.stringify(
        hashes(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`model/${seed}/${at}.yml`, A]))),
      );
    const [first, second] = await Promise.all([
      readListingText(many('a'), 'model'),
      readListingText(many('b'), 'model'),
    ]);
    expect([first?.files.size, second?.files.size]).toEqual([100_000, 100_000]);
    expect(second?.files.has('model/b/99999.yml')).toBe(true);
  });

  it('does not read the same answer twice', async () => {
    let text = JSON.stringify(hashes({ 'model/a.yml': A }));
    const { reader } = connect(() => new Response(text, { headers: { 'content-type': 'application/json' } }));
    const first = await reader.list();
    expect(await reader.list()).toBe(first);
    text = JSON.stringify(hashes({ 'model/a.yml': B }));
    expect((await reader.list()).files.get('model/a.yml')?.hash).toBe(B);
  });

  it('counts as incomplete when a hash is none', () => {
    expect(readListing({ files: { 'model/a.yml': { hash: 'x' } } }, 'model')).toMatchObject({ complete: false });
  });

  it('takes __proto__ for a name like any other that is forbidden', () => {
    const answer = JSON.parse(`{"files":{"__proto__":{"hash":"${A}"},"model/a.yml":{"hash":"${B}"}}}`) as Parameters<
      typeof readListing
    >[0];
    expect([...readListing(answer, '').files.keys()]).toContain('model/a.yml');
    expect(({} as Record<string, unknown>)['hash']).toBeUndefined();
  });

  it('fails, and never comes out shorter, when it is cut at any byte', async () => {
    const whole = JSON.stringify(hashes({ 'model/a.yml': A, 'model/b.yml': B }));
    for (let cut = 0; cut < whole.length; cut++) {
      const { reader } = connect(
        () => new Response(whole.slice(0, cut), { headers: { 'content-type': 'application/json' } }),
      );
      await expect(reader.list(), `cut at ${cut}`).rejects.toMatchObject({ name: 'PlatformError' });
    }
  });

  it.each([
    ['a web page', new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
    ['nothing', new Response('')],
    ['another shape', Response.json({ data: [] })],
    ['null', Response.json(null)],
    ['an error', Response.json({ error: 'x' }, { status: 500 })],
  ])('fails on %s', async (_, response) => {
    await expect(connect(() => response).reader.list()).rejects.toMatchObject({ name: 'PlatformError' });
  });
});

describe('contents', () => {
  const tree = {
    path: '/',
    type: 'directory',
    children: [
      { path: '/model', type: 'directory', children: [{ path: '/model/a.yml', type: 'file', content: '\uFEFFa\r\n' }] },
      { path: 'model/b.yml', type: 'file', content: 'b' },
    ],
  };

  it('come byte for byte, from a nested tree or a flat list', async () => {
    const read = async (answer: object, path: string): Promise<unknown> => {
      const contents: unknown[] = [];
      for await (const each of connect(() => json(answer)).reader.read(new Set([path, 'model/x.yml']))) {
        contents.push(each);
      }
      return contents;
    };
    expect(await read(tree, 'model/a.yml')).toEqual([{ path: 'model/a.yml', bytes: bytes('\uFEFFa\r\n') }]);
    const flat = { files: [{ path: 'model/b.yml', content: 'b' }] };
    expect(await read(flat, 'model/b.yml')).toEqual([{ path: 'model/b.yml', bytes: bytes('b') }]);
  });
});

describe('writes', () => {
  const write = (path: string, text: string, expected: string | undefined) => ({
    path,
    bytes: bytes(text),
    hash: sha1(text),
    expected,
  });

  it('carry the expected hashes as conditions, in the order of the files', async () => {
    const { writer, files } = connect(() => new Response(null, { status: 204 }));
    await writer.put([write('model/a.yml', 'x', A), write('model/n.yml', 'y', undefined)]);
    await writer.put([write('model/n.yml', 'y', undefined)]);
    await writer.remove([{ path: 'model/a.yml', expected: A }]);
    await writer.rename([{ from: 'model/a.yml', to: 'model/b.yml', expected: A }]);
    expect(
      files().map(({ method, headers }) => [method, headers.get('if-match'), headers.get('if-none-match')]),
    ).toEqual([
      ['PUT', `"${A}", "-"`, null],
      ['PUT', null, '*'],
      ['DELETE', `"${A}"`, null],
      ['POST', `"${A}"`, null],
    ]);
    expect(JSON.parse(files()[0]?.body ?? '')).toEqual({
      branchName: 'dev-a',
      files: [
        { path: 'model/a.yml', content: 'x' },
        { path: 'model/n.yml', content: 'y' },
      ],
    });
    expect(JSON.parse(files()[3]?.body ?? '')).toEqual({
      branchName: 'dev-a',
      files: [{ path: 'model/a.yml', newPath: 'model/b.yml' }],
    });
  });

  it('count as overtaken only where a condition failed; any other refusal is a refusal', async () => {
    const answer = async (status: number) =>
      connect(() => Response.json({ error: 'no' }, { status })).writer.put([write('model/a.yml', 'x', A)]);
    expect(await answer(412)).toMatchObject({ kind: 'changed' });
    for (const status of [400, 403, 404, 409, 413, 422, 423]) {
      expect(await answer(status)).toMatchObject({ kind: 'refused', error: { status } });
    }
  });

  it.each([429, 500, 503])('go out once, whatever comes of it: %i', async (status) => {
    const { writer, sent, files } = connect(
      () => Response.json({}, { status, headers: { 'retry-after': '0' } }),
      'model',
      4,
    );
    const transaction = writer.resumeUpload('1');
    for (const effect of [
      () => writer.put([write('model/a.yml', 'x', A)]),
      () => writer.remove([{ path: 'model/a.yml', expected: A }]),
      () => writer.rename([{ from: 'model/a.yml', to: 'model/b.yml', expected: A }]),
      () => transaction.finish(new Map([['model/a.yml', A]]), false),
    ]) {
      sent.length = 0;
      await expect(effect()).rejects.toMatchObject({ status });
      expect(files()).toHaveLength(1);
    }
  });

  it('learn from an entity tag or a 412 that the server honours conditions', async () => {
    const tagged = connect(() => new Response(null, { status: 204, headers: { etag: '"x"' } }));
    expect(tagged.writer.honoursPreconditions).toBe(false);
    await tagged.writer.put([write('model/a.yml', 'x', A)]);
    expect(tagged.writer.honoursPreconditions).toBe(true);
    const refusing = connect(() => Response.json({ error: 'changed' }, { status: 412 }));
    await refusing.writer.put([write('model/a.yml', 'x', A)]);
    expect(refusing.writer.honoursPreconditions).toBe(true);
  });

  it('know which bytes survive being sent as text', () => {
    const { writer } = connect(() => new Response(null));
    expect(writer.canPut(bytes('\uFEFFä\r\n\u0000'))).toBe(true);
    expect(writer.canPut(new Uint8Array([0xff, 0xfe]))).toBe(false);
    expect(writer.canPut(new Uint8Array([0xe4, 0x62]))).toBe(false);
  });

  it('go through an upload transaction that is echoed back whole', async () => {
    const transaction = { id: 'x', proof: ['y'] };
    const { writer, files } = connect(({ url }) =>
      url.pathname.endsWith('/start') ? json({ transaction }) : json({ branchName: 'dev-a' }),
    );
    const upload = await writer.startUpload();
    await upload.upload('model/a.yml', new Uint8Array([0, 255]));
    expect(await writer.resumeUpload(upload.id).finish(new Map([['model/a.yml', A]]), false)).toEqual({ kind: 'done' });
    expect(files()[1]?.body).toContain(JSON.stringify(transaction));
    expect(JSON.parse(files()[2]?.body ?? '')).toEqual({
      transaction,
      files: { 'model/a.yml': { hash: A } },
      autoRemoveFiles: false,
      branchName: 'dev-a',
    });
  });

  it('upload nothing to a branch that production is built from by now', async () => {
    const { writer, files } = connect(() => json({ transaction: 1 }), 'model', 1, DEV.map(builtFrom('dev-a')));
    const refusal = /^Production is built from “dev-a”/;
    await expect(writer.startUpload()).rejects.toThrow(refusal);
    const earlier = writer.resumeUpload('1');
    await expect(earlier.finish(new Map([['model/a.yml', A]]), false)).rejects.toThrow(refusal);
    expect(files().filter(({ url }) => !url.pathname.endsWith('/start'))).toEqual([]);
  });

  it('a file stays in the listing and in the manifest whatever it is called', async () => {
    const names = ['model/a.yml', '__proto__', 'constructor', 'prototype'];
    const files = Object.fromEntries(names.map((name) => [name, { hash: A }]));
    // A further field: a form that the validator reads.
    const { sent, reader, writer } = connect((request) =>
      request.method === 'GET' ? json({ files, more: 1 }) : json({ transaction: 1 }),
    );
    const listing = await reader.list();
    expect([...listing.files.keys(), ...listing.others.keys()]).toEqual(names);
    const upload = await writer.startUpload();
    await upload.finish(new Map([...listing.others, ['model/a.yml', A]]), true);
    const body = JSON.parse(sent.at(-1)?.body ?? '') as { files: object };
    expect(new Set(Object.keys(body.files))).toEqual(new Set(names));
  });
});
