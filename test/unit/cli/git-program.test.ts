import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gitRevision, revisionNames } from '#cli/git-revision.ts';
import { programIn } from '#cli/program-path.ts';
import { hasUnixPrograms } from '#support/unix-programs.ts';
import { root } from '../../tools/run.ts';

describe.runIf(hasUnixPrograms('sh'))('git for a project that is not trusted', () => {
  let folder: string;
  let model: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'modelbench-git-program-'));
    model = join(folder, 'model');
    mkdirSync(model);
    writeFileSync(join(model, 'a.yml'), 'cubes: []\n');
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '--all');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'x');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  const { signal } = new AbortController();
  const git = (...args: readonly string[]): Buffer => execFileSync('git', args, { cwd: folder });
  const script = (path: string, text: string): void => {
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
  };

  it.each(['.', '', 'bin', './bin'])(
    'is never a program of the project, with “%s” in the search path',
    async (entry) => {
      const proof = join(folder, 'was-run');
      mkdirSync(join(model, 'bin'));
      for (const name of ['git', 'bin/git']) script(join(model, name), `: > '${proof}'`);
      vi.stubEnv('PATH', [entry, process.env['PATH']].join(delimiter));
      const { files } = await gitRevision(folder, folder)('main', signal);
      expect([...files.keys()]).toEqual(['model/a.yml']);
      expect(existsSync(proof)).toBe(false);
    },
  );

  it('is reported as missing where only the project has one', async () => {
    script(join(model, 'git'), 'exit 0');
    vi.stubEnv('PATH', '.');
    await expect(gitRevision(folder, folder)('main', signal)).rejects.toThrow('Git is not installed.');
  });

  it('reads no repository that the project brings as files', async () => {
    git('init', '--quiet', '--bare', '--initial-branch', 'main', 'planted');
    for (const name of ['HEAD', 'config', 'objects', 'refs'])
      execFileSync('cp', ['-r', join(folder, 'planted', name), model]);
    await expect(gitRevision(folder, folder)('main', signal)).rejects.toThrow('bare');
    await expect(revisionNames(model, signal)).rejects.toThrow('bare');
  });

  it('may use no protocol, whatever the configuration of the project allows', async () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    script(join(own, 'git'), 'echo "refs/heads/$GIT_ALLOW_PROTOCOL"');
    vi.stubEnv('PATH', own);
    expect(await revisionNames(model, signal)).toEqual(['HEAD', 'none']);
  });
});

describe('the search for a program', () => {
  const found = (name: string, path: string, ...present: readonly string[]): string | undefined =>
    programIn(path, name, 'win32', (file) => present.includes(file));

  it('takes only whole paths on Windows, and the ends that programs have there', () => {
    expect(found('git', String.raw`.;;bin;\bin;C:bin;C:\Git\cmd`, String.raw`C:\Git\cmd\git.exe`)).toBe(
      String.raw`C:\Git\cmd\git.exe`,
    );
    expect(found('git', String.raw`"C:\My Git"`, String.raw`C:\My Git\git.com`)).toBe(String.raw`C:\My Git\git.com`);
    expect(found('git', String.raw`.;bin;\bin;C:bin`, 'git.exe', String.raw`bin\git.exe`)).toBeUndefined();
    expect(found('git', String.raw`\bin;C:bin`, String.raw`\bin\git.exe`, String.raw`C:bin\git.exe`)).toBeUndefined();
  });

  it('has no part in the project on Windows either while the action runs', async () => {
    vi.stubEnv('NoDefaultCurrentDirectoryInExePath', '');
    const program = join(root, '.github/actions/check/program.mjs');
    await import(program);
    expect(process.env['NoDefaultCurrentDirectoryInExePath']).toBe('1');
    vi.unstubAllEnvs();
  });
});
