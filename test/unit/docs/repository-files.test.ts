import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formProblems, npmScripts, type Surroundings, workflowProblems } from '../../tools/repository-files.ts';
import { root } from '../../tools/run.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const json = (path: string): unknown => JSON.parse(read(path).replaceAll(/^\s*\/\/.*$/gm, ''));
const manifest = json('package.json') as { readonly scripts: Readonly<Record<string, string>> };
const repository: Surroundings = {
  scripts: Object.keys(manifest.scripts),
  exists: (path) => existsSync(join(root, path)),
};
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);

describe('the workflows of GitHub', () => {
  it.each(filesIn('.github/workflows'))('run only what exists, pinned, and show no secret: %s', (path) => {
    expect(workflowProblems(read(path), repository)).toEqual([]);
  });

  it('test on Linux, macOS and Windows', () => {
    const text = read('.github/workflows/ci.yml');
    expect([...npmScripts(text)]).toEqual(['test', 'unit', 'test:desktop']);
    for (const system of ['ubuntu', 'macos', 'windows']) expect(text).toContain(system);
  });

  it('run every benchmark each night, however fast the machine is', () => {
    expect(read('.github/workflows/nightly.yml')).toContain('run: npm run bench -- all --quick\n');
  });

  it('try properties with other seeds each night than npm test has', () => {
    expect(read('.github/workflows/nightly.yml')).toContain('run: npm run test:properties -- --rounds 10 --from');
  });

  it('publish one package to both marketplaces, after its tests', () => {
    const { jobs } = parse(read('.github/workflows/release.yml')) as {
      readonly jobs: Readonly<Record<string, { readonly needs?: string; readonly steps: readonly { run?: string }[] }>>;
    };
    const commandsOf = (job: string): string => (jobs[job]?.steps ?? []).map(({ run = '' }) => run).join('\n');
    expect([...npmScripts(commandsOf('build'))]).toEqual(['test', 'package']);
    expect(jobs['publish']?.needs).toBe('build');
    expect(commandsOf('publish')).toMatch(/vsce publish --packagePath[\s\S]*ovsx@\S+ publish/);
  });
});

describe('a release', () => {
  const { jobs } = parse(read('.github/workflows/release.yml')) as {
    readonly jobs: Readonly<Record<string, ReleaseJob>>;
  };

  it('attaches what was tested and attested, and tags the action with its program', () => {
    const stepsOf = (job: string): readonly ReleaseStep[] => jobs[job]?.steps ?? [];
    const attested = stepsOf('build').find(({ uses = '' }) => uses.startsWith('actions/attest-build-provenance@'));
    for (const path of ['modelbench-*.vsix', 'modelbench-*.tgz', 'action/dist/*'])
      expect(attested?.with?.['subject-path']).toContain(path);
    expect(jobs['release']?.needs).toBe('build');
    const commands = stepsOf('release').map(({ run = '' }) => run);
    expect(commands.join('\n')).toMatch(/gh release create[^\n]*\.tgz[\s\S]*refs\/tags\/check-\$GITHUB_REF_NAME/);
  });

  it('lets only the job that runs nothing of the repository write to it', () => {
    const writing = Object.entries(jobs).filter(([, job]) => job.permissions?.['contents'] === 'write');
    expect(writing.map(([name]) => name)).toEqual(['release']);
    for (const { uses = '', run = '' } of jobs['release']?.steps ?? []) {
      expect(uses).not.toContain('checkout');
      expect(run).not.toMatch(/\b(?:node|npm|npx|tsc)\b/);
    }
  });

  it('publishes nothing to npm', () => {
    expect(read('.github/workflows/release.yml')).not.toMatch(/npm publish|NPM_TOKEN|NODE_AUTH_TOKEN/);
  });
});

describe('the issue forms', () => {
  const forms = filesIn('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('config.yml'));

  it.each(forms)('have a name, a description and labelled fields: %s', (path) => {
    expect(formProblems(read(path))).toEqual([]);
  });
});

describe('the updates of dependencies', () => {
  it('name folders that hold a lock file', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as {
      readonly updates: readonly { readonly 'package-ecosystem': string; readonly directory: string }[];
    };
    const folders = updates.filter((update) => update['package-ecosystem'] === 'npm').map(({ directory }) => directory);
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((folder) => !repository.exists(join(folder.slice(1), 'package-lock.json')))).toEqual([]);
  });
});

describe('the configuration of VS Code', () => {
  const tasks = (json('.vscode/tasks.json') as { tasks: readonly Task[] }).tasks;
  const launches = (json('.vscode/launch.json') as { configurations: readonly Launch[] }).configurations;

  it('names tasks that exist', () => {
    const labels = tasks.map(({ label }) => label);
    const named = [
      ...launches.map(({ preLaunchTask }) => preLaunchTask),
      ...tasks.flatMap(({ dependsOn }) => dependsOn),
    ];
    expect(named.filter((name) => name !== undefined && !labels.includes(name))).toEqual([]);
  });

  it('runs npm scripts and files that exist', () => {
    const scripts = tasks.filter(({ type }) => type === 'npm').map(({ script = '' }) => script);
    expect(scripts.filter((name) => !repository.scripts.includes(name))).toEqual([]);
    const text = read('.vscode/tasks.json') + read('.vscode/launch.json');
    const files = [...text.matchAll(/(?:\$\{workspaceFolder\}\/|\bnode |\.mjs )([\w./-]+\.(?:ts|mjs))\b/g)];
    const paths = files.map(([, path = '']) => path).filter((path) => !path.startsWith('dist/'));
    expect(paths).toContain('test/platform/main.ts');
    expect(paths.filter((path) => !repository.exists(path))).toEqual([]);
  });

  it('runs TypeScript with the repository’s own Node, whatever this machine has', () => {
    const byMachine = (command: string): readonly string[] =>
      command.match(/\bnode (?!\S*ensure\.mjs )\S+\.ts\b/g) ?? [];
    expect(tasks.flatMap(({ command = '' }) => byMachine(command))).toEqual([]);
    expect(byMachine('node esbuild.mjs && node test/tools/suites.ts --bundle')).toEqual(['node test/tools/suites.ts']);
  });
});

interface ReleaseStep {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}

interface ReleaseJob {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly ReleaseStep[];
}

interface Task {
  readonly label: string;
  readonly type?: string;
  readonly script?: string;
  readonly command?: string;
  readonly dependsOn?: readonly string[];
}

interface Launch {
  readonly preLaunchTask?: string;
}

describe('workflowProblems', () => {
  const around: Surroundings = { scripts: ['test'], exists: (path) => path === 'esbuild.mjs' };
  const withStep = (step: string): readonly string[] =>
    workflowProblems(`permissions: {}\njobs:\n  a:\n    steps:\n      - ${step}\n`, around);

  it.each([
    ['run: npm test && node esbuild.mjs', []],
    ['uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8', []],
    ['run: npm run tests', ['there is no npm script “tests”']],
    ['run: node build.mjs', ['there is no file build.mjs']],
    ['uses: actions/checkout@v5', ['actions/checkout@v5 is not pinned to a commit']],
    ['run: vsce publish -p ${{ secrets.PAT }}', ['a secret is written into a command']],
    ['run: echo "$VSCE_PAT"', ['a secret is printed']],
    ['run: git checkout ${{ github.head_ref }}', ['text of an event is written into a command']],
  ])('judges %s', (step, expected) => {
    expect(withStep(step)).toEqual(expected);
  });

  it('reports a text that is not YAML, one without steps, and one with all permissions', () => {
    expect(workflowProblems('a: [', around).join()).toContain('it is not YAML');
    expect(workflowProblems('on: push', around)).toEqual(['it has no steps', 'it does not limit its permissions']);
  });
});

describe('formProblems', () => {
  it('reports what a form lacks', () => {
    expect(formProblems('name: A\nbody:\n  - type: input\n')).toEqual([
      'it has no description',
      'a input has no label',
    ]);
  });
});
