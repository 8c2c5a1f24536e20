import { isDevBranch } from '#api/resources/branches.ts';
import * as branchApi from '#api/resources/branches.ts';
import type { CallOptions, Client, ChangeOutcome } from '#api/client/client.ts';
import { isPlatformError } from '#api/errors.ts';
import { err, ok, type Result } from '#base/result.ts';
import type { BranchTarget } from '#shell/targets.ts';
import {
  type Branch,
  deployBranchOf,
  fetchBranches,
  type LateFiles,
  lateFiles,
  type PlatformData,
  type ProductionPass,
  type StepFiles,
} from '#features/platform/index.ts';

/** Diverged histories that the user must resolve: the platform changed nothing. */
export interface GitConflict {
  /** The platform's message. */
  readonly message: string;
  /** Files that both sides changed; empty if the platform names none (the parent moved: pull first). */
  readonly paths: readonly string[];
  /** The branch whose versions conflict, if it is not the requested one. */
  readonly from?: string | undefined;
}

/** The resulting commit, if the platform reports it. */
export interface GitOutcome {
  readonly lastHash: string | undefined;
  readonly message: string | undefined;
  /** Files that came while it was being sent; read at once, and never rejects. */
  readonly late?: Promise<LateFiles | undefined> | undefined;
}

export interface MergeOptions {
  readonly squashCommits: boolean;
  readonly switchToParentBranch: boolean;
  readonly deleteBranch: boolean;
}

export type GitResult = Promise<Result<GitOutcome, GitConflict>>;

/** Commits the dev branch's working copy and pushes it to its parent (docs/platform-api.md#commit). */
export function commitBranch(
  data: PlatformData,
  target: BranchTarget,
  message: string,
  pass: ProductionPass,
): GitResult {
  pass.use('commit', target);
  return withLate(data, target, pass, 'something', sendCommit(data, target, message, pass));
}

function sendCommit(
  data: PlatformData,
  target: BranchTarget,
  message: string,
  { branches, beforeRetry }: Pick<LostReply, 'branches' | 'beforeRetry'>,
): GitResult {
  const { deploymentId, branchName } = target;
  return withHead(data, target, () =>
    gitStep(data, target, { check: movedOn('notDone'), branches, beforeRetry }, (client, options) =>
      client.call(branchApi.commit, { params: { deploymentId }, body: { message, branchName } }, options),
    ),
  );
}

/** Pulls the parent's changes into the branch. */
export function pullBranch(data: PlatformData, target: BranchTarget): GitResult {
  const { deploymentId, branchName } = target;
  return withHead(data, target, () =>
    gitStep(data, target, { check: movedOn('unknown') }, (client, options) =>
      client.call(branchApi.pull, { params: { deploymentId }, body: { branchName } }, options),
    ),
  );
}

/**
 * Pulls the changes of the parent's own parent: commits the branch to its parent, and pulls them into both. The branch that they
 * come from does not change.
 */
export async function pullThrough(
  data: PlatformData,
  target: BranchTarget,
  {
    parent,
    message,
    files,
  }: { readonly parent: string; readonly message: string; readonly files?: StepFiles | undefined },
  pass: ProductionPass,
): GitResult {
  pass.use('commit', target);
  // The branch has got other files since its pass was made.
  const committed = await sendCommit(data, target, message, { beforeRetry: pass.beforeRetry });
  if (!committed.ok) return err({ ...committed.error, from: parent });
  // Before the parent gets other changes. A branch without changes of its own has nothing to commit.
  const late = await lateFiles(data, target, parent, files, undefined);
  const taken = await pullBranch(data, { ...target, branchName: parent });
  const pulled = taken.ok ? await pullBranch(data, target) : taken;
  return pulled.ok ? ok({ ...pulled.value, late: Promise.resolve(late) }) : pulled;
}

/** Merges the branch into its parent. */
export function mergeBranch(
  data: PlatformData,
  target: BranchTarget,
  options: MergeOptions,
  pass: ProductionPass,
): GitResult {
  pass.use('merge', target);
  const { deploymentId, branchName } = target;
  const check = mergedInto((branches, own) => branches.get(own?.parentBranch ?? ''), options.deleteBranch);
  const merged = gitStep(
    data,
    target,
    { check, branches: pass.branches, beforeRetry: pass.beforeRetry },
    (client, once) =>
      client.call(branchApi.merge, { params: { deploymentId }, body: { branchName, ...options } }, once),
  );
  return withLate(data, target, pass, 'perhaps', merged);
}

/** Merges the branch into the deploy branch, which rebuilds production (docs/platform-api.md#branches-and-dev-mode). */
export function mergeToDefault(
  data: PlatformData,
  target: BranchTarget,
  options: { readonly message: string | undefined; readonly removeBranchAfterMerge: boolean },
  pass: ProductionPass,
): GitResult {
  pass.use('mergeToDefault', target);
  const { deploymentId, branchName } = target;
  const { message, removeBranchAfterMerge } = options;
  const body = { branchName, removeBranchAfterMerge, ...(message === undefined ? {} : { message }) };
  const check = mergedInto((branches) => deployBranchOf([...branches.values()]), removeBranchAfterMerge);
  const merged = gitStep(
    data,
    target,
    { check, branches: pass.branches, beforeRetry: pass.beforeRetry },
    (client, once) => client.call(branchApi.mergeToDefault, { params: { deploymentId }, body }, once),
  );
  return withLate(data, target, pass, 'perhaps', merged);
}

/** Adds the files that came while a step was being sent. */
async function withLate(
  data: PlatformData,
  target: BranchTarget,
  { to, files }: ProductionPass,
  brings: 'something' | 'perhaps',
  step: GitResult,
): GitResult {
  const sent = await step;
  return sent.ok ? ok({ ...sent.value, late: lateFiles(data, target, to, files, brings) }) : sent;
}

type Branches = ReadonlyMap<string, Branch>;

/** Infers the outcome of a step whose response was lost from the commits of the branches before and after it. */
type OutcomeCheck = (branchName: string, before: Branches, now: Branches) => ChangeOutcome['kind'];

/**
 * Infers the outcome of a commit or a pull: it gives the dev branch another commit, and nothing else writes to it. A pull may
 * have no changes to bring.
 */
const movedOn =
  (unmoved: ChangeOutcome['kind']): OutcomeCheck =>
  (branchName, before, now) => {
    const [old, own] = [before.get(branchName)?.lastHash, now.get(branchName)?.lastHash];
    if (old === undefined || own === undefined || !isDevBranch(branchName)) return 'unknown';
    return old === own ? unmoved : 'done';
  };

/**
 * Infers the outcome of a merge. A colleague’s merge also moves the branch, so only the same commit or the deleted branch is
 * proof.
 */
function mergedInto(
  goal: (branches: Branches, own: Branch | undefined) => Branch | undefined,
  deletes: boolean,
): OutcomeCheck {
  return (branchName, before, now) => {
    const own = before.get(branchName);
    if (deletes) return own && !now.has(branchName) ? 'done' : 'notDone';
    const [old, next] = [goal(before, own)?.lastHash, goal(now, own)?.lastHash];
    // Commits also go to the parent branch, so a merge may move nothing.
    return next !== undefined && old !== next && next === now.get(branchName)?.lastHash ? 'done' : 'unknown';
  };
}

function byName(branches: readonly Branch[]): Branches {
  return new Map(branches.map((branch) => [branch.name, branch]));
}

/** How the outcome of a step is inferred if its reply is lost. */
interface LostReply {
  readonly check: OutcomeCheck;
  /** The branches as they were read last; if missing, they are read before the step is sent. */
  readonly branches?: readonly Branch[] | undefined;
  /** Checks a step that was confirmed before it is sent again. */
  readonly beforeRetry?: (() => Promise<void>) | undefined;
}

/**
 * Runs a Git step. Diverged histories are returned for the user to resolve: a 409, or conflicting files under any status. Any
 * other failure is thrown, with the platform’s message.
 */
async function gitStep(
  data: PlatformData,
  target: BranchTarget,
  { check, branches, beforeRetry }: LostReply,
  request: (
    client: Client,
    options: CallOptions,
  ) => Promise<{
    readonly lastHash?: string | undefined;
    readonly message?: string | undefined;
  }>,
): GitResult {
  try {
    const client = data.client(target.accountId);
    const list = async (): Promise<readonly Branch[]> => fetchBranches(client, target.deploymentId);
    // Nothing is read between the last reading of what is sent and the request that sends it.
    const before = byName(branches ?? (await list().catch(() => [])));
    const seen = async (): Promise<ChangeOutcome> => ({
      kind: check(target.branchName, before, byName(await list())),
    });
    const { lastHash, message } = await request(client, { checkOutcome: seen, beforeRetry });
    void data.of(target).branches.invalidate();
    return ok({ lastHash, message });
  } catch (thrown) {
    if (!isPlatformError(thrown)) throw thrown;
    const paths = thrown.reason === 'gitConflict' ? branchApi.conflictPaths(thrown.body) : [];
    const isOutcome = paths.length > 0 || (thrown.status === 409 && thrown.reason !== 'uncommittedWork');
    if (!isOutcome) throw thrown;
    return err({ message: thrown.message, paths });
  }
}

/** Adds the branch's commit from the list of branches: the documented response to a Git step reports only success. */
async function withHead(data: PlatformData, target: BranchTarget, step: () => GitResult): GitResult {
  const { branches } = data.of(target);
  const head = (): string | undefined => branches.value?.find(({ name }) => name === target.branchName)?.lastHash;
  const before = head();
  const outcome = await step();
  if (!outcome.ok || outcome.value.lastHash !== undefined) return outcome;
  // Joins the refresh that the step has started.
  await branches.refresh();
  const after = head();
  return ok({ ...outcome.value, lastHash: after === before ? undefined : after });
}
