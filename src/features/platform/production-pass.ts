import type { BranchTarget } from '#shell/targets.ts';
import {
  type CheckedBuild,
  effectText,
  type GateDecision,
  type GatedSituation,
  type GatedStep,
  type GateWarning,
  isCovered,
  isFree,
  productionGate,
  stepButton,
} from './production-gate.ts';

/**
 * Proof that one step may be executed: it cannot reach production, or the user has confirmed exactly this step. Only
 * `throughGate` creates one, and it is valid for one call (docs/security.md#the-rules).
 */
class Pass {
  readonly step: GatedStep;
  readonly target: BranchTarget;
  /** The branch that is changed, if it is known. */
  readonly to: string | undefined;
  /** The changes as they were read for the last time (`GatedSituation.content`). */
  readonly content: string | undefined;
  /** The branches as they were read with them; `undefined` if they were not. */
  readonly branches: GatedSituation['branches'];
  #isSpent = false;

  constructor(target: BranchTarget, { step, to, content, branches }: GatedSituation) {
    this.step = step;
    this.target = target;
    this.to = to;
    this.content = content;
    this.branches = branches;
  }

  /** Uses up the pass for the call that it was created for. Throws `Error` for any other call, and for a second use. */
  use(step: GatedStep, { accountId, deploymentId, branchName }: BranchTarget): void {
    const own = this.target;
    const isOwn =
      this.step === step &&
      own.accountId === accountId &&
      own.deploymentId === deploymentId &&
      own.branchName === branchName;
    if (this.#isSpent || !isOwn) throw new Error(`This call was not confirmed: ${step} of ${branchName}.`);
    this.#isSpent = true;
  }
}

export type ProductionPass = Pass;

/** The confirmation of a step. */
export interface GateQuestion {
  readonly situation: GatedSituation;
  /** Whether the user is asked again because the facts have changed since the confirmation. */
  readonly hasChanged: boolean;
  /** `Commit to main (production)?` */
  readonly title: string;
  readonly button: string;
  /** The effect of the step and the warnings. */
  readonly detail: string;
  /** The text that the user must type; if missing, a button is enough. */
  readonly typed: string | undefined;
  readonly warnings: readonly GateWarning[];
}

/** Whether the user confirms; the build if they confirmed another one, which became known while the question was open. */
export type GateAnswer = boolean | CheckedBuild;

/** The dependencies of the gate on the platform and the window. */
export interface GatePorts {
  /** Reads the situation from the platform instead of this window's cache. */
  readonly read: () => Promise<GatedSituation>;
  readonly ask: (question: GateQuestion) => Promise<GateAnswer>;
  /** Shows the hint that there is nothing to do. */
  readonly say: (text: string) => void;
  /** Keeps this window from changing what is sent while `work` reads it for the last time and sends it. */
  readonly hold?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  /** What the user has already confirmed; if the step would now do something else, the user is asked again. */
  readonly confirmed?: GatedSituation | undefined;
}

/** The result of a step at the gate. */
export type GateOutcome<T> =
  | { readonly kind: 'sent'; readonly value: T }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused' };

/**
 * Executes a call that can reach production; there is no other way to do so. Reads the situation, asks if production or a
 * protected branch is affected, and reads it again before anything is sent: if it is not what the user confirmed, asks again. A
 * step that needs no confirmation asks only if the user confirmed it with other files or for another branch: the platform refuses
 * a step whose destination has moved.
 */
export async function throughGate<T>(
  target: BranchTarget,
  { read, ask, say, hold = async (work) => work(), confirmed }: GatePorts,
  send: (pass: ProductionPass) => Promise<T>,
): Promise<GateOutcome<T>> {
  const sendPassed = async (now: GatedSituation): Promise<GateOutcome<T>> => {
    return { kind: 'sent', value: await send(new Pass(target, now)) };
  };
  let situation = await read();
  let shown = confirmed;
  const isShown = (): boolean => shown === undefined || (shown.to === situation.to && shown.sent === situation.sent);
  let hasChanged = !isShown();
  for (;;) {
    const decision = productionGate(situation);
    // Whoever has seen on a page that no file differs merges for another reason, such as the commits.
    const isSeen = shown?.content === '' && isShown() && isFree(situation);
    if (isSeen && decision.kind === 'nothing') return sendPassed(situation);
    if (decision.kind === 'nothing') {
      say(decision.say);
      return { kind: 'nothing' };
    }
    if (decision.kind === 'free' && isShown()) return sendPassed(situation);
    const { typed, warnings } = neededFor(decision);
    const answer = await ask(questionOf(situation, typed, warnings, hasChanged));
    if (answer === false) return { kind: 'refused' };
    const asked = answer === true ? situation : withBuild(situation, answer);
    shown = asked;
    const sent = await hold(async () => {
      situation = await read();
      return isCovered(asked, situation) ? sendPassed(situation) : undefined;
    });
    if (sent) return sent;
    hasChanged = true;
  }
}

/** Returns the question to review before a step, even if it needs no confirmation; `undefined` if there is nothing to do. */
export function gateQuestion(situation: GatedSituation): GateQuestion | undefined {
  const decision = productionGate(situation);
  if (decision.kind === 'nothing') return undefined;
  const { typed, warnings } = neededFor(decision);
  return questionOf(situation, typed, warnings, false);
}

/** Returns a question after the build of its source has become known. */
export function checkedQuestion(
  { situation, hasChanged, ...question }: GateQuestion,
  found: CheckedBuild,
): GateQuestion {
  const now = withBuild(situation, found);
  const decision = productionGate(now);
  if (decision.kind === 'nothing') return { ...question, hasChanged, situation: now };
  const { typed, warnings } = neededFor(decision);
  return questionOf(now, typed, warnings, hasChanged);
}

function withBuild(situation: GatedSituation, { build, buildError }: CheckedBuild): GatedSituation {
  return { ...situation, build, buildError };
}

/** Returns what a confirmation needs; nothing for a step that may be sent without one. */
function neededFor(decision: GateDecision): Pick<GateQuestion, 'typed' | 'warnings'> {
  return decision.kind === 'review' ? decision : { typed: undefined, warnings: [] };
}

function questionOf(
  situation: GatedSituation,
  typed: string | undefined,
  warnings: readonly GateWarning[],
  hasChanged: boolean,
): GateQuestion {
  const sentences = [
    hasChanged ? 'This has changed since you confirmed it.' : '',
    effectText(situation),
    ...warnings.map(({ text }) => text),
  ].filter((sentence) => sentence !== '');
  const button = stepButton(situation);
  return { situation, hasChanged, title: `${button}?`, button, detail: sentences.join(' '), typed, warnings };
}
