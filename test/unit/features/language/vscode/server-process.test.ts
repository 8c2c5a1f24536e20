import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createMessageConnection,
  type InitializeResult,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { serverProcess } from '#features/language/server-process.ts';
import { bundleServer } from '#support/bundled-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'server-process-'));
const cache = join(folder, 'extension', 'storage', '1.0.0');

beforeAll(async () => {
  await bundleServer(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => rmSync(cache, { recursive: true, force: true, maxRetries: 3 }));

/** Starts the server, has it answer, and waits until `isDone`; it is killed then. Resolves with what Node says of the cache. */
async function start(place: string, isDone: (log: string) => boolean): Promise<string> {
  const { execArgv, env } = serverProcess(place);
  const server = spawn(process.execPath, [...execArgv, join(folder, 'language-server.js'), '--stdio'], {
    env: { ...process.env, ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
  });
  const ended = new Promise((resolve) => server.once('close', resolve));
  const client = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  client.listen();
  let log = '';
  const done = new Promise<void>((resolve) => {
    server.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (isDone(log)) resolve();
    });
    if (isDone(log)) resolve();
  });
  const { serverInfo } = await client.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
  });
  expect(serverInfo?.name).toBe('modelbench');
  await client.sendNotification('initialized', {});
  await done;
  server.kill('SIGKILL');
  await ended;
  client.dispose();
  return log;
}

/** The server, and the bundles that it loads from beside it. */
const scripts = ['language-server', 'scripts', 'projects'].map((name) => String.raw`for CommonJS \S*${name}\.js`);
const isKept = (log: string): boolean =>
  scripts.every((script) => new RegExp(`writing cache ${script}.*success[^]*Renaming.*success`).test(log));
const isUsed = (log: string): boolean =>
  scripts.every((script) => new RegExp(`code cache ${script} was accepted`).test(log));

function files(): readonly string[] {
  return readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('the process of the language server', () => {
  /** A sound cache, as a server leaves it. */
  const sound = join(folder, 'sound');
  beforeAll(async () => start(sound, isKept));

  it('keeps what V8 compiled before it is killed, and starts from it', async () => {
    const first = await start(cache, isKept);
    expect(isUsed(first)).toBe(false);
    expect(files()).toHaveLength(scripts.length);
    await start(cache, isUsed);
  });

  it.each([
    ['cut off', (path: string) => truncateSync(path, 10_000)],
    ['garbage', (path: string) => writeFileSync(path, Buffer.alloc(50_000, 'x'))],
    [
      'damaged inside',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 64);
        writeFileSync(path, bytes);
      },
    ],
  ])('starts where the cache is %s, and mends it', async (_, damage) => {
    cpSync(sound, cache, { recursive: true });
    for (const path of files()) damage(path);
    const log = await start(cache, isKept);
    expect(isUsed(log)).toBe(false);
    await start(cache, isUsed);
  });

  it('starts where nothing can be kept', async () => {
    const place = join(folder, 'a-file');
    writeFileSync(place, '');
    expect(await start(join(place, 'cache'), () => true)).not.toContain('success');
  });

  it('keeps nothing without a place', () => {
    expect(serverProcess(undefined).env).toEqual({});
  });
});
