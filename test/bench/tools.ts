import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import { bundleOptions } from '../../esbuild.mjs';
import { commandLineBundles } from '#features/folders/command-line-files.ts';
import { type Bench, type Figure, median } from './figures.ts';
import { generateModel } from './language/model.ts';
import { figure } from './language/project.ts';

/**
 * The command line as it ships: its start, a whole check of 600 files with 7 MB, and searches of an agent that is connected. Where the
 * machine has `sqlfluff` (a package of Debian), its lint of the same columns is the peer of a check.
 */
export const run: Bench = async ({ quick }) => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-bench-tools-'));
  try {
    const program = await commandLineIn(folder);
    const size = quick ? 50 : 500;
    for (const { path, text } of generateModel(size)) {
      mkdirSync(dirname(join(folder, 'model', path)), { recursive: true });
      writeFileSync(join(folder, 'model', path), text);
    }
    const times = quick ? 2 : 7;
    const call = (...args: readonly string[]): number => {
      const from = performance.now();
      execFileSync(process.execPath, [program, ...args], { cwd: folder, stdio: 'ignore' });
      return performance.now() - from;
    };
    const of = (work: () => number): number => median(Array.from({ length: times }, work));
    const start = of(() => call('--version'));
    const check = of(() => call('check'));
    return [
      figure('start', start, 'ms', 200),
      figure(`check of ${size} cubes, cold`, check, 'ms', 1500),
      figure('search of an agent, warm', await warmSearch(program, folder, times), 'ms', 50),
      ...besideLinter(program, join(folder, 'beside'), quick ? 2 : 20),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** A check of some cubes, and the linter on as many SQL files with the same columns; nothing where the machine has no linter. */
function besideLinter(program: string, folder: string, cubes: number): readonly Figure[] {
  const { status, stdout } = spawnSync('sqlfluff', ['--version'], { encoding: 'utf8' });
  if (status !== 0) return [];
  for (const { path, text } of generateModel(cubes)) {
    const names = [...text.matchAll(/^ {6}- name: (\w+)$/gm)].map(([, name]) => `    ${name}`);
    const sql = `SELECT\n${names.join(',\n')}\nFROM warehouse\n`;
    for (const [file, content] of [
      [join(folder, 'project/model', path), text],
      [join(folder, 'sql', `${path}.sql`), sql],
    ] as const) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  }
  const timed = (command: string, ...args: readonly string[]): number => {
    const from = performance.now();
    const ended = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
    // 1 means findings.
    if (ended.status !== 0 && ended.status !== 1) throw new Error(`${command}: ${ended.stdout}${ended.stderr}`);
    return performance.now() - from;
  };
  const value = median([1, 2, 3].map(() => timed(process.execPath, program, 'check', '--folder', 'project')));
  const peerValue = timed('sqlfluff', 'lint', '--dialect', 'ansi', 'sql');
  const peer = `${stdout.trim()}: lint of their SQL`;
  return [{ id: `check of ${cubes} cubes`, value, unit: 'ms', peer, peerValue, ratio: value / peerValue, ok: true }];
}

/** The bundles in a folder of their own; resolves to the program. */
async function commandLineIn(folder: string): Promise<string> {
  const outdir = join(folder, 'dist');
  for (const name of commandLineBundles) await build({ ...bundleOptions(name, { production: true }), outdir });
  writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}');
  return join(outdir, 'cli.js');
}

/** The time of a search on a model that the server has read. */
async function warmSearch(program: string, cwd: string, times: number): Promise<number> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], cwd }));
  const values: number[] = [];
  for (let at = 0; at <= times; at++) {
    const from = performance.now();
    await client.callTool({ name: 'search', arguments: { query: 'revenue' } });
    // The first one reads the model.
    if (at > 0) values.push(performance.now() - from);
  }
  await client.close();
  return median(values);
}
