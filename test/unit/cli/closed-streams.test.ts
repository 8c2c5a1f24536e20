import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerType } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
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

  it('does its work, asks for nothing, and ends with the usual code', async () => {
    expect(tools.filter(({ name }) => !LINES.some(([command]) => command === name))).toEqual([]);
    const usual = await linkProject();
    const { project, env } = await served();
    for (const line of LINES) {
      const expected = await usual.run(...argumentsFor(line, usual));
      const code = await unread(argumentsFor(line, project), project.folder, env);
      expect([line, code]).toEqual([line, expected.code]);
    }
    const text = 'cubes: [{name: returns, sql_table: returns}]\n';
    expect(await left(usual)).toEqual([text, text, text, usual.branch]);
    expect(await left(project)).toEqual([text, text, text, project.branch]);
  });
});
