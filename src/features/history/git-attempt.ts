import * as v from 'valibot';
import type { Disposable } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import { isEqual } from '#base/equal.ts';
import { parsed } from '#base/parsed.ts';
import { normalizePath } from '#base/path.ts';
import { attemptKey } from '#features/folders/index.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import type { GitConflict } from './git-workflow.ts';
import type { ListedState } from '#shell/erased-texts.ts';

const fileSchema = v.pipe(
  v.object({
    path: v.string(),
    /** The hash of the other branch's version that the user resolved the file against; empty if it has no such file. */
    resolvedAgainst: v.optional(v.string()),
    /** The name of that hash in files of earlier versions. */
    settled: v.optional(v.string()),
  }),
  v.transform(({ path, settled, resolvedAgainst = settled }) => ({
    path,
    ...(resolvedAgainst === undefined ? {} : { resolvedAgainst }),
  })),
);
const leftOutSchema = v.object({
  folderId: v.string(),
  path: v.string(),
  /** The hash of the local version; `undefined` if the file is deleted here. */
  hash: v.optional(v.string()),
});
const attemptSchema = v.object({
  step: v.picklist(['commit', 'pull', 'merge', 'mergeToDefault']),
  /** The branch whose versions conflict with the dev branch's. */
  from: v.string(),
  /** The platform's message. */
  message: v.string(),
  files: v.array(fileSchema),
  /** The options that the merge was requested with. */
  options: v.optional(
    v.object({ squashCommits: v.boolean(), switchToParentBranch: v.boolean(), deleteBranch: v.boolean() }),
  ),
  /** The message that the user typed for the step, so that it is not asked for again. */
  typed: v.optional(v.string()),
  /** Whether a merge to the default branch removes the dev branch. */
  removesBranch: v.optional(v.boolean()),
  /** Local versions that the user has agreed to leave out, so that the question is not repeated. */
  leftOut: v.optional(v.pipe(v.array(leftOutSchema), v.readonly())),
  /** Whether the parent must be pulled before the step can be repeated. */
  isBehind: v.optional(v.boolean()),
});

/** A Git step that stopped at a conflict: a 409 gives a message and the paths that both sides changed (docs/platform-api.md#git-steps). */
export type GitAttempt = Readonly<v.InferOutput<typeof attemptSchema>>;
export type GitStep = GitAttempt['step'];
/** A local version that is not on the platform and that a step leaves out. */
export type LeftOutFile = Readonly<v.InferOutput<typeof leftOutSchema>>;
/** A step as it was requested, without its outcome. */
export type AskedStep = Pick<GitAttempt, 'step' | 'from' | 'options' | 'typed' | 'removesBranch' | 'leftOut'>;

/**
 * The commit, pull or merge of each dev branch that waits until the user has resolved conflicts. Stored for the workspace, so
 * that it survives a reload; it ends when the step succeeds, the window leaves the branch, or the user aborts it.
 */
export class GitAttempts implements Disposable {
  readonly #window: ListedState;
  readonly #changed = new Emitter<void>();

  constructor(window: ListedState) {
    this.#window = window;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  of(target: BranchTarget): GitAttempt | undefined {
    this.#changed.track();
    return parsed(attemptSchema, this.#window.get(attemptKey(target)));
  }

  /** Records that a step met a conflict. Resolved files stay resolved; the other files that the platform names are open. */
  stopped(target: BranchTarget, { paths, message }: GitConflict, asked: AskedStep): Promise<void> {
    const before = this.of(target);
    const resolved = before?.from === asked.from ? before.files.filter(isResolved) : [];
    const named = paths.map(normalizePath).filter((path) => resolved.every((file) => file.path !== path));
    const { step, options, typed, removesBranch, leftOut = [] } = before && isPartOf(asked, before) ? before : asked;
    const files = [...resolved, ...named.map((path) => ({ path }))].sort((a, b) => (a.path < b.path ? -1 : 1));
    return this.#set(target, {
      step,
      from: asked.from,
      message,
      files,
      ...(options ? { options } : {}),
      ...(typed === undefined ? {} : { typed }),
      ...(removesBranch === undefined ? {} : { removesBranch }),
      ...(leftOut.length === 0 ? {} : { leftOut }),
      ...(paths.length === 0 ? { isBehind: true } : {}),
    });
  }

  /** Records that the user has resolved a file against the other branch's version with this hash (empty: it has no such file). */
  resolve(target: BranchTarget, path: string, theirs: string): Promise<void> {
    return this.#mark(target, new Set([path]), theirs);
  }

  /** Records that the user has agreed to leave these local versions out of the rest of the step. */
  async leaveOut(target: BranchTarget, files: readonly LeftOutFile[]): Promise<void> {
    const attempt = this.of(target);
    if (attempt && !isEqual(attempt.leftOut, files)) await this.#set(target, { ...attempt, leftOut: files });
  }

  /** Marks files as open again because the other branch has changed them since. */
  reopen(target: BranchTarget, paths: ReadonlySet<string>): Promise<void> {
    return this.#mark(target, paths, undefined);
  }

  /** Records that the changes of `from` are pulled: an attempt that waited for them continues with its step, and a pull ends. */
  async pulled(target: BranchTarget, from: string | undefined): Promise<void> {
    const attempt = this.of(target);
    if (!attempt || attempt.from !== from) return;
    const { isBehind: _, ...rest } = attempt;
    await this.#set(target, attempt.step === 'pull' ? undefined : { ...rest, files: [] });
  }

  async end(target: BranchTarget): Promise<void> {
    if (this.of(target)) await this.#set(target, undefined);
  }

  /** Ends the attempts of all other branches of a deployment, because the window has left them. */
  async keepOnly(deployment: DeploymentTarget, branchName: string | undefined): Promise<void> {
    const { accountId, deploymentId } = deployment;
    const all = attemptKey({ accountId, deploymentId, branchName: '' });
    const left = this.#window.keys().filter((key) => key.startsWith(all) && key !== `${all}${branchName ?? ''}`);
    for (const key of left) await this.#window.set(key, undefined);
    if (left.length > 0) this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #mark(target: BranchTarget, paths: ReadonlySet<string>, resolvedAgainst: string | undefined): Promise<void> {
    const attempt = this.of(target);
    if (!attempt) return;
    const files = attempt.files.map((file) =>
      paths.has(file.path) ? { path: file.path, ...(resolvedAgainst === undefined ? {} : { resolvedAgainst }) } : file,
    );
    await this.#set(target, { ...attempt, files });
  }

  async #set(target: BranchTarget, attempt: GitAttempt | undefined): Promise<void> {
    await this.#window.set(attemptKey(target), attempt);
    this.#changed.fire();
  }
}

/** Whether the user has resolved the file. */
export function isResolved({ resolvedAgainst }: GitAttempt['files'][number]): boolean {
  return resolvedAgainst !== undefined;
}

/** The order of the steps: a stopped step may need one with a lower number before it continues. */
const reach = { pull: 0, commit: 1, merge: 2, mergeToDefault: 2 } as const satisfies Readonly<Record<GitStep, number>>;

/** Whether a step is made on the way to another: a commit needs a pull, and a merge needs both, whichever branch they involve. */
function isPartOf(inner: AskedStep, whole: AskedStep): boolean {
  return reach[inner.step] < reach[whole.step];
}

/** Returns the files that the user has not resolved. */
export function openFiles(attempt: GitAttempt | undefined): readonly string[] {
  return (attempt?.files ?? []).filter((file) => !isResolved(file)).map(({ path }) => path);
}

/** Returns the resolved files whose version on the other branch has changed since. */
export function movedOn(
  attempt: GitAttempt,
  theirs: ReadonlyMap<string, { readonly hash: string }>,
): ReadonlySet<string> {
  const moved = attempt.files.filter(
    ({ path, resolvedAgainst }) => resolvedAgainst !== undefined && (theirs.get(path)?.hash ?? '') !== resolvedAgainst,
  );
  return new Set(moved.map(({ path }) => path));
}

/** Returns the step as users know it: `pull`, `merge`. */
export function stepText({ step }: Pick<GitAttempt, 'step'>): string {
  return step === 'mergeToDefault' ? 'merge' : step;
}
