import { type Result, err, ok } from '#base/result.ts';

declare const devBrand: unique symbol;
declare const deployBrand: unique symbol;

/**
 * The name of a personal `dev-…` branch: the only kind of branch that files can be written to
 * (docs/platform-api.md#branches-and-dev-mode).
 */
export type DevBranch = string & { readonly [devBrand]: true };

/** Validates a branch name; only `dev-…` can become a `DevBranch`. */
export function devBranch(name: string): Result<DevBranch, string> {
  return /^dev-\S+$/.test(name)
    ? ok(name as DevBranch)
    : err(`“${name}” is not a dev-mode branch. Start dev mode to get a branch of your own that can be written to.`);
}

/**
 * The deploy branch of a deployment that accepts uploads: one upload transaction is its deploy
 * (docs/platform-api.md#uploads).
 */
export type DeployBranch = string & { readonly [deployBrand]: true };

/** Whether a folder may be uploaded to the deploy branch: the mode `git` rules it out, an unknown mode does not. */
export function mayDeploy(deployMode: string | undefined): boolean {
  return deployMode !== 'git';
}

/** Validates a branch of the list as a deploy branch (`parentBranch` empty), given the deployment's deploy mode. */
export function deployBranch(
  branch: { readonly name: string; readonly parentBranch?: string | null | undefined },
  deployMode: string | undefined,
): Result<DeployBranch, string> {
  const isDeployBranch =
    branch.parentBranch === undefined || branch.parentBranch === null || branch.parentBranch === '';
  if (isDeployBranch && mayDeploy(deployMode)) return ok(branch.name as DeployBranch);
  return err(
    `“${branch.name}” cannot be deployed to from here: only the deploy branch of a deployment that takes uploads can.`,
  );
}

/** The folder and branch that a base, a journal and a plan belong to. */
export interface SyncTarget {
  /** The account: tenant and credential, as an opaque id without secrets. */
  readonly account: string;
  readonly deployment: string;
  readonly branch: string;
}

/** Returns a target as a string, for maps and for plans and journals. */
export function targetKey(target: SyncTarget): string {
  return JSON.stringify([target.account, target.deployment, target.branch]);
}
