import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import type { CliEnvironment } from '#cli/environment.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { tools } from '#tools/tools.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The arguments of each command, in the order in which they run. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  search: ['orders'],
  read: ['orders.count'],
  graph: ['orders'],
  impact: ['orders.count'],
  query: ['{"measures":["orders.count"]}'],
  sql: ['{"measures":["orders.count"]}'],
  write: ['model/new.yml', '--content', 'cubes: [{name: n, sql_table: t}]'],
  undo: ['TOKEN'],
  commit: ['Add n'],
  merge: ['BRANCH'],
  validate: ['BRANCH'],
};

const all = tools.map(({ name }) => name);
const ofFolder = ['check', 'search', 'read', 'graph', 'diff', 'impact', 'test', 'write', 'undo', 'restore'];
const ofPlatform = all.filter((name) => !ofFolder.includes(name));
const withState = ['validate', 'write', 'undo', 'restore', 'plan', 'push', 'pull', 'resolve', 'commit', 'merge'];

interface Surroundings {
  /** Changes the project, or returns what is different in the process. */
  readonly prepare: (project: LinkedProject) => Partial<CliEnvironment> | undefined;
  /** The commands that cannot work there, what they say, and their code; all others answer as usual. */
  readonly refused?: { readonly by: readonly string[]; readonly says: RegExp; readonly code: 2 | 3 };
}

const change = (project: LinkedProject, path: string, text: string): undefined =>
  project.write(path, text) as undefined;
const variables = (project: LinkedProject, more: CliEnvironment['variables']): Partial<CliEnvironment> => ({
  variables: { ...project.environment.variables, ...more },
});
const inFolder = (name: string): Surroundings => ({
  prepare: ({ folder }) => ({ folder: join(folder, name) }),
  refused: { by: all, says: /^“.*” is not a folder\.$/, code: 2 },
});

const SURROUNDINGS: Readonly<Record<string, Surroundings>> = {
  'a user without a home': {
    prepare: () => ({ state: undefined }),
    refused: { by: withState, says: /^This user has no home folder, .* Set HOME or XDG_STATE_HOME/, code: 2 },
  },
  'a file in place of the state folder': {
    prepare: ({ folder }) => {
      writeFileSync(join(folder, '../file'), '');
      return { state: join(folder, '../file/state') };
    },
    refused: {
      by: withState,
      says: /^“.*file\/state.*” cannot be used: something on the way .* Choose another folder\.$/,
      code: 3,
    },
  },
  'a folder that is not there': inFolder('gone'),
  'a file in place of a folder': inFolder('modelbench.json'),
  'a folder below a file': inFolder('modelbench.json/model'),
  'a name that is too long': inFolder('x'.repeat(5000)),
  'a path of Windows': inFolder(String.raw`C:\shop\model`),
  'an empty link': {
    prepare: (project) => change(project, 'modelbench.json', ''),
    refused: { by: all, says: /^modelbench\.json is not valid JSON\.$/, code: 2 },
  },
  'a link that is a list': {
    prepare: (project) => change(project, 'modelbench.json', '[]'),
    refused: { by: all, says: /^modelbench\.json: "tenant" is missing\.$/, code: 2 },
  },
  'a project with byte order marks, Windows line ends, and folders, pipes and links with names of model files': {
    prepare: ({ folder }) => {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile()) writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8').replaceAll('\n', '\r\n')}`);
      }
      mkdirSync(join(folder, 'model/folder.yml'));
      execFileSync('mkfifo', [join(folder, 'model/pipe.yml')]);
      symlinkSync('nowhere', join(folder, 'model/broken.yml'));
      symlinkSync('.', join(folder, 'model/circle'));
      return undefined;
    },
  },
  'a folder with an odd name': {
    prepare: ({ folder }) => {
      const odd = join(folder, '..', 'it\'s  "a"\n::error::x \u202Eb $(x) `y` %41 ##[group]');
      renameSync(folder, odd);
      return { folder: odd };
    },
  },
  'the log of a pipeline, which is a terminal that removes nothing': {
    prepare: (project) => ({
      isInteractive: true,
      ...variables(project, { CI: '1', GITHUB_ACTIONS: 'true', TF_BUILD: 'True', GITLAB_CI: 'true', TERM: 'dumb' }),
    }),
  },
  'a user without a key': {
    prepare: () => ({ variables: {} }),
    refused: { by: ofPlatform, says: /^This needs the platform\. Set MODELBENCH_API_KEY /, code: 2 },
  },
  'empty variables': {
    prepare: () => ({ variables: { MODELBENCH_API_KEY: ' ', MODELBENCH_TENANT_URL: '', MODELBENCH_CONTEXT: '' } }),
    refused: { by: ofPlatform, says: /^This needs the platform\. Set MODELBENCH_API_KEY /, code: 2 },
  },
  'a signal before anything was done': {
    prepare: () => ({ signal: AbortSignal.abort() }),
    refused: { by: all, says: /^Interrupted before anything was changed\.$/, code: 2 },
  },
};

/** Runs every command in surroundings. */
async function everyCommand(prepare: Surroundings['prepare']): Promise<ReadonlyMap<string, Ended>> {
  const project = await linkProject();
  project.write(
    'model/orders.yml',
    'cubes:\n  - {name: orders, sql_table: t, measures: [{name: count, type: count}]}\n',
  );
  const environment = { ...project.environment, ...prepare(project) };
  const ended = new Map<string, Ended>();
  for (const name of all) {
    let [out, err] = ['', ''];
    const given = (ARGUMENTS[name] ?? []).map((text) => (text === 'BRANCH' ? project.branch : text));
    const code = await runCommandLine([name, ...given], {
      ...environment,
      stdout: (text) => (out += text),
      stderr: (text) => (err += text),
    });
    ended.set(name, { code, out, err });
  }
  return ended;
}

/** Returns an error without the name of its project, which is another one each time. */
function named(err = ''): string {
  return err
    .replace(/^modelbench: /, '')
    .trim()
    .replace(/^“.*?\/model” /, '“model” ');
}

let usual: Promise<ReadonlyMap<string, Ended>> | undefined;

describe('every command', () => {
  it.each(Object.entries(SURROUNDINGS))(
    'works, or says in a sentence what is wrong: %s',
    async (_, { prepare, refused }) => {
      usual ??= everyCommand(() => undefined);
      const before = await usual;
      const answered = await everyCommand(prepare);
      for (const [name, { code, out, err }] of answered) {
        const [, says = ''] = /^(?:modelbench: ([^\n]+)\n|)$/.exec(err) ?? [err, `not a sentence: ${err}`];
        const by = refused?.by.includes(name) === true ? refused : undefined;
        const isAsTold = by?.says.test(says) === true && out === '';
        expect([name, code, isAsTold ? 'what is told' : named(says)]).toEqual([
          name,
          by ? by.code : before.get(name)?.code,
          by ? 'what is told' : named(before.get(name)?.err),
        ]);
        expect([name, says]).not.toEqual([name, expect.stringMatching(/\bE[A-Z]{4,}\b|Error:|undefined|\[object/)]);
        expect([name, out + err]).not.toEqual([name, expect.stringMatching(/[[\p{Cc}\p{Bidi_Control}]--\n]/v)]);
      }
    },
  );

  it('changes nothing after a signal, also where it could at once', async () => {
    const project = await linkProject();
    project.write('model/a.yml', 'cubes: [{name: a, sql_table: t}]\n');
    const written = await project.json('write', 'model/a.yml', '--find', 'table: t', '--replace', 'table: u');
    const now = project.read('model/a.yml');
    for (const args of [
      ['write', 'model/a.yml', '--remove'],
      ['undo', String(written['undo'])],
    ])
      await runCommandLine(args, {
        ...{ ...project.environment, signal: AbortSignal.abort() },
        ...{ stdout: () => undefined, stderr: () => undefined },
      });
    expect(project.read('model/a.yml')).toBe(now);
  });
});
