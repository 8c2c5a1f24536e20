import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { gitRevision } from '#cli/git-revision.ts';
import { modelFolder } from '#cli/model-folder.ts';
import { runCommandLine } from '#cli/run.ts';
import { places } from '#support/cli-places.ts';
import type { ModelSnapshot } from '#tools/ports.ts';
import { yaml } from '#support/language/raw.ts';

describe('a revision of a model', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'modelbench-git-'));
    git('init', '--quiet', '--initial-branch', 'main');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  // No settings of this machine: signing and hooks would be asked for.
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  function git(...args: readonly string[]): void {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    execFileSync('git', [...who, ...args], { cwd: folder, env, stdio: 'ignore' });
  }
  const commit = (): void => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'x');
  };
  const read = (name: string, signal = new AbortController().signal): Promise<ModelSnapshot> =>
    gitRevision(join(folder, 'shop'), folder)(name, signal);

  it('has the model files as they were, by the paths of today', async () => {
    write('shop/model/a.yml', 'cubes: [] # ä\n');
    write('shop/model/deep/b.js', 'cube(`b`, {});\n');
    write('shop/model/notes.txt', 'x');
    write('shop/model/node_modules/c.yml', 'x: 1\n');
    write('shop/model/globals.py', 'x = 1\n');
    symlinkSync('a.yml', join(folder, 'shop/model/link.yml'));
    commit();
    write('shop/model/a.yml', 'cubes: [] # later\n');
    expect(await read('HEAD')).toEqual({
      root: 'shop/model/',
      files: new Map([
        ['shop/model/a.yml', 'cubes: [] # ä\n'],
        ['shop/model/deep/b.js', 'cube(`b`, {});\n'],
      ]),
      queries: new Map(),
      agents: { root: 'shop/agents/', texts: new Map() },
      globals: 'x = 1\n',
      isMixed: false,
    });
  });

  it('has the files of agents and the queries beside the model, and none of their links', async () => {
    write('shop/model/a.yml', 'cubes: []\n');
    write('shop/model/in.query.yml', 'query: {}\n');
    write('shop/queries/top.query.yml', 'query: {}\n');
    write('shop/queries/notes.yml', 'x: 1\n');
    write('shop/agents/rules/ä b.md', 'Be brief.\n');
    write('shop/agents/.hidden/x.yml', 'x: 1\n');
    write('shop/agents/main.py', 'x\n');
    symlinkSync('ä b.md', join(folder, 'shop/agents/rules/link.md'));
    commit();
    expect(await read('HEAD')).toMatchObject({
      files: new Map([['shop/model/a.yml', 'cubes: []\n']]),
      queries: new Map([
        ['shop/queries/top.query.yml', 'query: {}\n'],
        ['shop/model/in.query.yml', 'query: {}\n'],
      ]),
      agents: { root: 'shop/agents/', texts: new Map([['rules/ä b.md', 'Be brief.\n']]) },
    });
    const now = await modelFolder(join(folder, 'shop'), folder)(new AbortController().signal);
    expect(await read('HEAD')).toEqual(now);
  });

  it('is read where only the model is in a repository', async () => {
    rmSync(join(folder, '.git'), { recursive: true });
    write('shop/model/a.yml', 'cubes: []\n');
    write('shop/agents/rules.yml', 'rules: []\n');
    const own = join(folder, 'shop/model');
    execFileSync('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: own, env, stdio: 'ignore' });
    for (const args of [
      ['add', '--all'],
      ['commit', '--quiet', '--message', 'x'],
    ])
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        ...{ cwd: own, env, stdio: 'ignore' },
      });
    expect(await read('main')).toMatchObject({ files: new Map([['shop/model/a.yml', 'cubes: []\n']]) });
  });

  it.each(['nothing', '--output=x', 'main:shop', ''])('is refused where Git has none: %j', async (name) => {
    write('shop/model/a.yml', 'cubes: []\n');
    commit();
    await expect(read(name)).rejects.toThrow('Git has no revision');
  });

  it('says how to get the history of a shallow clone, and what is missing elsewhere', async () => {
    write('shop/model/a.yml', 'cubes: []\n');
    commit();
    git('branch', 'base');
    git('commit', '--quiet', '--allow-empty', '--message', 'y');
    git('clone', '--quiet', '--depth', '1', `file://${folder}`, join(folder, 'shallow'));
    const ofShallow = gitRevision(join(folder, 'shallow/shop'), folder);
    const { signal } = new AbortController();
    for (const name of ['HEAD^', 'base', 'origin/base', '0123456789012345678901234567890123456789'])
      await expect(ofShallow(name, signal)).rejects.toThrow(
        /This clone is shallow: run “git fetch --unshallow” first, .*fetch-depth: 0/,
      );
    expect((await ofShallow('HEAD', signal)).files.size).toBe(1);
    await expect(read('nothing')).rejects.toThrow('Fetch it first, or name a commit, branch or tag that Git has here.');
    const outside = mkdtempSync(join(tmpdir(), 'modelbench-no-git-'));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    await expect(gitRevision(outside, outside)('HEAD', signal)).rejects.toThrow('is in no Git repository');
  });

  it('ends when it is cancelled', async () => {
    write('shop/model/a.yml', 'cubes: []\n');
    commit();
    await expect(read('HEAD', AbortSignal.abort())).rejects.toThrow(/abort|cancel/i);
  });

  it('is read without running a program that the repository configures', async () => {
    write(
      'shop/model/a.yml',
      yaml`
        cubes:
          - {name: a, sql_table: t}
      `,
    );
    write('.gitattributes', '*.yml filter=evil diff=evil\n');
    commit();
    const proof = join(folder, 'was-run');
    const evil = `touch ${proof}; cat`;
    for (const key of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'filter.evil.smudge', 'filter.evil.clean'])
      git('config', key, evil);
    for (const key of ['diff.evil.textconv', 'diff.evil.command', 'diff.external', 'core.editor', 'gpg.program'])
      git('config', key, evil);
    const [out, code] = await new Promise<readonly [string, number]>((resolve) => {
      let text = '';
      void runCommandLine(['diff', 'main', '--folder', 'shop'], {
        folder,
        stdout: (more) => (text += more),
        stderr: (more) => (text += more),
        isInteractive: false,
        ...places(folder),
        signal: new AbortController().signal,
        variables: {},
      }).then((ended) => resolve([text, ended]));
    });
    expect(out).toBe('Compared with main: no file differs.\nNothing changes for queries.\n');
    expect(code).toBe(0);
    expect(existsSync(proof)).toBe(false);
  });
});
