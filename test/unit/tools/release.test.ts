import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasUnixPrograms } from '#support/unix-programs.ts';
import { parse } from 'yaml';
import { releaseNotes } from '../../tools/release-notes.ts';
import { root } from '../../tools/run.ts';

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Workflow {
  readonly jobs?: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
  readonly runs?: { readonly steps: readonly Step[] };
}

const read = (path: string): Workflow => parse(readFileSync(join(root, path), 'utf8')) as Workflow;
const release = read('.github/workflows/release.yml');
const workflows = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);

/** Returns the scripts of a workflow or an action, with a word in place of each expression of GitHub. */
function scriptsOf({ jobs = {}, runs }: Workflow): readonly string[] {
  const steps = [...Object.values(jobs), ...(runs ? [runs] : [])].flatMap((job) => job.steps);
  return steps.flatMap(({ run }) => (run === undefined ? [] : [run.replaceAll(/\$\{\{[^}]*\}\}/g, 'word')]));
}

/** Returns what bash says of a script that it cannot read. */
function syntaxProblem(script: string): string {
  // Where the language of the terminal is not installed, bash says that first.
  return spawnSync('bash', ['-n'], { input: script, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).stderr;
}

describe.runIf(hasUnixPrograms('bash'))('the scripts of workflows and actions', { tags: ['machine'] }, () => {
  it.each([...workflows, '.github/actions/check/action.yml'])('can be read by bash: %s', (path) => {
    const scripts = scriptsOf(read(path));
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.map(syntaxProblem).filter((problem) => problem !== '')).toEqual([]);
  });

  it('are found where they are wrong', () => {
    const [first = ''] = scriptsOf(release);
    expect(syntaxProblem(`${first}\nif true; then`)).toContain('syntax error');
  });
});

describe('the notes of a release', () => {
  const changelog =
    '# Changelog\n\n## [1.2.3] - 2026-01-31\n\n- New.\n\n### More\n\n- Other.\n\n## [1.2.30] - 2026-01-01\n\n- Old.\n';

  it('are the section of its version, and no other', () => {
    expect(releaseNotes(changelog, '1.2.3')).toBe('- New.\n\n### More\n\n- Other.\n');
    expect(releaseNotes(changelog, '1.2.30')).toBe('- Old.\n');
  });

  it.each([
    ['has no section of version 1.2.4.', changelog, '1.2.4'],
    ['has no section of version 1.2.', changelog, '1.2'],
    [
      'has no date for version 1.2.3: write “## [1.2.3] - 2026-01-31”.',
      changelog.replace('2026-01-31', 'unreleased'),
      '1.2.3',
    ],
    ['says nothing about version 1.2.3.', '## [1.2.3] - 2026-01-31\n\n## [1.2.2] - 2026-01-01\n\n- Old.\n', '1.2.3'],
    [
      'says more about version 1.2.3 than GitHub takes.',
      `## [1.2.3] - 2026-01-31\n\n${'x'.repeat(130_000)}\n`,
      '1.2.3',
    ],
  ])('are refused where the changelog %s', (says, text, version) => {
    expect(() => releaseNotes(text, version)).toThrow(`CHANGELOG.md ${says}`);
  });
});

describe.runIf(hasUnixPrograms('bash', 'sha256sum'))('a release of version 1.2.3', { tags: ['machine'] }, () => {
  let folder: string;
  let checkout: string;
  let remote: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'modelbench-release-'));
    checkout = join(folder, 'checkout');
    remote = join(folder, 'acme/modelbench');
    mkdirSync(join(checkout, 'test/tools'), { recursive: true });
    writeFileSync(join(checkout, 'package.json'), '{"version":"1.2.3"}');
    writeFileSync(join(checkout, 'CHANGELOG.md'), '## [1.2.3] - 2026-01-31\n\n- New.\n');
    copyFileSync(join(root, 'test/tools/release-notes.ts'), join(checkout, 'test/tools/release-notes.ts'));
    // Stands in for the real one, whose work `github-action.test.ts` runs.
    writeFileSync(
      join(checkout, 'test/tools/action-package.ts'),
      `import { mkdirSync, writeFileSync } from 'node:fs';
       mkdirSync(\`\${process.argv[2]}/dist\`, { recursive: true });
       writeFileSync(\`\${process.argv[2]}/action.yml\`, 'x');
       writeFileSync(\`\${process.argv[2]}/dist/cli.js\`, 'x');`,
    );
    writeFileSync(join(checkout, 'modelbench-1.2.3.vsix'), 'extension');
    writeFileSync(join(checkout, 'modelbench-cli-1.2.3.tgz'), 'command line');
    execFileSync('git', ['init', '--quiet', '--bare', remote]);
    mkdirSync(join(folder, 'bin'));
    // Programs that only note how they were called, so that nothing is published.
    for (const name of ['gh', 'npm', 'npx']) {
      writeFileSync(
        join(folder, 'bin', name),
        [
          '#!/bin/sh',
          `printf '%s\\n' "${name} $*" >> '${join(folder, 'calls')}'`,
          `case "$*" in "release view"*) grep -q 'release create' '${join(folder, 'calls')}' ;; esac`,
          '',
        ].join('\n'),
      );
      chmodSync(join(folder, 'bin', name), 0o755);
    }
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the steps of a job whose scripts match, as a runner does; resolves to the code of the first that fails. */
  function run(job: string, wanted: RegExp, { tag = 'v1.2.3', cwd = checkout } = {}): number {
    const scripts = (release.jobs?.[job]?.steps ?? []).flatMap(({ run: script = '' }) =>
      wanted.test(script) ? [script] : [],
    );
    expect(scripts.length).toBeGreaterThan(0);
    const env = {
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env['PATH']}`,
      ...{ HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
      ...{ GITHUB_REF_NAME: tag, GITHUB_SHA: 'abc', GITHUB_SERVER_URL: folder, GITHUB_REPOSITORY: 'acme/modelbench' },
    };
    for (const script of scripts) {
      const { status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd, env, stdio: 'ignore' });
      if (status !== 0) return status ?? -1;
    }
    return 0;
  }

  /** Gives the next job the files that the workflow uploads for it. */
  function downloaded(artifact: string): string {
    const upload = release.jobs?.['build']?.steps.find((step) => step.with?.['name'] === artifact);
    const patterns = String(upload?.with?.['path']).trim().split('\n');
    const target = join(folder, artifact);
    mkdirSync(target);
    for (const pattern of patterns)
      execFileSync('bash', ['-c', `cp -r ${pattern.trim()} '${target}'`], { cwd: checkout });
    return target;
  }
  const calls = (): string => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8') : '');
  const inRemote = (...args: readonly string[]): string =>
    execFileSync('git', [...args], { cwd: remote, encoding: 'utf8' }).trim();

  it('begins only where tag, manifest and changelog agree', () => {
    const first = /GITHUB_REF_NAME" = |release-notes/;
    expect(run('build', first)).toBe(0);
    expect(readFileSync(join(checkout, 'notes.md'), 'utf8')).toBe('- New.\n');
    for (const tag of ['v1.2.4', '1.2.3', 'v1.2.30']) expect(run('build', first, { tag })).not.toBe(0);
    writeFileSync(join(checkout, 'CHANGELOG.md'), '## [1.2.3] - unreleased\n\n- New.\n');
    expect(run('build', first)).not.toBe(0);
  });

  it('attaches the packages that were built, with their changes and the digest of the command line', () => {
    expect(run('build', /release-notes|sha256sum/)).toBe(0);
    const own = downloaded('release');
    expect(readdirSync(own).sort()).toEqual([
      'action',
      'modelbench-1.2.3.vsix',
      'modelbench-cli-1.2.3.tgz',
      'notes.md',
    ]);
    const digest = createHash('sha256').update('command line').digest('hex');
    expect(readFileSync(join(own, 'notes.md'), 'utf8')).toBe(
      `- New.\n\n\`\`\`\n${digest}  modelbench-cli-1.2.3.tgz\n\`\`\`\n`,
    );
    // The second time, the job is run again.
    for (const _ of [1, 2]) expect(run('release', /gh release create/, { cwd: own })).toBe(0);
    expect(calls().split('\n')).toEqual([
      'gh release view v1.2.3',
      'gh release create v1.2.3 modelbench-1.2.3.vsix modelbench-cli-1.2.3.tgz --verify-tag --notes-file notes.md',
      'gh release view v1.2.3',
      '',
    ]);
    // The workflow fails where a package was not built.
    rmSync(join(checkout, 'modelbench-cli-1.2.3.tgz'));
    expect(run('build', /sha256sum/)).not.toBe(0);
  });

  it('tags the action with its program once, and moves no tag', () => {
    expect(run('build', /release-notes|sha256sum/)).toBe(0);
    const own = downloaded('release');
    expect(run('release', /refs\/tags\/check-/, { cwd: own })).toBe(0);
    expect(inRemote('ls-tree', '-r', '--name-only', 'check-v1.2.3').split('\n')).toEqual(['action.yml', 'dist/cli.js']);
    const before = inRemote('rev-parse', 'check-v1.2.3');
    rmSync(join(own, 'action/.git'), { recursive: true });
    writeFileSync(join(own, 'action/dist/cli.js'), 'other');
    expect(run('release', /refs\/tags\/check-/, { cwd: own })).not.toBe(0);
    expect(inRemote('rev-parse', 'check-v1.2.3')).toBe(before);
  });

  it('publishes the same extension to both marketplaces, and nothing to npm', () => {
    const own = downloaded('vsix');
    expect(readdirSync(own)).toEqual(['modelbench-1.2.3.vsix']);
    expect(run('publish', /publish/, { cwd: own })).toBe(0);
    expect(
      calls()
        .split('\n')
        .filter((line) => line.includes('publish')),
    ).toEqual([
      'npx --no vsce publish --packagePath modelbench-1.2.3.vsix',
      expect.stringMatching(/^npx --yes ovsx@\d+\.\d+\.\d+ publish modelbench-1\.2\.3\.vsix$/),
    ]);
  });
});
