import * as v from 'valibot';
import { operation, slow } from '#api/operation.ts';
import {
  changed,
  dataOf,
  exactlyOne,
  idIn,
  inDeployment,
  isObject,
  listOf,
  objectOf,
  opt,
  strictObject,
  text,
} from '#api/schema.ts';

const tag = 'Branches';
const onBranch = strictObject({ branchName: text });

const branchEntries = {
  name: v.string(),
  /** Some servers send a number, others text. */
  id: opt(v.union([v.number(), v.string()])),
  /** Empty, null or missing for the deploy branch (docs/platform-api.md#branches-and-dev-mode). */
  parentBranch: opt(v.string()),
  lastHash: opt(v.string()),
  isStagingEnvironmentEnabled: opt(v.boolean()),
};

/** docs/platform-api.md#branches-and-dev-mode */
export const branch = v.looseObject(branchEntries);
export type Branch = v.InferOutput<typeof branch>;

/**
 * Returns the parent branch; `undefined` for the branch that production is built from. Platforms send that as null, as
 * an empty string, as the branch's own name, or leave it out (docs/platform-api.md#branches-and-dev-mode).
 */
export function parentOf({ name, parentBranch }: Pick<Branch, 'name' | 'parentBranch'>): string | undefined {
  return parentBranch === '' || parentBranch === name ? undefined : parentBranch;
}

/** Whether production is built from the branch: the one without a parent. */
export function isDeployBranch(branch: Pick<Branch, 'name' | 'parentBranch'>): boolean {
  return parentOf(branch) === undefined;
}

/** Whether a branch is a dev branch, by its name; only dev branches accept writes (docs/platform-api.md#branches-and-dev-mode). */
export function isDevBranch(name: string): boolean {
  return name.startsWith('dev-');
}

/**
 * Whether production may be built from the branch of this name, even if it is named like a dev branch: it has no
 * parent, and every other branch without a parent is named like a dev branch.
 */
export function mayBeDeployBranch(branches: readonly Pick<Branch, 'name' | 'parentBranch'>[], name: string): boolean {
  const roots = branches.filter((branch) => isDeployBranch(branch));
  return (
    roots.some((branch) => branch.name === name) &&
    roots.every((branch) => branch.name === name || isDevBranch(branch.name))
  );
}

/**
 * Forks a personal `dev-…` branch from `branchName` and makes it the caller's active one. See
 * docs/platform-api.md#startdevmode.
 */
export const startDevMode = operation({
  id: 'startDevMode',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/dev-mode',
  tag,
  summary: 'Start dev mode: fork a personal branch and make it active.',
  timeoutFactor: slow,
  params: inDeployment,
  body: onBranch,
  answer: objectOf(branchEntries),
});

/** See docs/platform-api.md#stopdevmode. */
export const stopDevMode = operation({
  id: 'stopDevMode',
  method: 'DELETE',
  path: '/build/api/v1/deployments/{deploymentId}/dev-mode',
  tag,
  summary: 'Stop dev mode; the dev branch stays in the list.',
  params: inDeployment,
});

/** See docs/platform-api.md#listbranches. */
export const listBranches = operation({
  id: 'listBranches',
  method: 'GET',
  path: '/build/api/v1/deployments/{deploymentId}/branches',
  tag,
  summary: 'List the branches of a deployment.',
  params: inDeployment,
  answer: listOf(branch),
});

/** See docs/platform-api.md#createbranch. */
export const createBranch = operation({
  id: 'createBranch',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/branches',
  tag,
  summary: 'Create a shared branch.',
  params: inDeployment,
  body: strictObject({ name: text, parentBranch: v.optional(text), enterDevMode: v.optional(v.boolean()) }),
  answer: changed(branchEntries),
});

/** See docs/platform-api.md#deletebranch. */
export const deleteBranch = operation({
  id: 'deleteBranch',
  method: 'DELETE',
  path: '/build/api/v1/deployments/{deploymentId}/branches',
  tag,
  summary: 'Delete a branch.',
  described: true,
  params: inDeployment,
  query: onBranch,
});

/** For shared branches only. See docs/platform-api.md#setbranchstagingenvironment. */
export const setBranchStagingEnvironment = operation({
  id: 'setBranchStagingEnvironment',
  method: 'PUT',
  path: '/build/api/v1/deployments/{deploymentId}/branches/staging-environment',
  tag,
  summary: "Switch a shared branch's staging environment on or off.",
  params: inDeployment,
  body: v.pipe(
    strictObject({ enabled: v.boolean(), branchName: v.optional(text), branchId: v.optional(idIn) }),
    v.forward(
      v.check(
        (body) => exactlyOne(body.branchName, body.branchId),
        'exactly one of branchName and branchId must be given',
      ),
      ['branchName'],
    ),
  ),
  answer: dataOf(opt(branch)),
});

const outcome = changed({ branchName: v.string(), lastHash: v.string(), message: v.string() });

/** Commits the working copy of a dev branch and pushes it to its parent. See docs/platform-api.md#commit. */
export const commit = operation({
  id: 'commit',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/commit',
  tag,
  summary: "Commit a dev branch's working copy and push it to the parent branch.",
  timeoutFactor: slow,
  params: inDeployment,
  body: strictObject({ message: text, branchName: text }),
  answer: outcome,
});

/** A conflict returns 409 with `{error, conflicts?}`. See docs/platform-api.md#pull. */
export const pull = operation({
  id: 'pull',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/pull',
  tag,
  summary: "Pull the parent branch's changes into a branch.",
  timeoutFactor: slow,
  params: inDeployment,
  body: onBranch,
  answer: outcome,
});

/** A conflict returns 409 with `{error, conflicts?}`. See docs/platform-api.md#merge. */
export const merge = operation({
  id: 'merge',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/merge',
  tag,
  summary: 'Merge a branch into its parent branch.',
  timeoutFactor: slow,
  params: inDeployment,
  body: strictObject({
    branchName: text,
    squashCommits: v.optional(v.boolean()),
    switchToParentBranch: v.optional(v.boolean()),
    deleteBranch: v.optional(v.boolean()),
  }),
  answer: outcome,
});

/** Merges into the deploy branch and rebuilds production. See docs/platform-api.md#mergetodefault. */
export const mergeToDefault = operation({
  id: 'mergeToDefault',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/merge-to-default',
  tag,
  summary: 'Merge a branch into the deploy branch and rebuild production.',
  timeoutFactor: slow,
  params: inDeployment,
  body: strictObject({
    branchName: text,
    message: v.optional(v.string()),
    removeBranchAfterMerge: v.optional(v.boolean()),
  }),
  answer: outcome,
});

/** Extracts the conflicting paths from the body of a 409 (`PlatformError.body`). */
export function conflictPaths(body: unknown): readonly string[] {
  const conflicts = isObject(body) ? body['conflicts'] : undefined;
  return Array.isArray(conflicts) ? conflicts.filter((path) => typeof path === 'string') : [];
}
