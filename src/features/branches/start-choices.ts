import { isDevBranch } from '#api/branches.ts';
import { type Branch, deployBranchOf } from '#features/platform/index.ts';

/** A branch on which dev mode can be started. */
export interface StartChoice {
  /** A branch of the deployment; `undefined` for a shared branch that is created first. */
  readonly branchName: string | undefined;
  readonly label: string;
  readonly description: string;
}

/**
 * Returns the choices of *Start Dev Mode*, the safest first: a new shared branch, the shared branches, and last the deploy
 * branch, because every commit of its dev branches deploys.
 */
export function startChoices(branches: readonly Branch[]): readonly StartChoice[] {
  const deploy = deployBranchOf(branches)?.name;
  const shared = branches.filter(({ name }) => !isDevBranch(name) && name !== deploy);
  return [
    {
      branchName: undefined,
      label: 'New Shared Branch…',
      description: 'production changes only with Merge to Default Branch',
    },
    ...shared.map(({ name }) => ({ branchName: name, label: name, description: `commits go to ${name}` })),
    ...(deploy === undefined
      ? []
      : [{ branchName: deploy, label: deploy, description: `production: every commit goes to ${deploy}` }]),
  ];
}

/**
 * Whether dev mode starts on a named branch without a question. For the deploy branch the safer choices are offered first: its
 * row is the most visible one, and every commit of its dev branches deploys.
 */
export function startsAtOnce(branchName: string, branches: readonly Branch[]): boolean {
  return branchName !== deployBranchOf(branches)?.name;
}

/** Describes where commits of a dev branch go and how they reach production; empty if the list does not show it. */
export function destinationOf(branchName: string, branches: readonly Branch[]): string {
  const deploy = deployBranchOf(branches)?.name;
  const parent = branches.find(({ name }) => name === branchName)?.parentBranch;
  if (parent === undefined || deploy === undefined) return '';
  return parent === deploy
    ? `; each commit goes to “${deploy}” (production)`
    : `; commits go to “${parent}”, and Merge to Default Branch brings them to production`;
}

/** What this machine and the platform know of the user's dev branches. */
export interface SwitchFacts {
  /** The dev branches that were started on this machine. */
  readonly mine: ReadonlySet<string>;
  /** The dev branch that saved files are uploaded to. */
  readonly active: string | undefined;
  /** The branch that the platform reports for the key, empty for none; `undefined` if not known. */
  readonly keyBranch: string | undefined;
}

/**
 * Whether *Switch Dev Branch* offers a branch: the user's own, but not the active one, unless the platform has the key on another
 * branch. The platform refuses others' dev branches (docs/platform-api.md#startdevmode), and uploads would overwrite their work.
 */
export function isSwitchChoice(branchName: string, { mine, active, keyBranch }: SwitchFacts): boolean {
  if (branchName === active) return keyBranch !== undefined && keyBranch !== active;
  return isDevBranch(branchName) && (mine.has(branchName) || branchName === keyBranch);
}
