import { spawn } from 'node:child_process';
import { relative, sep } from 'node:path';
import { abortReason, asError } from '#base/async.ts';
import { isQueryPath } from '#model/query-files/query-path.ts';
import type { ToolPorts } from '#tools/ports.ts';
import { ToolError } from '#tools/tool.ts';
import {
  agentsBeside,
  isAgentFilePath,
  isInReadFolders,
  isModelFilePath,
  type ModelLocation,
  modelRootOf,
  queriesBeside,
  shownFolder,
} from './model-folder.ts';
import { programPath } from './program-path.ts';

/**
 * Reads the model of a project at a Git revision, with the `git` of the machine. It uses only commands that read objects: they
 * run no hook, filter or other program that the repository configures, and fetch nothing.
 */
export function gitRevision(folder: string, from: string): ToolPorts['revision'] {
  return async (name, signal) => {
    const { root, isMixed } = modelRootOf(folder);
    const git = (args: readonly string[], input = ''): Promise<Buffer> => runGit(root, args, input, signal);
    const commit = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]).catch(
      async (error: unknown) => {
        if (signal.aborted || error instanceof ToolError) throw error;
        const why = asError(error).message;
        if (why.includes('not a git repository'))
          throw new ToolError('usage', `“${root}” is in no Git repository, so there is no revision to compare with.`);
        // Otherwise Git's own message says, for example, that it does not trust the owner of the repository.
        const isShallow =
          why === '' && (await git(['rev-parse', '--is-shallow-repository'])).toString().startsWith('true');
        const hint = isShallow
          ? SHALLOW
          : why === ''
            ? 'Fetch it first, or name a commit, branch or tag that Git has here.'
            : why;
        throw new ToolError('usage', `Git has no revision “${name}” of “${root}”. ${hint}`);
      },
    );
    const places = placesOf(folder, { root, isMixed }, from);
    const list = async (...paths: readonly string[]): Promise<Buffer> =>
      git(['ls-tree', '-r', '-z', commit.toString().trim(), ...paths]);
    const beside = places.flatMap(({ name }) => (name === '' ? [] : [name]));
    // What is beside the model may be outside of its repository.
    const listing = beside.length === 0 ? list() : list('.', ...beside).catch(async () => list());
    const entries = filesOf(await listing, places);
    const objects = await git(['cat-file', '--batch'], entries.map(({ object }) => `${object}\n`).join(''));
    const texts = textsOf(objects, entries.length);
    const textsOfKind = (kind: Kind): ReadonlyMap<string, string> =>
      new Map(entries.flatMap((entry, at) => (entry.kind === kind ? [[entry.path, texts[at] ?? '']] : [])));
    const [globals] = textsOfKind('globals').values();
    return {
      root: shownFolder(root, from),
      files: textsOfKind('model'),
      queries: textsOfKind('query'),
      agents: { root: shownFolder(agentsBeside(folder), from), texts: textsOfKind('agent') },
      globals,
      isMixed,
    };
  };
}

type Kind = 'model' | 'globals' | 'query' | 'agent';

/** A folder whose files are read with a model. */
interface Place {
  /** Its path from the folder of the model, which is empty for that folder. */
  readonly name: string;
  /** The beginning of its files' paths in the answer. */
  readonly shown: string;
  readonly kindOf: (path: string) => Kind | undefined;
}

function placesOf(folder: string, model: ModelLocation, from: string): readonly Place[] {
  const { root } = model;
  const name = (path: string): string => relative(root, path).split(sep).join('/');
  const queries = queriesBeside(folder, model);
  const agents = folder === root ? undefined : agentsBeside(folder);
  return [
    ...(queries === undefined
      ? []
      : [
          {
            name: name(queries),
            shown: shownFolder(queries, from),
            kindOf: (path: string) => (isQueryPath(path) && isInReadFolders(path) ? 'query' : undefined),
          } as const,
        ]),
    ...(agents === undefined
      ? []
      : [
          {
            name: name(agents),
            shown: '',
            kindOf: (path: string) => (isAgentFilePath(path) ? 'agent' : undefined),
          } as const,
        ]),
    { name: '', shown: shownFolder(root, from), kindOf: kindInModel },
  ];
}

function kindInModel(path: string): Kind | undefined {
  if (path === 'globals.py') return 'globals';
  if (!isModelFilePath(path)) return undefined;
  return isQueryPath(path) ? 'query' : 'model';
}

const SHALLOW =
  'This clone is shallow: run “git fetch --unshallow” first, or have the pipeline fetch the history (GitHub: “fetch-depth: 0” of actions/checkout, GitLab: “GIT_DEPTH: 0”).';

/** Resolves to the branches and tags of the repository that a folder is in; rejects if there is none. */
export async function revisionNames(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const listed = await runGit(
    folder,
    ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes', 'refs/tags'],
    '',
    signal,
  );
  const names = listed
    .toString()
    .split('\n')
    .filter((name) => name !== '');
  return ['HEAD', ...names.map((name) => name.replace(/^refs\/(?:heads|remotes|tags)\//, ''))];
}

interface TreeEntry {
  readonly kind: Kind;
  readonly path: string;
  readonly object: string;
}

/** Returns the files of a listing that are read with a model: no links, and none in ignored folders. */
function filesOf(listing: Buffer, places: readonly Place[]): readonly TreeEntry[] {
  return listing
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, mode = '', object = '', path = ''] = /^(\d+) blob ([\da-f]+)\t([\s\S]+)$/.exec(line) ?? [];
      const place = places.find(({ name }) => name === '' || path.startsWith(`${name}/`));
      const below = place?.name === '' ? path : path.slice((place?.name.length ?? 0) + 1);
      const kind = mode.startsWith('100') ? place?.kindOf(below) : undefined;
      return kind === undefined ? [] : [{ kind, path: `${place?.shown ?? ''}${below}`, object }];
    });
}

/** Parses the output of `cat-file --batch`: for each object a line that ends in the size, the bytes, and a line break. */
function textsOf(answer: Buffer, count: number): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; texts.length < count;) {
    const lineEnd = answer.indexOf(10, at);
    const size = Number(/ blob (\d+)$/.exec(answer.toString('utf8', at, lineEnd))?.[1]);
    if (lineEnd === -1 || Number.isNaN(size))
      throw new ToolError(
        'platform',
        'Git does not have all files of the revision, as in a partial clone. Fetch them first, or clone without a filter.',
      );
    texts.push(answer.toString('utf8', lineEnd + 1, lineEnd + 1 + size));
    at = lineEnd + 1 + size + 1;
  }
  return texts;
}

/** Options that turn off what a repository could configure for these commands. */
const SAFE = [
  '--no-pager',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  // The files of a project can themselves be a repository, with a configuration that its owner did not write.
  '-c',
  'safe.bareRepository=explicit',
];

/** The same for variables. Only the list of protocols takes precedence over what a repository allows for one of them. */
const SAFE_VARIABLES = {
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
};

const NOT_INSTALLED = 'Git is not installed.';

function runGit(folder: string, args: readonly string[], input: string, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const program = programPath('git');
    if (program === undefined) {
      reject(new ToolError('usage', NOT_INSTALLED));
      return;
    }
    const env = { ...process.env, ...SAFE_VARIABLES };
    const child = spawn(program, [...SAFE, ...args], { cwd: folder, env, stdio: 'pipe', signal });
    const chunks: Buffer[] = [];
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    // Git may exit before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(abortReason(signal));
      else reject(error.code === 'ENOENT' ? new ToolError('usage', NOT_INSTALLED) : error);
    });
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks));
      else reject(new Error(complaint.trim().split('\n')[0] ?? ''));
    });
  });
}
