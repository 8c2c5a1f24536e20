import { isDevBranch } from '#api/resources/branches.ts';
import { type Branch, isProduction } from '#features/platform/index.ts';

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
  const named = branches.filter(({ name }) => !isDevBranch(name));
  const [shared, production] = [false, true].map((isMeant) =>
    named.filter(({ name }) => mayBeProduction(branches, name) === isMeant),
  );
  return [
    {
      branchName: undefined,
      label: 'New Shared Branch…',
      description: 'production changes only with Merge to Default Branch',
    },
    ...(shared ?? []).map(({ name }) => ({ branchName: name, label: name, description: `commits go to ${name}` })),
    ...(production ?? []).map(({ name }) => {
      const what = isProduction(branches, name) === true ? 'production' : 'may be production';
      return { branchName: name, label: name, description: `${what}: every commit goes to ${name}` };
    }),
  ];
}

/** Whether production is built from a branch; also if the list does not show that, as at the production gate. */
function mayBeProduction(branches: readonly Branch[], name: string): boolean {
  return isProduction(branches, name) !== false;
}

/**
 * Whether dev mode starts on a named branch without a question. For the deploy branch the safer choices are offered first: its
 * row is the most visible one, and every commit of its dev branches deploys.
 */
export function startsAtOnce(branchName: string, branches: readonly Branch[]): boolean {
  return !branches.some(({ name }) => name === branchName) || !mayBeProduction(branches, branchName);
}

/** Describes where commits of a dev branch go and how they reach production; empty if the list does not show it. */
export function destinationOf(branchName: string, branches: readonly Branch[]): string {
  const parent = branches.find(({ name }) => name === branchName)?.parentBranch;
  if (parent === undefined) return '';
  const isDeploy = isProduction(branches, parent);
  if (isDeploy !== false) return `; each commit goes to “${parent}” (${isDeploy ? 'production' : 'may be production'})`;
  return `; commits go to “${parent}”, and Merge to Default Branch brings them to production`;
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
