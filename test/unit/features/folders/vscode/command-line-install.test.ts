import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandLineBundles, engineTemplates } from '#features/folders/command-line-files.ts';
import { type CommandLineSource, installCommandLine } from '#features/folders/vscode/command-line-install.ts';

describe('the installed command line', () => {
  let folder: string;
  let source: CommandLineSource;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'modelbench-install-'));
    const dist = join(folder, 'extension-1.2.3', 'dist');
    mkdirSync(dist, { recursive: true });
    for (const name of commandLineBundles) writeFileSync(join(dist, `${name}.js`), '');
    writeFileSync(join(dist, engineTemplates), '');
    writeFileSync(join(dist, 'package.json'), '{"type":"commonjs"}');
    writeFileSync(join(dist, 'cli.js'), 'console.log(JSON.stringify(process.argv.slice(2)));');
    // A quote in the path must not end the shell's.
    const home = join(folder, "ada's home");
    source = { dist, version: '1.2.3', runtime: process.execPath, home, platform: 'linux', variables: {} };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A program that prints a word, and ends with a code when it is asked for its version. */
  function stub(path: string, word: string, code: number): string {
    const program = join(folder, path);
    mkdirSync(join(program, '..'), { recursive: true });
    writeFileSync(program, `#!/bin/sh\necho ${word}\n[ "$1" = -e ] && exit ${code}\nexit 0\n`, { mode: 0o755 });
    return program;
  }

  const run = (program: string, path: string): string =>
    execFileSync(program, ['check', 'a b'], { env: { PATH: path }, encoding: 'utf8' });

  it('runs with the Node of the user, and without one with the runtime of the editor', async () => {
    const { program } = await installCommandLine({ ...source, runtime: stub('editor', 'editor', 0) });
    const own = join(stub('own/node', 'own', 0), '..');
    expect(run(program, own)).toMatch(/^own\nown\n$/);
    const old = join(stub('old/node', 'old', 1), '..');
    expect(run(program, old)).toBe('old\neditor\n');
    expect(run(program, folder)).toBe('editor\n');
    expect(run((await installCommandLine(source)).program, folder)).toBe('["check","a b"]\n');
  });

  it('outlives the extension folder that it came from', async () => {
    const { program } = await installCommandLine(source);
    rmSync(join(folder, 'extension-1.2.3'), { recursive: true });
    expect(run(program, '/usr/bin:/bin')).toBe('["check","a b"]\n');
  });

  it('replaces an older one, but never another program of that name', async () => {
    const { program } = await installCommandLine(source);
    await installCommandLine({ ...source, version: '1.3.0' });
    expect(readFileSync(program, 'utf8')).toContain('cli-1.3.0');
    writeFileSync(program, '#!/bin/sh\necho mine\n');
    await expect(installCommandLine(source)).rejects.toThrow('is another program');
    expect(readFileSync(program, 'utf8')).toBe('#!/bin/sh\necho mine\n');
  });

  it('reports whether its folder is on the path', async () => {
    expect(await installCommandLine(source)).toMatchObject({ isOnPath: false });
    const variables = { PATH: `/bin:${join(source.home, '.local', 'bin')}` };
    expect(await installCommandLine({ ...source, variables })).toMatchObject({ isOnPath: true });
  });

  it('is a batch file on Windows', async () => {
    const { program } = await installCommandLine({ ...source, platform: 'win32' });
    expect(program).toMatch(/modelbench\.cmd$/);
    expect(readFileSync(program, 'utf8')).toMatch(/^@echo off\r\nrem Installed by Modelbench\r\n/);
  });

  it('starts no Node of the current folder on Windows, and leaves the session as it is', async () => {
    const { program } = await installCommandLine({ ...source, platform: 'win32' });
    const lines = readFileSync(program, 'utf8').split('\r\n');
    const first = lines.findIndex((line) => line.includes('node '));
    expect(lines.slice(0, first)).toEqual(expect.arrayContaining(['set NoDefaultCurrentDirectoryInExePath=1']));
    expect(lines.findIndex((line) => line.startsWith('set '))).toBeGreaterThan(lines.indexOf('setlocal'));
    expect(lines).toContain('setlocal');
  });

  it.each(['linux', 'win32'] as const)('is never in a folder that depends on the current one: %s', async (platform) => {
    const variables = { XDG_DATA_HOME: 'data', LOCALAPPDATA: 'data' };
    const { program } = await installCommandLine({ ...source, platform, variables });
    expect(program.startsWith(source.home)).toBe(true);
    expect(readFileSync(program, 'utf8')).toContain(
      platform === 'win32' ? join('AppData', 'Local', 'modelbench') : join('.local', 'share', 'modelbench'),
    );
  });
});
