import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { ServerType } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { nextTurn } from '#base/async.ts';
import { type HostProcess, runProcess } from '#cli/run-process.ts';
import { closeServer, listen } from '#platform/listen.ts';
import { demo } from '#platform/seed/names.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { builtCommandLine } from '#support/packed-command-line.ts';
import { tools } from '#tools/tools.ts';

const PATH = 'model/cubes/returns.yml';
const QUERY = '{"measures":["orders.count"]}';

/** A command with arguments; `BRANCH` stands for the dev branch and `NAME` for what confirms production. */
type Line = readonly string[];

/** Every command, in an order in which each has something to do. */
const LINES: readonly Line[] = [
  ...[['status'], ['branches'], ['logs'], ['plan'], ['pull'], ['pull', '--yes'], ['resolve'], ['restore'], ['check']],
  ...[
    ['search', 'orders'],
    ['read', 'orders.count'],
    ['graph'],
    ['diff', '--branch', 'BRANCH'],
    ['impact', 'orders.count'],
  ],
  ['write', PATH, '--content', 'cubes: [{name: returns, sql_table: returns}]\n'],
  ...[['undo', 'no-token'], ['push'], ['push', '--yes'], ['builds'], ['validate', 'BRANCH'], ['test']],
  ...[
    ['query', QUERY],
    ['sql', QUERY],
    ['commit', 'Add returns'],
    ['commit', 'Add returns', '--yes'],
  ],
  ['commit', 'Add returns', '--yes', '--yes-production', 'NAME'],
  ...[
    ['merge', 'BRANCH'],
    ['merge', 'BRANCH', '--yes'],
    ['deploy', '--yes'],
  ],
  ...[[], ['--help'], ['check', '--help'], ['--version'], ['completion', 'bash'], ['complete', 'fish', '=check', '=']],
  ...[['chekc'], ['check', '--nope'], ['check', '--folder', 'nowhere'], ['mcp', '--nope']],
];

/** What the commands leave behind. */
async function left({ platform, branch, read, remote }: LinkedProject): Promise<readonly (string | undefined)[]> {
  return [read(PATH), await remote(PATH), await platform.control.readFile(demo.shop, 'main', PATH), branch];
}

const NAME = 'Shop analytics';
const argumentsFor = (line: Line, { branch }: LinkedProject): Line =>
  line.map((text) => (text === 'BRANCH' ? branch : text === 'NAME' ? NAME : text));

/** A stream whose reader is gone, as a pipe of the system: it stays open, and refuses each text at once. */
class UnreadStream extends Writable {
  readonly isTTY = false;

  constructor() {
    super({ autoDestroy: false });
  }

  override _write(_text: unknown, _encoding: BufferEncoding, done: (error: Error) => void): void {
    done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  }
}

/** Resolves to the exit code of a command whose process nothing reads. */
async function unreadHere(args: Line, { folder, environment }: LinkedProject): Promise<number> {
  const host: HostProcess & { exitCode?: number } = {
    argv: ['node', 'modelbench', ...args],
    env: environment.variables,
    cwd: () => folder,
    once: () => process,
    stdout: new UnreadStream() as never,
    stderr: new UnreadStream() as never,
  };
  await runProcess(host, environment);
  // A process ends after the events of its streams.
  await nextTurn();
  return Number(host.exitCode);
}

/** What a process adds: real pipes, an input that stays open, and an end of its own, also after threads and requests. */
const PROCESSES: readonly Line[] = LINES.filter((line) =>
  /^(?:check|pull --yes|write .*|push --yes|query .*|commit Add returns --yes --yes-production NAME|--help|complete .*|chekc)$/s.test(
    line.join(' '),
  ),
);

describe('every command whose reader is gone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-streams-'));
  let program: string;
  beforeAll(async () => {
    program = join(await builtCommandLine(folder, ['cli', 'hash-worker']), 'cli.js');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A project whose platform a process can reach. */
  async function served(): Promise<{ readonly project: LinkedProject; readonly env: NodeJS.ProcessEnv }> {
    const project = await linkProject();
    const servers: ServerType[] = [];
    const { url } = await listen(async (asked) => project.platform.fetch(asked), 0, servers);
    onTestFinished(async () => {
      await Promise.all(servers.map(closeServer));
    });
    project.write('modelbench.json', JSON.stringify({ tenant: url, deployment: String(demo.shop) }));
    const credentials = { MODELBENCH_API_KEY: project.platform.apiKey, MODELBENCH_TENANT_URL: url };
    return {
      project,
      env: { PATH: process.env['PATH'], XDG_STATE_HOME: join(project.folder, '../state'), ...credentials },
    };
  }

  /** Resolves to the code of a process that nothing reads, and that gets no answer on an input which stays open. */
  function unread(args: Line, cwd: string, env: NodeJS.ProcessEnv): Promise<number | string | null> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: 'pipe' });
      child.stdout.destroy();
      child.stderr.destroy();
      child.once('exit', (code, signal) => {
        child.stdin.destroy();
        resolve(code ?? signal);
      });
    });
  }

  const text = 'cubes: [{name: returns, sql_table: returns}]\n';

  it('does its work, asks for nothing, and ends with the usual code', async () => {
    expect(tools.filter(({ name }) => !LINES.some(([command]) => command === name))).toEqual([]);
    const usual = await linkProject();
    const project = await linkProject();
    for (const line of LINES) {
      const expected = await usual.run(...argumentsFor(line, usual));
      expect([line, await unreadHere(argumentsFor(line, project), project)]).toEqual([line, expected.code]);
    }
    expect(await left(usual)).toEqual([text, text, text, usual.branch]);
    expect(await left(project)).toEqual([text, text, text, project.branch]);
  });

  it('is the same as a process', async () => {
    const usual = await linkProject();
    const { project, env } = await served();
    expect(PROCESSES).toHaveLength(9);
    for (const line of PROCESSES) {
      const expected = await usual.run(...argumentsFor(line, usual));
      const code = await unread(argumentsFor(line, project), project.folder, env);
      expect([line, code]).toEqual([line, expected.code]);
    }
    expect(await left(project)).toEqual([text, text, text, project.branch]);
  });
});
