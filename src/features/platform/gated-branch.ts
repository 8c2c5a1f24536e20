import type { Client } from '#api/client/client.ts';
import { isPlatformError } from '#api/errors.ts';
import { baseName } from '#base/path.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import { UserError } from '#shell/user-error.ts';
import { type Branch, isProduction, productionOf } from './branches.ts';
import { fetchBranches, fetchDeployments } from './gateway.ts';
import { type BranchHashes, hashesOf } from './branch-hashes.ts';
import type { PlatformData } from './platform-data.ts';
import {
  type GatedSituation,
  type GatedStep,
  isShownFor,
  type ReplacedFiles,
  type Review,
  type StepFiles,
} from './production-gate.ts';
import { type BuildCheck, BuildChecks, type BuildReading, readSentBuild } from './sent-build.ts';

/** The dependencies of reading a situation: the platform's data, and the branches that settings protect. */
export interface GateReader {
  readonly data: PlatformData;
  readonly isProtected: (target: BranchTarget) => boolean;
  /** The verdicts of earlier readings of the same step. */
  readonly checks?: BuildChecks | undefined;
}

/** A Git step of a branch, as the gate needs it. */
export interface BranchStep {
  readonly step: Extract<GatedStep, 'commit' | 'merge' | 'mergeToDefault'>;
  readonly target: BranchTarget;
  readonly endsBranch?: boolean | undefined;
  /** When the step is compared even if it needs no confirmation; by default never. */
  readonly review?: Review | undefined;
  /** The files that the branch will have in the versions of another one when the step is sent. */
  readonly replaced?: ReplacedFiles | undefined;
}

export { BuildChecks } from './sent-build.ts';

/** A step as it was read. */
export interface StepReading {
  /** `build` is `unchecked` while `check` has not decided. */
  readonly situation: GatedSituation;
  readonly check?: BuildCheck | undefined;
}

/**
 * Reads what a Git step would do right now: its destination, the build of its branch, and the differences. Except for the
 * deployment’s name, it uses no cached data, and it reads each of them once. The gate treats anything that cannot be read as
 * production. A branch that is neither production nor protected is compared only for a review. It does not wait until the
 * platform has compiled the model: see `check`. Throws `UserError` if the branch no longer exists on the platform.
 */
export async function readBranchStep(reader: GateReader, step: BranchStep): Promise<StepReading> {
  const { target, review = { kind: 'ifNeeded' }, replaced } = step;
  const known = await readGoal(reader, step);
  const { to, isDeploy, isProtected } = known;
  if (isDeploy === false && !isProtected && !isShownFor(review, to))
    return { situation: { ...known, build: 'unknown', content: undefined } };
  const { build, check, own, theirs, sent } = await readBranches(reader, { target, to, replaced });
  const content = sent && theirs && differenceText(sent, theirs);
  const files = own && theirs && { own, theirs };
  return { situation: { ...known, ...build, content, sent: fileText(sent), files }, check };
}

/** Reads which branch a step changes, and what that means. */
async function readGoal(
  { data, isProtected }: GateReader,
  { step, target, endsBranch, replaced }: BranchStep,
): Promise<Omit<GatedSituation, 'build' | 'content'>> {
  // Throws at once if the account is signed out.
  const deployments = data.deployments(target.accountId);
  const [branches] = await Promise.all([listedBranches(data, target), deployments.ensure()]);
  const parent = branches && parentOf(branches, target);
  const to = step === 'mergeToDefault' ? branches && productionOf(branches) : parent;
  const isDeploy = step === 'mergeToDefault' || (branches && isProduction(branches, to));
  const isGuarded = isProtected({ ...target, branchName: to ?? '' });
  const deployment = data.nameOf(target);
  return {
    ...{ step, from: target.branchName, to, isDeploy, isProtected: isGuarded },
    ...{ endsBranch, replaced, branches, deployment },
  };
}

/** The branches of a step and the build of the first, each as far as it could be read. */
interface ReadBranches extends BuildReading {
  readonly own: BranchHashes | undefined;
  readonly theirs: BranchHashes | undefined;
  /** The files that are sent. */
  readonly sent: BranchHashes | undefined;
}

async function readBranches(
  { data, checks = new BuildChecks() }: GateReader,
  { target, to, replaced }: Pick<BranchStep, 'target' | 'replaced'> & Pick<GatedSituation, 'to'>,
): Promise<ReadBranches> {
  const hashes = async (branchName: string): Promise<BranchHashes | undefined> =>
    hashesOf(data, { ...target, branchName }).catch(unlessSignedOut);
  const reading = hashes(target.branchName);
  const text = reading.then(fileText);
  // Whoever awaits the reading learns it; the build may be read without it.
  text.catch(() => undefined);
  const [built, own, theirs, lent] = await Promise.all([
    // The branch was never built with the versions of another one.
    replaced ? unknownBuild : readSentBuild(data, target, text, checks),
    reading,
    to === undefined ? undefined : hashes(to),
    replaced && hashes(replaced.by),
  ]);
  const sent = own && replaced ? lent && withReplaced(own, replaced.paths, lent) : own;
  return { ...built, own, theirs, sent };
}

const unknownBuild: BuildReading = { build: { build: 'unknown' } };

/** Reads the same, and waits until the platform has compiled the model. */
export async function readCheckedStep(
  reader: GateReader,
  step: BranchStep,
  signal?: AbortSignal,
): Promise<GatedSituation> {
  const { situation, check } = await readBranchStep(reader, step);
  const found = await check?.(signal);
  signal?.throwIfAborted();
  return { ...situation, ...found };
}

/**
 * Returns the parent of the step's branch; `undefined` if the list does not name exactly one. Throws `UserError` if the branch is
 * gone: the button may be older than the merge or deletion by someone else that removed it.
 */
function parentOf(branches: readonly Branch[], { branchName }: BranchTarget): string | undefined {
  const parents = new Set(branches.filter(({ name }) => name === branchName).map(({ parentBranch }) => parentBranch));
  const [parent] = parents;
  if (parents.size > 0) return parents.size === 1 ? parent : undefined;
  throw goneBranch(branchName);
}

function goneBranch(branchName: string): UserError {
  return new UserError(
    `“${branchName}” is no longer on the platform, so nothing was sent. Choose another branch, or start dev mode again.`,
    { title: 'Refresh Branches', command: 'modelbench.branches.refresh' },
  );
}

/** A step that writes to a branch of a deployment from a source other than a branch. */
export interface BranchWrite {
  readonly step: Exclude<GatedStep, BranchStep['step']>;
  readonly target: DeploymentTarget;
  /** The source: a folder, a repository, or the name of the request. */
  readonly from: string;
  /** The branch to write to; `undefined`: the platform chooses. */
  readonly to: string | undefined;
  /** Set if that is the deploy branch, whatever its name. */
  readonly isDeploy?: true | undefined;
  /** Set if the branch was chosen from the platform's list: one that is gone since is not taken for another name of production. */
  readonly isListed?: true | undefined;
  /** The changes, as in the situation; without it, what the branch has counts: where it has moved, the user is asked again. */
  readonly content?: string | undefined;
}

/**
 * Reads the current facts about such a step. Throws `UserError` if the account is signed out, or if what it changes is no longer on the
 * platform.
 */
export async function readBranchWrite(
  { data, isProtected }: GateReader,
  { step, target, from, to, isDeploy, isListed, content }: BranchWrite,
): Promise<GatedSituation> {
  const branches = await listedBranches(data, target);
  if (isListed && branches && !branches.some(({ name }) => name === to)) throw goneBranch(to ?? '');
  const { accountId, deploymentId } = target;
  await data.deployments(accountId).ensure();
  const changed = isDeploy ? branches && productionOf(branches) : to;
  return {
    step,
    from,
    to,
    isDeploy: isDeploy ?? (branches && isProduction(branches, to)),
    isProtected: isProtected({ accountId, deploymentId, branchName: to ?? '' }),
    deployment: data.nameOf(target),
    build: 'unknown',
    content: content ?? branches?.find(({ name }) => name === changed)?.lastHash,
    branches,
  };
}

/**
 * Resolves to the differences between two branches of a deployment as one text; empty if there are none. Rejects with
 * `PlatformError`.
 */
export async function branchDifference(data: PlatformData, target: BranchTarget, other: string): Promise<string> {
  const { own, theirs } = await stepFiles(data, target, other);
  return differenceText(own, theirs);
}

/** Reads the files of two branches of a deployment. Rejects with `PlatformError`. */
export async function stepFiles(data: PlatformData, target: BranchTarget, other: string): Promise<StepFiles> {
  const [own, theirs] = await Promise.all([hashesOf(data, target), hashesOf(data, { ...target, branchName: other })]);
  return { own, theirs };
}

/** Returns the differences of a branch from another one as a text that is equal exactly if they are; empty if there are none. */
export function differenceText(own: BranchHashes, theirs: BranchHashes): string {
  const paths = [...new Set([...own.keys(), ...theirs.keys()])].filter((path) => own.get(path) !== theirs.get(path));
  return paths.length === 0
    ? ''
    : JSON.stringify(paths.sort().map((path) => [path, theirs.get(path) ?? null, own.get(path) ?? null]));
}

/** Returns the files of a branch as a text that is equal exactly if they are; `undefined` if they are not known. */
function fileText(hashes: BranchHashes | undefined): string | undefined {
  return hashes && JSON.stringify([...hashes.keys()].sort().map((path) => [path, hashes.get(path)]));
}

/** Returns the files of a branch after some of them have got the versions of another branch. */
function withReplaced(own: BranchHashes, paths: readonly string[], versions: BranchHashes): BranchHashes {
  const sent = new Map(own);
  for (const path of paths) {
    const hash = versions.get(path);
    if (hash === undefined) sent.delete(path);
    else sent.set(path, hash);
  }
  return sent;
}

/** A file that a step would change: its hashes before and after, and its former path if it is only renamed. */
export interface ContentDifference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly from?: string | undefined;
}

/** Parses the content of a situation (`branchDifference`) into files, in the order of their paths; empty if it is not known. */
export function differencesOf(content: string | undefined): readonly ContentDifference[] {
  if (content === undefined || content === '') return [];
  const rows = JSON.parse(content) as readonly (readonly [string, string | null, string | null])[];
  return withRenames(
    rows.map(([path, before, after]) => ({ path, before: before ?? undefined, after: after ?? undefined })),
  );
}

/**
 * Returns the files with each deletion and addition of the same bytes as one file that is only renamed. Among several deletions of
 * the same bytes, the one whose path is most alike is taken: in another letter case, then of the same name in another folder.
 */
export function withRenames(files: readonly ContentDifference[]): readonly ContentDifference[] {
  const moved = new Map<string, string>();
  const origins = new Set<string>();
  for (const likeness of likenesses) {
    const keyOf = (path: string, hash: string): string => JSON.stringify([hash, likeness(path)]);
    const gone = new Map<string, string[]>();
    for (const { path, before, after } of files) {
      if (before === undefined || after !== undefined || origins.has(path)) continue;
      const key = keyOf(path, before);
      const known = gone.get(key);
      if (known) known.push(path);
      else gone.set(key, [path]);
    }
    for (const { path, before, after } of files) {
      if (before !== undefined || after === undefined || moved.has(path)) continue;
      const from = gone.get(keyOf(path, after))?.shift();
      if (from === undefined) continue;
      origins.add(from);
      moved.set(path, from);
    }
  }
  return files.flatMap((file) => {
    const from = moved.get(file.path);
    if (from !== undefined) return [{ ...file, from }];
    return origins.has(file.path) ? [] : [file];
  });
}

/** What a deleted and an added path have in common if one is the other renamed, the most certain first. */
const likenesses: readonly ((path: string) => string)[] = [(path) => path.toLowerCase(), baseName, () => ''];

/**
 * Reads the branches from the platform instead of this window's cache; `undefined` if it does not list them now. Rejects if that is
 * because the account is signed out, the deployment is gone or the platform cannot be reached: no confirmation helps then.
 */
async function listedBranches(data: PlatformData, target: DeploymentTarget): Promise<readonly Branch[] | undefined> {
  const client = data.client(target.accountId);
  try {
    return await fetchBranches(client, target.deploymentId);
  } catch (error) {
    if (isPlatformError(error) && error.kind === 'notFound' && (await isGone(client, target))) throw goneDeployment();
    // Nothing could be sent either, and a question about an unknown branch would only hide why.
    if (isPlatformError(error) && (error.kind === 'network' || error.kind === 'timeout')) throw error;
    return unlessSignedOut(error);
  }
}

/** Throws the error if the account is signed out; what could not be read otherwise is unknown. */
function unlessSignedOut(error: unknown): undefined {
  if (!isPlatformError(error) || error.kind === 'auth') throw error;
}

/** Whether the platform lists its deployments, and this one is not among them. */
async function isGone(client: Client, { deploymentId }: DeploymentTarget): Promise<boolean> {
  const listed = await fetchDeployments(client).catch(() => undefined);
  return listed !== undefined && listed.every(({ id }) => id !== deploymentId);
}

function goneDeployment(): UserError {
  return new UserError('The deployment is no longer on the platform, so nothing was sent.', {
    title: 'Refresh Deployments',
    command: 'modelbench.deployments.refresh',
  });
}
