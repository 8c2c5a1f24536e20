import { isDevBranch } from '#api/resources/branches.ts';
import { unreachable } from '#base/result.ts';

/** A branch as the views need it (docs/platform-api.md#branches-and-dev-mode). */
export interface Branch {
  readonly name: string;
  readonly id?: string | number | undefined;
  readonly parentBranch: string | undefined;
  readonly lastHash: string | undefined;
  readonly staging: boolean;
}

/** `deploy`: production is or may be built from it; `shared`: a branch for everyone; `mine`/`others`: personal dev branches. */
export type BranchRole = 'deploy' | 'shared' | 'mine' | 'others';

/** Returns the deploy branch: the one without a parent, whatever its name (docs/platform-api.md#branches-and-dev-mode). */
export function deployBranchOf(branches: readonly Branch[]): Branch | undefined {
  return branches.find((branch) => branch.parentBranch === undefined && !isDevBranch(branch.name));
}

/**
 * Returns the name of the branch that production is built from; `undefined` if the list does not show it: none, or more than one
 * branch has no parent.
 */
export function productionOf(branches: readonly Branch[]): string | undefined {
  const names = namesOfRoots(branches);
  const [name] = names;
  return names.size === 1 ? name : undefined;
}

/**
 * Whether production is built from the branch of this name; `undefined` if the list does not show that,
 * or if it has no such branch: the name may be another one of the production branch.
 */
export function isProduction(branches: readonly Branch[], name: string | undefined): boolean | undefined {
  const roots = namesOfRoots(branches);
  if (name === undefined || roots.size === 0 || !branches.some((branch) => branch.name === name)) return undefined;
  if (!roots.has(name)) return false;
  return roots.size === 1 ? true : undefined;
}

function namesOfRoots(branches: readonly Branch[]): ReadonlySet<string> {
  return new Set(
    branches
      .filter(({ name, parentBranch }) => parentBranch === undefined && !isDevBranch(name))
      .map(({ name }) => name),
  );
}

/** Returns the role of a branch, which determines what can be done with it; `mine` has the user’s dev branches. */
export function roleOf(branch: Branch, deployBranch: string | undefined, mine: ReadonlySet<string>): BranchRole {
  if (isDevBranch(branch.name)) return mine.has(branch.name) ? 'mine' : 'others';
  return branch.name === deployBranch || branch.parentBranch === undefined ? 'deploy' : 'shared';
}

/**
 * Returns why the staging environment of a branch cannot be switched; `undefined` if it can
 * (docs/platform-api.md#setbranchstagingenvironment).
 */
export function stagingRefusal(branch: Branch, role: BranchRole): string | undefined {
  switch (role) {
    case 'deploy':
      return `“${branch.name}” is the deploy branch: it already has the production environment. Staging environments are for shared branches.`;
    case 'mine':
    case 'others':
      return `“${branch.name}” is a personal dev branch: it has a development environment while it is active. Staging environments are for shared branches.`;
    case 'shared':
      return undefined;
    default:
      return unreachable(role);
  }
}

/** Returns the first seven characters, as Git shows a commit. */
export function shortHash(hash: string | undefined): string | undefined {
  return hash === undefined || hash === '' ? undefined : hash.slice(0, 7);
}
