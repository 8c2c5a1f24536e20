import { type Result, err, ok } from '#base/result.ts';

declare const devBrand: unique symbol;

/** Name of a personal `dev-…` branch: the only kind of branch that files can be written to (payloads, build side rules). */
export type DevBranch = string & { readonly [devBrand]: true };

/** Checks a branch name; anything but `dev-…` cannot become a `DevBranch`. */
export function devBranch(name: string): Result<DevBranch, string> {
  return /^dev-\S+$/.test(name)
    ? ok(name as DevBranch)
    : err(`“${name}” is not a dev-mode branch. Start dev mode to get a branch of your own that can be written to.`);
}

/** What a base, a journal and a plan belong to. */
export interface SyncTarget {
  /** The account: tenant and credential, as an opaque id without secrets. */
  readonly account: string;
  readonly deployment: string;
  readonly branch: string;
}

export function targetKey(target: SyncTarget): string {
  return JSON.stringify([target.account, target.deployment, target.branch]);
}
