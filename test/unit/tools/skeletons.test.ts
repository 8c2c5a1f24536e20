import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longestTest } from '../../tools/limits.ts';
import { mustRun, root, run } from '../../tools/run.ts';
import { oneChecker } from '../../tools/steps.ts';
import { newCommand } from '../../tools/skeletons/new-command.ts';
import { newDiagnostic } from '../../tools/skeletons/new-diagnostic.ts';
import { CallError, insertBefore, Sources } from '../../tools/skeletons/skeleton.ts';

const sources = new Sources(root);

/** What a call is refused with. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof CallError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('npm run new:command', () => {
  it.each([
    ['build.showError', {}, 'There is a command modelbench.build.showError already.'],
    ['modelbench.build.x', {}, '“modelbench.build.x” is not the id of a command: write it like build.copyError.'],
    ['gadget.show', {}, 'No command begins with modelbench.gadget.: name the one to put it beside with --beside.'],
    ['build.x', { effect: 'writes' }, '“writes” is not an effect: choose one of changes, runs, reads.'],
    ['build.x', { title: ' ' }, 'The command needs a title.'],
    ['build.x', { feature: 'gadgets' }, 'There is no src/features/gadgets.'],
    ['build.x', { beside: 'build.gone' }, /^There is no handler of a command modelbench\.build\.gone/],
    ['build.showError', { beside: 'build.refresh' }, 'There is a command modelbench.build.showError already.'],
    ['signUp', {}, '“signUp” belongs to no area: name the command to put it beside with --beside.'],
    ['signUp', { beside: 'signIn' }, 'modelbench.signIn belongs to no feature: name one with --feature.'],
    ['signUp', { beside: 'signIn', feature: 'accounts' }, 'accepted'],
  ])('answers a call for %s with %j', (id, more, said) => {
    expect(refusal(() => newCommand(sources, { id, title: 'X', ...more }))).toMatch(said);
  });

  it('puts what a command may do into the imports of its table where that is missing', () => {
    const { files } = newCommand(sources, { id: 'apiExplorer.sendAll', title: 'Send All', effect: 'runs' });
    expect(files.get('src/shell/commands/api-explorer-commands.ts')).toMatch(
      /import \{ runs, type CommandArea, reads \}[^]*'modelbench\.apiExplorer\.sendAll': runs\(\),\n/,
    );
  });
});

describe('npm run new:diagnostic', () => {
  it.each([
    ['Empty cube', {}, '“Empty cube” is not a code: write it like empty-cube.'],
    ['unknown-key', {}, 'There is a diagnostic unknown-key already.'],
    ['engine', {}, 'There is a diagnostic engine already.'],
    ['empty-cube', { severity: 'bad' }, '“bad” is not a severity: choose one of error, warning, information, hint.'],
    ['empty-cube', { title: '' }, 'The diagnostic needs a title.'],
    ['joins', {}, 'src/model/checks/joins.ts is there already.'],
  ])('answers a call for %s with %j', (code, more, said) => {
    expect(refusal(() => newDiagnostic(sources, { code, title: 'X', ...more }))).toBe(said);
  });

  it('says what has changed where the place of its rule is gone', () => {
    expect(() => insertBefore('text', /list/, 'x', 'list of checks')).toThrow('There is no list of checks any more');
  });
});

describe('a call with an option that there is not', () => {
  it.each(['new-command', 'new-diagnostic'])('shows how %s is called', async (name) => {
    const { code, output } = await run('node', [`test/tools/skeletons/${name}.ts`, '--help'], { cwd: root });
    expect(code).toBe(1);
    expect(output).toMatch(/^Unknown option '--help'[^]*npm run new:/);
    expect(output).not.toContain('    at ');
  });
});

describe('a new command and a new diagnostic in a copy of the repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-skeletons-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const inCopy = async (command: string, ...args: readonly string[]): Promise<string> => {
    const { code, output } = await run(command, args, { cwd: folder });
    return code === 0 ? 'passed' : output;
  };
  const node = async (...args: readonly string[]): Promise<string> => mustRun('node', args, { cwd: folder });
  const tests = [
    'test/unit/features/builds/copy-error.test.ts',
    'test/unit/model/diagnostics.test.ts',
    'test/unit/model/language-files.test.ts',
    'test/unit/docs/model-language.test.ts',
    'test/unit/shell/vscode/manifest.test.ts',
    'test/unit/shell/vscode/palette.test.ts',
  ];

  beforeAll(async () => {
    copyTo(folder);
    const command = ['test/tools/skeletons/new-command.ts', 'build.copyError', 'Copy Build Error'];
    await node(...command, '--effect', 'changes');
    const diagnostic = ['test/tools/skeletons/new-diagnostic.ts', 'empty-cube', 'Cube without members'];
    await node(...diagnostic, '--severity', 'hint');
  });

  it('add what they need and change nothing else of the manifest', () => {
    const manifest = readFileSync(join(folder, 'package.json'), 'utf8').split('\n');
    const before = readFileSync(join(root, 'package.json'), 'utf8').split('\n');
    expect(manifest.filter((line) => !before.includes(line)).map((line) => line.trim())).toEqual([
      '"command": "modelbench.build.copyError",',
      '"title": "%command.build.copyError%",',
      // Its condition for the palette, which is that of its neighbour.
      '"command": "modelbench.build.copyError",',
      '"empty-cube",',
    ]);
    expect(manifest.length - before.length).toBe(10);
    expect(readFileSync(join(folder, 'package.nls.json'), 'utf8')).toContain(
      '  "command.build.copyError": "Copy Build Error",\n',
    );
    expect(readFileSync(join(folder, 'media/diagnostics/empty-cube.md'), 'utf8')).toMatch(
      /^# Cube without members\n\nCode `empty-cube` · hint\n/,
    );
  });

  it('compile', async () => {
    expect(await inCopy('tsc', '-b', ...oneChecker)).toBe('passed');
  });

  it('have the right format and pass lint', async () => {
    const written = [
      ...newCommand(sources, { id: 'build.copyError', title: 'X' }).files.keys(),
      ...newDiagnostic(sources, { code: 'empty-cube', title: 'X' }).files.keys(),
    ];
    expect(await inCopy('oxfmt', '--check', ...written)).toBe('passed');
    expect(await inCopy('oxlint', ...written.filter((path) => path.endsWith('.ts')))).toBe('passed');
  });

  it('have tests that fail only for what is not written yet', async () => {
    const report = join(folder, 'report.json');
    await inCopy('vitest', 'run', ...tests, '--reporter=json', `--outputFile=${report}`);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      readonly testResults: readonly {
        readonly message: string;
        readonly assertionResults: readonly {
          readonly fullName: string;
          readonly status: string;
          readonly failureMessages: readonly string[];
        }[];
      }[];
    };
    expect(testResults.map(({ message }) => message)).toEqual(tests.map(() => ''));
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = all.filter(({ status }) => status !== 'passed');
    expect(all.length).toBeGreaterThan(50);
    expect(
      failed.map(({ fullName, failureMessages: [said = ''] }) => `${fullName}: ${said.split('\n')[0]}`).sort(),
    ).toEqual([
      'Copy Build Error does what its title says: Error: “Copy Build Error” is not written yet.',
      expect.stringMatching(
        /^empty-cube appears for the wrong model of its page, as the page says: AssertionError: expected \[\] to/,
      ),
      // The palette has no room left: until the command has a menu, nothing shows it.
      expect.stringMatching(/^the command palette leaves out in dev mode only what has a menu/),
    ]);
  });
});

/** What types, lint and these tests read; what was compiled already need not be compiled again. */
function copyTo(folder: string): void {
  const names = ['src', 'test', 'docs', 'media', 'package.json', 'package.nls.json', 'tsconfig.json', 'esbuild.mjs'];
  for (const name of [...names, 'esbuild.d.mts', '.oxfmtrc.json', '.oxlintrc.json', 'dist/.types'])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(folder, name), { recursive: true });
  // Not the repository's own, whose tests need a platform. Its limits are the same, because slow is not wrong there either, and
  // its one worker for several files, which loads the sources once.
  const limits = { testTimeout: longestTest, hookTimeout: longestTest };
  const config = { test: { ...limits, isolate: false, maxWorkers: 1 } };
  writeFileSync(join(folder, 'vitest.config.ts'), `export default ${JSON.stringify(config)};\n`);
  // With `preserveSymlinks`, TypeScript takes the packages behind the link for those that it compiled with before.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
}
