import { createHash } from 'node:crypto';
import type { ModelSource } from '../deps.ts';
import { PathError, repositoryPath } from '../git/paths.ts';
import { type FileEntry, type FileIndex, sha1 } from '../git/worktree.ts';
import type { Core } from './core.ts';
import { applyChange, type FileStep } from './journal.ts';
import { conflict, invalid, notFound, Refusal } from './refusal.ts';
import type { BranchRow } from './rows.ts';
import { stage, stageLinks } from './staging.ts';

/** What a request expects of the files it changes, from its `If-Match` and `If-None-Match` headers. */
export type Expectation = (path: string, at: number, current: string | undefined) => boolean;

/** The files of a branch: the working copy of a dev branch, the committed tree of any other. Not sorted. */
export async function branchFiles(core: Core, branch: BranchRow): Promise<FileIndex> {
  const repository = core.repository(branch.deployment_id);
  if (branch.is_dev === 1) return repository.worktree(branch.name).index();
  return repository.indexOf(repository.head(branch.name));
}

/** The bytes of files of a branch; a path that is not there is left out. */
export async function readFiles(
  core: Core,
  branch: BranchRow,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const repository = core.repository(branch.deployment_id);
  if (branch.is_dev === 0) return repository.readAt(repository.head(branch.name), paths);
  const worktree = repository.worktree(branch.name);
  const index = await worktree.index();
  const found = paths.filter((path) => index.has(path));
  return new Map(await Promise.all(found.map(async (path) => [path, await worktree.read(path)] as const)));
}

/** The model files of a branch with a revision that changes when one of them does. */
export async function modelSource(core: Core, branch: BranchRow): Promise<ModelSource> {
  const repository = core.repository(branch.deployment_id);
  return repository.exclusive(async () => {
    const index = await branchFiles(core, branch);
    const hashes = [...index].filter(([path]) => isModelFile(path)).map(([path, { hash }]) => ({ path, hash }));
    hashes.sort((a, b) => (a.path < b.path ? -1 : 1));
    // Content is kept by its hash: a build after one save reads one file.
    const unknown = hashes.filter(({ hash }) => !repository.texts.has(hash)).map(({ path }) => path);
    const read = await readFiles(core, branch, unknown);
    const digest = createHash('sha1');
    const files = hashes.map(({ path, hash }) => {
      digest.update(`${path}\0${hash}\n`);
      const bytes = read.get(path);
      const content = bytes === undefined ? repository.texts.get(hash) : bytes.toString('utf8');
      if (bytes !== undefined) repository.texts.set(hash, content ?? '');
      return { fileName: path, content: content ?? '' };
    });
    return { revision: digest.digest('hex'), files };
  });
}

/** Writes files into a dev branch's working copy, all or none. */
export async function writeFiles(
  core: Core,
  branch: BranchRow,
  files: readonly { readonly path: string; readonly content: string }[],
  expected: Expectation,
): Promise<void> {
  const paths = files.map((file, at) => safePath(file.path, `files.${at}.path`));
  await changeFiles(core, branch, paths, expected, async (index) => {
    const steps: FileStep[] = [];
    for (const [at, path] of paths.entries()) {
      const bytes = Buffer.from(files[at]?.content ?? '', 'utf8');
      if (index.get(path)?.hash === sha1(bytes)) continue;
      steps.push({ kind: 'adopt', path, ...stage(core, branch.deployment_id, bytes) });
    }
    return steps;
  });
}

/** Deletes files of a dev branch's working copy; 404 when one of them is not there, and then nothing is deleted. */
export async function deleteFiles(
  core: Core,
  branch: BranchRow,
  files: readonly { readonly path: string }[],
  expected: Expectation,
): Promise<void> {
  const paths = files.map((file, at) => safePath(file.path, `files.${at}.path`));
  await changeFiles(core, branch, paths, expected, (index) => {
    const missing = paths.find((path) => !index.has(path));
    if (missing !== undefined) throw notFound(`File "${missing}"`);
    return Promise.resolve(paths.map((path) => ({ kind: 'remove', path })));
  });
}

/** Renames files of a dev branch's working copy, in the order given; a target that exists is 409. */
export async function renameFiles(
  core: Core,
  branch: BranchRow,
  files: readonly { readonly path: string; readonly newPath: string }[],
  expected: Expectation,
): Promise<void> {
  const moves = files.map((file, at) => ({
    path: safePath(file.path, `files.${at}.path`),
    newPath: safePath(file.newPath, `files.${at}.newPath`),
  }));
  const paths = moves.map(({ path }) => path);
  await changeFiles(core, branch, paths, expected, async (index) => {
    const present = new Set(index.keys());
    for (const { path, newPath } of moves) {
      if (!present.delete(path)) throw notFound(`File "${path}"`);
      if (present.has(newPath)) throw conflict(`"${newPath}" exists already.`, [newPath]);
      present.add(newPath);
    }
    const worktree = core.repository(branch.deployment_id).worktree(branch.name);
    const staged = await stageLinks(core, branch.deployment_id, worktree, paths);
    const targets = new Set(moves.map(({ newPath }) => newPath));
    return [
      ...paths.filter((path) => !targets.has(path)).map((path): FileStep => ({ kind: 'remove', path })),
      ...moves.map(({ newPath }, at): FileStep => ({
        kind: 'adopt',
        path: newPath,
        staged: staged[at] ?? '',
        entry: index.get(paths[at] ?? '') as FileEntry,
      })),
    ];
  });
}

/** @throws Refusal 400 naming the field */
export function safePath(path: string, field: string): string {
  try {
    return repositoryPath(path);
  } catch (error) {
    throw error instanceof PathError ? invalid(`${field}: ${error.message}`) : error;
  }
}

/** Refuses a set of files in which one path would have to be a file and a folder at once. */
export function checkShape(paths: Iterable<string>): void {
  const files = new Set(paths);
  for (const path of files) {
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      if (files.has(folder)) throw conflict(`"${folder}" cannot be a file and the folder of "${path}".`, [folder]);
    }
  }
}

async function changeFiles(
  core: Core,
  branch: BranchRow,
  paths: readonly string[],
  expected: Expectation,
  plan: (index: FileIndex) => Promise<readonly FileStep[]>,
): Promise<void> {
  if (new Set(paths).size < paths.length) throw invalid('A file must not be named twice in one request.');
  const steps = await core.repository(branch.deployment_id).exclusive(async () => {
    const index = await branchFiles(core, branch);
    checkExpected(paths, index, expected);
    const steps = await plan(index);
    checkShape(pathsAfter(index, steps));
    if (steps.length > 0) await applyChange(core, branch.deployment_id, branch.name, { kind: 'files', steps });
    return steps;
  });
  if (steps.length > 0) core.builds.request(branch.deployment_id, branch.name);
}

function checkExpected(paths: readonly string[], index: FileIndex, expected: Expectation): void {
  const changed = paths.filter((path, at) => !expected(path, at, index.get(path)?.hash));
  if (changed.length === 0) return;
  throw new Refusal(412, `Changed on the platform since you read it: ${changed.join(', ')}. Nothing was written.`, {
    files: Object.fromEntries(changed.map((path) => [path, { hash: index.get(path)?.hash ?? null }])),
  });
}

export function pathsAfter(index: FileIndex, steps: readonly FileStep[]): Set<string> {
  const paths = new Set(index.keys());
  for (const step of steps) {
    if (step.kind === 'remove') paths.delete(step.path);
  }
  for (const step of steps) {
    if (step.kind === 'adopt') paths.add(step.path);
  }
  return paths;
}

const isModelFile = (path: string): boolean =>
  /^(?:model|schema)\//.test(path) && /\.(?:ya?ml|jinja|js|ts|py)$/.test(path);
