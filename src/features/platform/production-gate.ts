import { append } from '#base/long-lists.ts';
import { unreachable } from '#base/result.ts';
import type { BranchHashes } from './branch-hashes.ts';
import { capitalized } from '#base/words.ts';
import type { Branch } from './branches.ts';
import type { BuildPhase } from './build-state.ts';

/** A step that can change the branch that production is built from (docs/security.md#the-rules). */
export type GatedStep =
  | 'commit'
  | 'merge'
  | 'mergeToDefault'
  | 'deploy'
  | 'dbtSync'
  | 'connectGithub'
  | 'upload'
  | 'writeFiles'
  | 'deleteBranch'
  | 'undocumented';

/** Steps whose source is a branch: its build and its files determine what production gets. */
const sendsBranch: ReadonlySet<GatedStep> = new Set<GatedStep>(['commit', 'merge', 'mergeToDefault']);

/** Whether a step sends the files of a branch, so that they can be compared with those of the branch that it changes. */
export function isOfBranch({ step }: Pick<GatedSituation, 'step'>): boolean {
  return sendsBranch.has(step);
}

/**
 * Whether the source compiles: the build state of its branch as the platform reports it now. `unproven`: a build succeeded, but
 * it may be one of an earlier commit, and the platform compiles no branch on demand. `unchecked`: it does, but has not answered
 * yet, or could not.
 */
export type SentBuild = 'built' | 'unproven' | 'unchecked' | 'building' | 'failed' | 'unknown';

/** What is known of the build of a source. */
export interface CheckedBuild {
  readonly build: SentBuild;
  /** The first error of a failed build, as the platform reports it. */
  readonly buildError?: string | undefined;
}

/** Files that a branch has in the versions of another one while a step is sent. */
export interface ReplacedFiles {
  readonly by: string;
  readonly paths: readonly string[];
}

/** The files of the branch that a step sends and of the one that it changes, by hash. */
export interface StepFiles {
  readonly own: BranchHashes;
  readonly theirs: BranchHashes;
}

/** When a step is shown to its user although it can reach neither production nor a protected branch. */
export type Review =
  | { readonly kind: 'ifNeeded' }
  /** Always, with its files. */
  | { readonly kind: 'always' }
  /** Where it would go to another branch than this one, which the user read on a button or confirmed before. */
  | { readonly kind: 'unlessTo'; readonly to: string };

/** Whether a step to this branch (`undefined`: not known) is shown although it needs no confirmation. */
export function isShownFor(review: Review, to: string | undefined): boolean {
  switch (review.kind) {
    case 'ifNeeded':
      return false;
    case 'always':
      return true;
    case 'unlessTo':
      return to !== review.to;
    default:
      return unreachable(review);
  }
}

/** The current facts about a step. */
export interface GatedSituation extends CheckedBuild {
  readonly step: GatedStep;
  /** The source: a branch, a folder, or a repository. */
  readonly from: string;
  /** The branch that is changed; `undefined` if not known. */
  readonly to: string | undefined;
  /** Whether that is the deploy branch; `undefined` if not known, which counts as production. */
  readonly isDeploy: boolean | undefined;
  /** Whether settings protect that branch or its deployment. */
  readonly isProtected: boolean;
  /** The name of the deployment. */
  readonly deployment: string;
  /**
   * The changes that the step would make, as a text that is equal exactly if the changes are; empty: none; `undefined`: not
   * known.
   */
  readonly content: string | undefined;
  /** The files that a branch sends, as a text that is equal exactly if they are; `undefined` if they were not read. */
  readonly sent?: string | undefined;
  /** The files of which the step sends the versions of another branch. */
  readonly replaced?: ReplacedFiles | undefined;
  /** Whether the step also leaves or deletes its branch, so that it has an effect even if no file differs. */
  readonly endsBranch?: boolean | undefined;
  /** The branches of the deployment, if they were read. */
  readonly branches?: readonly Branch[] | undefined;
  /** The files of both branches, if they were read. */
  readonly files?: StepFiles | undefined;
}

/** A reason against a step. */
export interface GateWarning {
  readonly kind: 'failed' | 'building' | 'unknownBuild' | 'unchecked' | 'unknownBranch' | 'notCompared' | 'protected';
  readonly text: string;
}

export type GateDecision =
  /** The step cannot reach production, nothing is protected, and no branch is deleted. */
  | { readonly kind: 'free' }
  /** The user must confirm the step, by typing `typed` if it is given. */
  | { readonly kind: 'review'; readonly typed: string | undefined; readonly warnings: readonly GateWarning[] }
  /** There is nothing to do. */
  | { readonly kind: 'nothing'; readonly say: string };

/**
 * Decides about a step before it is executed. Anything unknown counts as production. A build that failed or was not checked, a
 * deploy and the deletion of a branch require typing the deployment's name, a protected branch its own.
 */
export function productionGate(situation: GatedSituation): GateDecision {
  const { content, endsBranch = false } = situation;
  if (content === '' && !endsBranch) return { kind: 'nothing', say: nothingText(situation) };
  if (isFree(situation)) return { kind: 'free' };
  return { kind: 'review', typed: typedFor(situation), warnings: warningsOf(situation) };
}

/** Whether a step needs no confirmation if it changes anything. */
function isFree({ step, isDeploy, isProtected }: GatedSituation): boolean {
  // What is lost with a branch cannot be put back, wherever it is.
  return isDeploy === false && !isProtected && step !== 'deleteBranch';
}

/** The warnings of a build that fails or may fail. */
const uncertain = ['failed', 'building', 'unknownBuild', 'unchecked'] as const satisfies readonly GateWarning['kind'][];

/**
 * Whether a confirmation still covers what would be sent now: the same content to the same branch, with no warning that was not
 * shown. A build that has succeeded meanwhile needs no new confirmation. For a step that needs none, only its own files count: the
 * platform refuses it where its destination has moved.
 */
export function isCovered(shown: GatedSituation, now: GatedSituation): boolean {
  const later = productionGate(now);
  const before = productionGate(shown);
  if (shown.to !== now.to || shown.deployment !== now.deployment) return false;
  if (later.kind === 'free' || isEmptyAsShown(shown, now)) return shown.sent === now.sent;
  if (later.kind === 'nothing' || shown.content !== now.content) return false;
  if (before.kind !== 'review' || (later.typed !== undefined && later.typed !== before.typed)) return false;
  const known = new Set(before.warnings.map(({ kind }) => kind));
  // All of them warned of a build that may fail; the actual failure is a new fact.
  const isUncertain = uncertain.some((kind) => known.has(kind));
  if (isUncertain) for (const kind of uncertain) if (kind !== 'failed') known.add(kind);
  return later.warnings.every(({ kind }) => known.has(kind));
}

/** Whoever has seen that no file differs merges for another reason, such as the commits. */
function isEmptyAsShown(shown: GatedSituation, now: GatedSituation): boolean {
  return shown.content === '' && now.content === '' && isFree(now);
}

/** Returns the destination of a step for questions and buttons: `main (production)`. */
export function destinationText(situation: Pick<GatedSituation, 'step' | 'to' | 'isDeploy'>): string {
  const name = nameOfGoal(situation);
  return situation.isDeploy === true ? `${name} (production)` : name;
}

/** Returns the name of a step's destination in quotes, or what is known of it. */
function quotedGoal(situation: Pick<GatedSituation, 'step' | 'to'>): string {
  const name = nameOfGoal(situation);
  return situation.to === undefined ? name : `“${name}”`;
}

/**
 * Returns the name of a step's destination. A write without a branch goes to the active one, or to the deploy branch
 * (docs/platform-api.md#branches-and-dev-mode).
 */
function nameOfGoal({ step, to }: Pick<GatedSituation, 'step' | 'to'>): string {
  if (to !== undefined) return to;
  switch (step) {
    case 'upload':
      return 'the branch that the upload was started for';
    case 'writeFiles':
    case 'deleteBranch':
    case 'undocumented':
      return 'the active branch';
    case 'mergeToDefault':
      return 'the deploy branch';
    default:
      return 'the parent branch';
  }
}

/** Returns the effect on production as a sentence; empty if there is none. */
export function effectText(situation: GatedSituation): string {
  const { step, isDeploy, deployment } = situation;
  if (isDeploy === false) return '';
  if (isDeploy === undefined) return `Production of “${deployment}” may be rebuilt.`;
  const verb = step === 'deleteBranch' ? 'built' : 'rebuilt';
  return `Production of “${deployment}” is ${verb} from ${quotedGoal(situation)}.`;
}

/** Returns the label of the confirmation button: the step and its destination. */
export function stepButton(
  situation: Pick<GatedSituation, 'step' | 'from' | 'to' | 'isDeploy' | 'deployment'>,
): string {
  const destination = destinationText(situation);
  switch (situation.step) {
    case 'commit':
      return `Commit to ${destination}`;
    case 'merge':
    case 'mergeToDefault':
      return `Merge into ${destination}`;
    case 'deploy':
      return `Deploy to ${situation.deployment} (production)`;
    case 'dbtSync':
      return `Start dbt Sync on ${destination}`;
    case 'connectGithub':
      return `Connect ${situation.deployment} to GitHub`;
    case 'upload':
      return `Finish Upload to ${destination}`;
    case 'writeFiles':
      return `Change Files on ${destination}`;
    case 'deleteBranch':
      return `Delete ${destination}`;
    case 'undocumented':
      return `Run ${situation.from}`;
    default:
      return unreachable(situation.step);
  }
}

/** Converts the platform's build state. A branch that is not active has no build to rely on. */
export function sentBuild(phase: BuildPhase | undefined): SentBuild {
  switch (phase) {
    case 'built':
      return 'built';
    case 'failed':
      return 'failed';
    case 'building':
    case 'warmup':
      return 'building';
    case 'cancelled':
    case 'stopped':
    case 'none':
    case 'inactive':
    case 'unknown':
    case undefined:
      return 'unknown';
    default:
      return unreachable(phase);
  }
}

function typedFor({ step, to, isDeploy, isProtected, deployment, build }: GatedSituation): string | undefined {
  const isRisky = build === 'failed' || build === 'unchecked';
  const isDrastic = isRisky || step === 'deploy' || step === 'deleteBranch';
  if (isDeploy !== false && isDrastic) return deployment;
  return isProtected ? (to ?? deployment) : undefined;
}

function warningsOf(situation: GatedSituation): readonly GateWarning[] {
  const { step, from, isDeploy, isProtected, content } = situation;
  const name = quotedGoal(situation);
  const warnings: GateWarning[] = [];
  if (isDeploy === undefined) {
    const text =
      step === 'undocumented'
        ? `It is not known what “${from}” changes, so it is treated as a change of production.`
        : `It is not known whether ${name} is the deploy branch, so it is treated as production.`;
    warnings.push({ kind: 'unknownBranch', text });
  }
  // Other sources are built only after they were written.
  if (isDeploy !== false && sendsBranch.has(step)) append(warnings, buildWarning(situation));
  if (isProtected) warnings.push({ kind: 'protected', text: `${capitalized(name)} is protected.` });
  if (content === undefined && sendsBranch.has(step)) {
    warnings.push({ kind: 'notCompared', text: `“${from}” and ${name} could not be compared.` });
  }
  return warnings;
}

/** Returns that a successful build may be one of an earlier commit. */
export function unprovenBuildText(branch: string): string {
  return `A build of “${branch}” succeeded, but the platform does not show whether it is of the last commit`;
}

/** Returns that the platform has not said whether the files of a branch compile. */
export function uncheckedText(branch: string): string {
  return `The platform has not confirmed that the files of “${branch}” compile`;
}

function buildWarning({ from, build, buildError }: GatedSituation): readonly GateWarning[] {
  switch (build) {
    case 'built':
      return [];
    case 'failed': {
      const error = buildError === undefined ? '' : ` ${buildError}`;
      return [{ kind: 'failed', text: `The build of “${from}” failed, so production would fail as well.${error}` }];
    }
    case 'building':
      return [{ kind: 'building', text: `“${from}” is still building, so it is not known yet whether it compiles.` }];
    case 'unproven':
      return [{ kind: 'unknownBuild', text: `${unprovenBuildText(from)}.` }];
    case 'unchecked':
      return [{ kind: 'unchecked', text: `${uncheckedText(from)}.` }];
    case 'unknown':
      return [{ kind: 'unknownBuild', text: `The build state of “${from}” is not known.` }];
    default:
      return unreachable(build);
  }
}

function nothingText({ step, from, to }: GatedSituation): string {
  if (step === 'deleteBranch') return `“${from}” is already deleted.`;
  const verb = step === 'mergeToDefault' ? 'merge' : step;
  return `Nothing to ${verb}: ${from} and ${to ?? 'its parent branch'} are the same.`;
}
