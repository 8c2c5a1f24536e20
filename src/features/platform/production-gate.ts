import { unreachable } from '#base/result.ts';
import type { BuildPhase } from './build-state.ts';

/** A step that can change the branch that production is built from (docs/security.md#the-rules). */
export type GatedStep = 'commit' | 'merge' | 'mergeToDefault' | 'deploy' | 'dbtSync' | 'connectGithub' | 'upload';

/** Steps that send a branch as it is: its build and its files say what production gets. */
const sendsBranch: ReadonlySet<GatedStep> = new Set<GatedStep>(['commit', 'merge', 'mergeToDefault']);

/** Whether what is sent compiles: the build of its branch as the platform reports it now. */
export type SentBuild = 'built' | 'building' | 'failed' | 'unknown';

/** What is known of a step right now. */
export interface GatedSituation {
  readonly step: GatedStep;
  /** What is sent: a branch, a folder, or a repository. */
  readonly from: string;
  /** The branch that is changed; `undefined`: not known. */
  readonly to: string | undefined;
  /** Whether that is the deploy branch; `undefined`: not known, which counts as production. */
  readonly isDeploy: boolean | undefined;
  /** Whether the settings protect that branch or its deployment. */
  readonly isProtected: boolean;
  /** The name of the deployment. */
  readonly deployment: string;
  readonly build: SentBuild;
  /** What the platform reports as the first error of a failed build. */
  readonly buildError?: string | undefined;
  /** What the step would change, as one text that is equal exactly where the same is sent; empty: nothing; `undefined`: not known. */
  readonly content: string | undefined;
  /** Whether the step also leaves or removes its branch, so that it does something where no file differs. */
  readonly endsBranch?: boolean | undefined;
}

/** Something that speaks against a step. */
export interface GateWarning {
  readonly kind: 'failed' | 'building' | 'unknownBuild' | 'unknownBranch' | 'notCompared' | 'protected';
  readonly text: string;
}

export type GateDecision =
  /** It cannot reach production, and nothing is protected. */
  | { readonly kind: 'free' }
  /** The user must confirm it, by typing where `typed` says what. */
  | { readonly kind: 'review'; readonly typed: string | undefined; readonly warnings: readonly GateWarning[] }
  /** There is nothing to send. */
  | { readonly kind: 'nothing'; readonly say: string };

/**
 * Decides about a step before it is sent. What is not known counts as production. A failed build and a deploy are confirmed with
 * the deployment's name, a protected branch with its own.
 */
export function productionGate(situation: GatedSituation): GateDecision {
  const { isDeploy, isProtected, content, endsBranch = false } = situation;
  if (content === '' && !endsBranch) return { kind: 'nothing', say: nothingText(situation) };
  if (isDeploy === false && !isProtected) return { kind: 'free' };
  return { kind: 'review', typed: typedFor(situation), warnings: warningsOf(situation) };
}

/**
 * Whether a confirmation still covers what would be sent now: the same content to the same branch, and nothing speaks against
 * it that was not shown. A build that has succeeded meanwhile needs no second question.
 */
export function isCovered(shown: GatedSituation, now: GatedSituation): boolean {
  const later = productionGate(now);
  const before = productionGate(shown);
  if (shown.to !== now.to || shown.content !== now.content || shown.deployment !== now.deployment) return false;
  if (later.kind !== 'review') return later.kind === before.kind;
  if (before.kind !== 'review' || (later.typed !== undefined && later.typed !== before.typed)) return false;
  const known = new Set(before.warnings.map(({ kind }) => kind));
  // All three were shown as a build that may fail; that it did fail is news.
  const isUncertain = known.has('failed') || known.has('building') || known.has('unknownBuild');
  if (isUncertain) known.add('building').add('unknownBuild');
  return later.warnings.every(({ kind }) => known.has(kind));
}

/** The branch of a step as questions and buttons name it: `main (production)`. */
export function destinationText(situation: Pick<GatedSituation, 'step' | 'to' | 'isDeploy'>): string {
  const name = nameOfGoal(situation);
  return situation.isDeploy === true ? `${name} (production)` : name;
}

/** An upload without a branch goes to the active one, or to the deploy branch (docs/platform-api.md#branches-and-dev-mode). */
function nameOfGoal({ step, to }: Pick<GatedSituation, 'step' | 'to'>): string {
  return to ?? (step === 'upload' ? 'the active branch' : 'the parent branch');
}

/** What the button of the question says: the step and where it goes. */
export function stepButton(situation: Pick<GatedSituation, 'step' | 'to' | 'isDeploy' | 'deployment'>): string {
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
    default:
      return unreachable(situation.step);
  }
}

/** The build of what is sent, by the platform's word. A branch that is not active has no build to rely on. */
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
  if (isDeploy !== false && (build === 'failed' || step === 'deploy')) return deployment;
  return isProtected ? (to ?? deployment) : undefined;
}

function warningsOf(situation: GatedSituation): readonly GateWarning[] {
  const { step, from, isDeploy, isProtected, content } = situation;
  const name = nameOfGoal(situation);
  const warnings: GateWarning[] = [];
  if (isDeploy === undefined) {
    const text = `It is not known whether “${name}” is the deploy branch, so it is treated as production.`;
    warnings.push({ kind: 'unknownBranch', text });
  }
  // What does not come from a branch is built only after it is there.
  if (isDeploy !== false && sendsBranch.has(step)) warnings.push(...buildWarning(situation));
  if (isProtected) warnings.push({ kind: 'protected', text: `“${name}” is protected.` });
  if (content === undefined && sendsBranch.has(step)) {
    warnings.push({ kind: 'notCompared', text: `“${from}” and “${name}” could not be compared.` });
  }
  return warnings;
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
    case 'unknown':
      return [{ kind: 'unknownBuild', text: `The build state of “${from}” is not known.` }];
    default:
      return unreachable(build);
  }
}

function nothingText({ step, from, to }: GatedSituation): string {
  const verb = step === 'mergeToDefault' ? 'merge' : step;
  return `Nothing to ${verb}: ${from} and ${to ?? 'its parent branch'} are the same.`;
}
