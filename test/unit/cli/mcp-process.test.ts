import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { builtCommandLine } from '#support/packed-command-line.ts';
import { yaml } from '#support/language/raw.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client that speaks the protocol line by line, with nothing of its library. */
interface RawClient {
  readonly child: ChildProcessWithoutNullStreams;
  readonly send: (message: object | string) => void;
  /** Resolves to the response to a request. */
  readonly answer: (id: number) => Promise<Message>;
  /** Everything that the server wrote on its standard output; throws if a line is not a message. */
  readonly messages: () => readonly Message[];
  readonly errors: () => string;
  readonly ended: Promise<number | string | null>;
}

describe('the server for agents as a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-mcp-'));
  const project = join(folder, 'project');
  let program: string;

  beforeAll(async () => {
    program = join(await builtCommandLine(folder, ['cli']), 'cli.js');
    mkdirSync(join(project, 'model'), { recursive: true });
    const cube = yaml`
      cubes:
        - name: orders
          sql_table: t
    `;
    writeFileSync(join(project, 'model/a.yml'), cube);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function started(of = project): RawClient {
    const env = { PATH: process.env['PATH'], XDG_STATE_HOME: join(folder, 'state') };
    const child = spawn(process.execPath, [program, 'mcp', '--folder', of], { cwd: folder, env });
    let [out, err] = ['', ''];
    const waiting = new Set<() => void>();
    const messages = (): readonly Message[] =>
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Message);
    child.stdout.on('data', (bytes: Buffer) => {
      out += bytes.toString();
      for (const wake of waiting) wake();
    });
    child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()));
    // A server that has ended takes no more.
    child.stdin.on('error', () => undefined);
    const ended = new Promise<number | string | null>((resolve) => {
      child.once('close', (code, signal) => resolve(code ?? signal));
    });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const answer = async (id: number): Promise<Message> =>
      new Promise((resolve, reject) => {
        void ended.then((code) => reject(new Error(`The server ended with ${code}. ${err}`)));
        const look = (): void => {
          const found = messages().find((message) => message.id === id && message.method === undefined);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    const send = (message: object | string): void => {
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    };
    return { child, send, answer, messages, errors: () => err, ended };
  }

  /** Starts a server and a session, of a client that can do nothing: no roots, no elicitation, no sampling. */
  async function connected(of = project, protocolVersion = '2025-06-18'): Promise<RawClient> {
    const client = started(of);
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    client.send({ id: 1, method: 'initialize', params });
    await client.answer(1);
    client.send({ method: 'notifications/initialized' });
    return client;
  }

  const call = (id: number, name: string, given: unknown = {}): object => ({
    ...{ id, method: 'tools/call' },
    params: { name, arguments: given },
  });

  it.each([...SUPPORTED_PROTOCOL_VERSIONS, '1999-01-01'])(
    'speaks version %s, or says which one it does',
    async (version) => {
      const client = await connected(project, version);
      const known = SUPPORTED_PROTOCOL_VERSIONS.includes(version);
      const [hello] = client.messages();
      expect(known ? [version] : SUPPORTED_PROTOCOL_VERSIONS).toContain(hello?.result?.['protocolVersion']);
      client.send(call(2, 'search', { query: 'orders' }));
      expect((await client.answer(2)).result).toMatchObject({ structuredContent: { matches: [{ name: 'orders' }] } });
      client.child.stdin.end();
      expect(await client.ended).toBe(0);
      expect([client.messages().length, client.errors()]).toEqual([2, '']);
    },
  );

  it('works on the folder that the roots of its client mean', async () => {
    const client = started('.');
    const params = { protocolVersion: '2025-06-18', clientInfo: { name: 'raw', version: '1' } };
    client.send({ id: 1, method: 'initialize', params: { ...params, capabilities: { roots: { listChanged: true } } } });
    await client.answer(1);
    client.send({ method: 'notifications/initialized' });
    client.send(call(2, 'search', { query: 'orders' }));
    const asked = (): Message | undefined => client.messages().find(({ method }) => method === 'roots/list');
    await expect.poll(asked).toBeDefined();
    client.send({ id: asked()?.id, result: { roots: [{ uri: pathToFileURL(project).href }] } });
    expect((await client.answer(2)).result).toMatchObject({
      structuredContent: { matches: [{ name: 'orders', path: 'model/a.yml' }] },
    });
  });

  it('answers malformed requests with an error, and continues', async () => {
    const client = await connected();
    for (const line of ['garbage', '[]', '{}', '', '{"jsonrpc":"2.0","id":', 'x'.repeat(100_000)]) client.send(line);
    client.send(call(3, 'check', [1]));
    client.send(call(4, 'nothing'));
    client.send({ id: 5, method: 'no/such' });
    client.send({ id: 6, method: 'resources/subscribe', params: { uri: 'x:y' } });
    client.send(call(7, 'check', { limit: 'x' }));
    client.send(call(8, 'check'));
    expect((await client.answer(8)).result).toMatchObject({ structuredContent: { passed: true } });
    expect(await Promise.all([3, 4, 5, 6].map(async (id) => (await client.answer(id)).error?.code))).toEqual([
      -32_602, -32_602, -32_601, -32_601,
    ]);
    expect((await client.answer(7)).result).toMatchObject({ isError: true });
    // What it reports of them is short.
    for (const line of client.errors().split('\n')) expect(line.length).toBeLessThan(300);
  });

  it('takes fields that messages of the protocol do not have', async () => {
    const client = started();
    const more = { trace: 'x', _meta: { a: 1 } };
    const params = { protocolVersion: '2025-06-18', clientInfo: { name: 'raw', version: '1', icon: 1 }, ...more };
    const capabilities = { experimental: { x: {} }, unheardOf: true };
    client.send({ id: 1, method: 'initialize', params: { ...params, capabilities }, ...more });
    expect((await client.answer(1)).result).toMatchObject({ protocolVersion: '2025-06-18' });
    client.send({ method: 'notifications/initialized', ...more });
    client.send({ method: 'notifications/unheardOf', params: more });
    const { params: given } = call(2, 'search', { query: 'orders' }) as { readonly params: object };
    client.send({ id: 2, method: 'tools/call', params: { ...given, ...more }, ...more });
    expect((await client.answer(2)).result).toMatchObject({ structuredContent: { matches: [{ name: 'orders' }] } });
    expect(client.errors()).toBe('');
  });

  it('announces other files to a subscription, as version 2026-07-28 has it', async () => {
    const own = join(folder, 'subscribed');
    cpSync(project, own, { recursive: true });
    const client = started(own);
    const about = {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    client.send({ id: 1, method: 'server/discover', params: about });
    await client.answer(1);
    const notifications = { resourcesListChanged: true };
    client.send({ id: 2, method: 'subscriptions/listen', params: { ...about, notifications } });
    client.send({ id: 3, method: 'resources/list', params: about });
    await client.answer(3);
    writeFileSync(join(own, 'model/b.yml'), 'cubes: []\n');
    const announced = (): unknown =>
      client.messages().find(({ method }) => method === 'notifications/resources/list_changed');
    await expect.poll(announced).toMatchObject({ params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 2 } } });
  });

  it.each(['2025-03-26', '2025-06-18'])('answers each request of a list in version %s', async (version) => {
    const client = await connected(project, version);
    const batch = [{ id: 2, method: 'ping' }, call(3, 'search', { query: 'orders' }), { method: 'no/such' }, 'x', [1]];
    client.send(
      `  ${JSON.stringify(batch.map((each) => (typeof each === 'string' ? each : { jsonrpc: '2.0', ...each })))}`,
    );
    expect((await client.answer(2)).result).toEqual({});
    expect((await client.answer(3)).result).toMatchObject({ structuredContent: { matches: [{ name: 'orders' }] } });
    client.send('[{"jsonrpc":"2.0",');
    client.send({ id: 4, method: 'ping' });
    expect((await client.answer(4)).result).toEqual({});
  });

  it('takes a message of 9 MB, and ends with a reason at one of 11 MB', async () => {
    const client = await connected();
    client.send(call(2, 'search', { query: 'x'.repeat(9 * 1024 * 1024) }));
    expect((await client.answer(2)).result).toMatchObject({ structuredContent: { matches: [] } });
    client.send(call(3, 'search', { query: 'x'.repeat(11 * 1024 * 1024) }));
    expect(await client.ended).toBe(3);
    expect(client.errors()).toContain('modelbench: The client sent a message of more than 10 MB.\n');
  });

  it('ends where the client ends in the middle of a message', async () => {
    const client = await connected();
    client.child.stdin.end('{"jsonrpc":"2.0","id":2,"method":"pi');
    expect(await client.ended).toBe(0);
    expect([client.messages().length, client.errors()]).toEqual([1, '']);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at %s', async (signal) => {
    const client = await connected();
    client.child.kill(signal);
    expect(await client.ended).toBe(0);
  });

  it('ends when its input closes before it said anything, and when its output is closed', async () => {
    const early = started();
    early.child.stdin.end();
    expect(await early.ended).toBe(0);
    const deaf = await connected();
    deaf.child.stdout.destroy();
    deaf.send(call(2, 'check'));
    deaf.child.stdin.end();
    expect(await deaf.ended).toBe(0);
  });

  it('says what is missing in an empty, an absent and a foreign folder, and lists its pages', async () => {
    const empty = join(folder, 'empty');
    const foreign = join(folder, 'foreign');
    mkdirSync(empty);
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'package.json'), '{}');
    writeFileSync(join(foreign, 'ci.yml'), 'jobs: [a]\n');
    for (const [of, why] of [
      [empty, 'There is no data model'],
      [foreign, 'There is no data model'],
      [join(folder, 'absent'), 'is not a folder'],
    ] as const) {
      const client = await connected(of);
      client.send(call(2, 'check'));
      const { result } = await client.answer(2);
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(why) as string }] });
      client.send({ id: 3, method: 'resources/list' });
      expect(JSON.stringify((await client.answer(3)).result)).toContain('modelbench-diagnostic:');
    }
  });

  it('continues after its folder was removed and came back', async () => {
    const moved = join(folder, 'moved');
    cpSync(project, moved, { recursive: true });
    const client = await connected(moved);
    client.send(call(2, 'check'));
    expect((await client.answer(2)).result).toMatchObject({ structuredContent: { passed: true } });
    rmSync(moved, { recursive: true });
    client.send(call(3, 'check'));
    expect((await client.answer(3)).result).toMatchObject({ isError: true });
    cpSync(project, moved, { recursive: true });
    client.send(call(4, 'check'));
    expect((await client.answer(4)).result).toMatchObject({ structuredContent: { passed: true } });
  });
});
