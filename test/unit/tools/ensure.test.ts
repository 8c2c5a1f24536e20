import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machinePath, whatIsMissing } from '../../tools/ensure.mjs';
import { root } from '../../tools/run.ts';

const ensure = join(root, 'test/tools/ensure.mjs');

describe('what is missing', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/other-system': { version: '2.0.0', optional: true },
    },
  };

  it('includes nothing when the locked packages are there; those of other systems may be absent', () => {
    expect(whatIsMissing(lock, { packages: { 'node_modules/a': { version: '1.0.0' } } })).toBeUndefined();
  });

  it('includes node_modules, an absent package, and another version', () => {
    expect(whatIsMissing(lock, undefined)).toContain('node_modules is missing');
    expect(whatIsMissing(lock, { packages: {} })).toContain('node_modules/a is missing');
    expect(whatIsMissing(lock, { packages: { 'node_modules/a': { version: '0.9.0' } } })).toContain('1.0.0');
  });

  it('finds a wrong optional package too', () => {
    const packages = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/other-system': { version: '1.0.0' } };
    expect(whatIsMissing(lock, { packages })).toContain('other-system');
  });
});

describe('the machine’s search path', () => {
  it('leaves out what npm adds for a script', () => {
    const path = ['/repo/node_modules/.bin', '/usr/bin', '/repo/node_modules/.bin/', '/npm/node-gyp-bin'];
    expect(machinePath(path.join(delimiter))).toBe('/usr/bin');
  });
});

describe('the script', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'modelbench-ensure-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  const script = (text: string): string => {
    const file = join(folder, 'script.ts');
    writeFileSync(file, text);
    return relative(root, file);
  };

  it('runs on the repository’s Node with its arguments, and its exit code is passed on', () => {
    const path = script('console.log(process.version, ...process.argv.slice(2)); process.exitCode = 7;');
    const { status, stdout } = spawnSync(process.execPath, [ensure, path, '--flag', 'two words'], { encoding: 'utf8' });
    expect(stdout.trim()).toMatch(/^v24\.\S+ --flag two words$/);
    expect(status).toBe(7);
  });

  it('gets the signals that end it', async () => {
    const path = script(`
      process.on('SIGTERM', () => { console.log('ended cleanly'); process.exit(3); });
      setInterval(() => {}, 1000);
      console.log('ready');
    `);
    const child = spawn(process.execPath, [ensure, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (text.includes('ready')) child.kill('SIGTERM');
    });
    const code = await new Promise((done) => child.on('close', done));
    expect(output).toContain('ended cleanly');
    expect(code).toBe(3);
  });

  it('needs a script', () => {
    const { status, stderr } = spawnSync(process.execPath, [ensure], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('Usage');
  });
});
