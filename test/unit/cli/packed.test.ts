import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packedCommandLine } from '#support/packed-command-line.ts';
import { yaml } from '#support/language/raw.ts';
import { mustRun } from '../../tools/run.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

describe('the packed command line, installed in an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-packed-'));
  const program = join(folder, 'node_modules/modelbench-cli/dist/cli.js');

  beforeAll(async () => {
    const archive = await packedCommandLine(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const flags = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
    await mustRun('npm', ['install', ...flags, archive], { cwd: folder });
    mkdirSync(join(folder, 'model'));
    writeFileSync(
      join(folder, 'model/a.yml'),
      yaml`
        cubes:
          - name: a
            sql_table: t
            measures:
              - {name: m, type: count}
      `,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(...args: readonly string[]): Promise<Ended> {
    // No environment but what Node needs: it works without a network or a terminal.
    const options = { cwd: folder, env: { PATH: process.env['PATH'], XDG_STATE_HOME: join(folder, 'state') } };
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

  it('compiles a model with the engine, templates included', async () => {
    const other = join(folder, 'compiled/model');
    mkdirSync(other, { recursive: true });
    const path = join(other, 'a.yml.jinja');
    const cube = (pair: string): string =>
      `cubes:\n  {%- for name in ['a'] %}\n  - name: {{ name }}\n    sql_table: t\n    ${pair}\n  {%- endfor %}\n`;
    writeFileSync(path, cube('nonsense: 1'));
    const refused = await run('check', '--engine', '--folder', 'compiled');
    expect(refused).toMatchObject({ code: 1, err: '' });
    expect(refused.out).toContain('is not allowed');
    writeFileSync(path, cube('title: A'));
    const accepted = await run('check', '--engine', '--folder', 'compiled', '--format', 'json');
    expect(JSON.parse(accepted.out)).toMatchObject({ passed: true, engine: { state: 'accepted' } });
  });

  it('runs scripts of a model in the sandbox, and for agents not at all', async () => {
    const other = join(folder, 'scripted/model');
    mkdirSync(other, { recursive: true });
    const proof = join(folder, 'was-run');
    const attack = `try { process.mainModule.require('fs').writeFileSync(${JSON.stringify(proof)}, ''); } catch {}`;
    const cube = (type: string): string =>
      `${attack}\nconst types = ['${type}'];\ncube('s', { sql: \`x\`, measures: { m: { type: types[0] } } });\n`;
    writeFileSync(join(other, 's.js'), cube('nothing'));
    const refused = await run('check', '--engine', '--folder', 'scripted');
    expect(refused).toMatchObject({ code: 1, err: '' });
    expect(refused.out).toContain('[engine]');
    writeFileSync(join(other, 's.js'), cube('count'));
    expect(await run('check', '--engine', '--folder', 'scripted')).toMatchObject({ code: 0, err: '' });
    expect(existsSync(proof)).toBe(false);

    const client = new Client({ name: 'test', version: '1' });
    const args = [program, 'mcp', '--folder', 'scripted'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }));
    const { structuredContent } = await client.callTool({ name: 'check', arguments: { engine: true } });
    expect(structuredContent).toMatchObject({
      engine: { state: 'skipped', reason: expect.stringContaining('only when the user asks') as string },
    });
    await client.close();
  });

  it.each(['bash', 'zsh', 'fish', 'powershell'])(
    'writes a completion script for %s, which asks for values',
    async (shell) => {
      const { code, out } = await run('completion', shell);
      expect(code).toBe(0);
      expect(out).toContain(`modelbench complete ${shell}`);
      const sent = shell === 'bash' ? ['=modelbench check --format sa', '=\t\n ='] : ['=check', '=--format', '=sa'];
      expect(await run('complete', shell, ...sent)).toEqual({ code: 0, out: 'values\nsarif\n', err: '' });
    },
  );

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
      yaml`
        cubes:
          - {name: b, sql_table: t, dimensions: [{name: x, type: string}]}
      `,
    );
    const checked = await client.callTool({ name: 'check', arguments: {} });
    expect(checked.structuredContent).toMatchObject({ files: 2 });
    rmSync(join(folder, 'model/b.yml'));
    await client.close();
  });

  it('ends its service where its client is gone', async () => {
    const ended = await new Promise<number | null>((resolve) => {
      const served = spawn(process.execPath, [program, 'mcp'], { cwd: folder, stdio: ['pipe', 'ignore', 'inherit'] });
      served.once('exit', resolve);
      served.stdin.end();
    });
    expect(ended).toBe(0);
  });

  it('keeps what Node compiled of it in the state folder of the user, and nowhere else', async () => {
    const compiled = join(folder, 'state/modelbench/compiled');
    rmSync(compiled, { recursive: true, force: true });
    const project = (): readonly string[] => readdirSync(folder).sort();
    const before = project();
    expect(await run('--version')).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(compiled)).toHaveLength(1);
    expect(project()).toEqual(before);
    // What cannot be written there is compiled each time.
    rmSync(compiled, { recursive: true });
    writeFileSync(compiled, 'a file');
    expect(await run('--version')).toMatchObject({ code: 0, err: '' });
    rmSync(compiled);
  });

  /** What a shell makes of a line in which `modelbench` is the program. */
  function shell(line: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const text = `modelbench() { ${quoted(process.execPath)} ${quoted(program)} "$@"; }; ${line}`;
    const options = { cwd: folder, env: { PATH: process.env['PATH'], XDG_STATE_HOME: join(folder, 'state'), ...env } };
    return new Promise((resolve) => {
      execFile('bash', ['--norc', '-c', text], options, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
  }

  it('keeps its exit code where a reader has seen enough, and writes large answers whole', async () => {
    const other = join(folder, 'large/model');
    mkdirSync(other, { recursive: true });
    const measures = Array.from({ length: 3000 }, (_, at) => `      - {name: measure_${at}, type: cuont}\n`);
    writeFileSync(join(other, 'a.yml'), `cubes:\n  - name: a\n    sql_table: t\n    measures:\n${measures.join('')}`);
    const cut = await shell('modelbench check --folder large --limit 10000 | head -1; echo "${PIPESTATUS[0]}"');
    expect(cut).toMatchObject({ code: 0, out: expect.stringMatching(/^large.*\n1\n$/) as string, err: '' });
    const read = 'process.stdin.toArray().then((all) => console.log(JSON.parse(all.join("")).problems.length))';
    const whole = await shell(
      `modelbench check --folder large --limit 10000 --format json | ${quoted(process.execPath)} -e ${quoted(read)}`,
    );
    expect(whole).toEqual({ code: 0, out: '3000\n', err: '' });
    expect(await shell('modelbench search a.m >&-')).toMatchObject({ code: 0, err: '' });
  });

  it.runIf(existsSync('/dev/full'))(
    'says in a line that an answer cannot be written',
    { tags: ['machine'] },
    async () => {
      const ended = await shell('modelbench search a.m > /dev/full');
      expect(ended).toMatchObject({ code: 3, out: '' });
      expect(ended.err).toMatch(/^modelbench: The answer cannot be written: .*\n$/);
    },
  );

  it.each(['/nonexistent', '', 'relative'])(
    'checks for a user whose home is “%s”, and makes no folder',
    async (home) => {
      const before = readdirSync(folder).sort();
      const ended = await shell('modelbench check --path model/', {
        HOME: home,
        XDG_STATE_HOME: '',
        TERM: 'dumb',
        NO_COLOR: '1',
      });
      expect(ended).toMatchObject({ code: 0, err: '' });
      expect(readdirSync(folder).sort()).toEqual(before);
    },
  );

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
