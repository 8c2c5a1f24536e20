import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleOptions } from '../../../esbuild.mjs';
import { cliBundles, packCommandLine } from '../../tools/cli-package.ts';
import { mustRun } from '../../tools/run.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('the packed command line, installed in an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-packed-'));
  const program = join(folder, 'node_modules/modelbench-cli/dist/cli.js');

  beforeAll(async () => {
    const dist = join(folder, 'built');
    mkdirSync(dist);
    for (const name of cliBundles)
      await build({ ...bundleOptions(name, { production: true }), outdir: dist, logLevel: 'error' });
    writeFileSync(join(dist, 'third-party-notices.txt'), '');
    const archive = await packCommandLine(folder, dist);
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const flags = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
    await mustRun('npm', ['install', ...flags, archive], { cwd: folder });
    mkdirSync(join(folder, 'model'));
    writeFileSync(
      join(folder, 'model/a.yml'),
      'cubes:\n  - name: a\n    sql_table: t\n    measures:\n      - {name: m, type: count}\n',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(...args: readonly string[]): Promise<Ended> {
    // No environment but what Node needs: it works without a home, a network or a terminal.
    const options = { cwd: folder, env: { PATH: process.env['PATH'] } };
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...args], options, (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out, err });
      });
    });
  }

  it('brings nothing along and is a command', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'modelbench-cli',
    ]);
    expect(readdirSync(join(folder, 'node_modules/.bin'))).toContain('modelbench');
    expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('checks a model and explains it', async () => {
    expect(await run('check')).toEqual({ code: 0, out: 'No problems in 1 file.\n', err: '' });
    expect((await run('read', 'a.m')).out).toContain('a.m (measure count)');
    expect(await run('read', 'a.n')).toMatchObject({ code: 2, out: '' });
  });

  it.each(['bash', 'zsh', 'fish'])('writes a completion script for %s, which asks for commands', async (shell) => {
    const { code, out } = await run('completion', shell);
    expect(code).toBe(0);
    expect(out).toContain('modelbench complete');
    expect((await run('complete', '--', 'che')).out).toMatch(/^check\t/);
    expect((await run('complete', '--', 'check', '--format', '')).out).toMatch(/^sarif\t/m);
  });

  it('serves agents over its standard input and output, and ends with them', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], cwd: folder });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('check');
    const found = await client.callTool({ name: 'search', arguments: { query: 'a.m' } });
    expect(found.structuredContent).toMatchObject({ matches: [{ name: 'a.m', path: 'model/a.yml' }] });
    // What is written meanwhile is seen by the next call.
    writeFileSync(
      join(folder, 'model/b.yml'),
      'cubes:\n  - {name: b, sql_table: t, dimensions: [{name: x, type: string}]}\n',
    );
    const checked = await client.callTool({ name: 'check', arguments: {} });
    expect(checked.structuredContent).toMatchObject({ files: 2 });
    rmSync(join(folder, 'model/b.yml'));
    await client.close();
  });

  it('ends its service where nobody talks to it any more', async () => {
    const ended = await new Promise<number | null>((resolve) => {
      const served = spawn(process.execPath, [program, 'mcp'], { cwd: folder, stdio: ['pipe', 'ignore', 'inherit'] });
      served.once('exit', resolve);
      served.stdin.end();
    });
    expect(ended).toBe(0);
  });

  it('says which Node it needs where Node is too old', async () => {
    const old = join(folder, 'old.cjs');
    const versions = "{ ...process.versions, node: '18.20.0' }";
    writeFileSync(
      old,
      `Object.defineProperty(process, 'versions', { value: ${versions} });\nrequire(${JSON.stringify(program)});\n`,
    );
    const ended = await new Promise<Ended>((resolve) => {
      execFile(process.execPath, [old, 'check'], { cwd: folder }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
    expect(ended).toEqual({ code: 2, out: '', err: 'modelbench needs Node 22 or newer. This is Node 18.20.0.\n' });
  });
});
