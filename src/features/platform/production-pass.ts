import type { BranchTarget } from '#shell/targets.ts';
import { UserError } from '#shell/user-error.ts';
import {
  type CheckedBuild,
  effectText,
  type GatedSituation,
  type GatedStep,
  type GateWarning,
  isCovered,
  isShownFor,
  productionGate,
  type Review,
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
  /** The files of both branches as they were read with them. */
  readonly files: GatedSituation['files'];
  readonly #isCovered: () => Promise<boolean>;
  #isSpent = false;

  /** `readAgain` resolves to whether the step is still what was confirmed. */
  constructor(
    target: BranchTarget,
    { step, to, content, branches, files }: GatedSituation,
    readAgain: () => Promise<boolean>,
  ) {
    this.#isCovered = readAgain;
    this.step = step;
    this.target = target;
    this.to = to;
    this.content = content;
    this.branches = branches;
    this.files = files;
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

  /**
   * Checks before the same call is sent again, because the platform asked for a pause or for a new key. Throws `UserError` if the
   * step is no longer what was confirmed.
   */
  readonly beforeRetry = async (): Promise<void> => {
    if (await this.#isCovered()) return;
    const { to, target } = this;
    throw new UserError(
      `“${target.branchName}” or ${to === undefined ? 'the branch that it changes' : `“${to}”`} has changed while the request waited for the platform, so nothing was sent. Try again to see what would be sent now.`,
    );
  };
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

/** The dependencies of the gate on the platform and the window. */
export interface GatePorts {
  /** Reads the situation from the platform instead of this window's cache. */
  readonly read: () => Promise<GatedSituation>;
  /** Resolves to the question as the user confirmed it, with the build as it was known by then; `undefined`: not confirmed. */
  readonly ask: (question: GateQuestion) => Promise<GateQuestion | undefined>;
  /** Shows the hint that there is nothing to do. */
  readonly say: (text: string) => void;
  /** Keeps this window from changing what is sent while `work` reads it for the last time and sends it. */
  readonly hold?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  /** When the user is asked about a step that needs no confirmation; by default never. */
  readonly review?: Review | undefined;
}

/** The result of a step at the gate. */
export type GateOutcome<T> =
  | { readonly kind: 'sent'; readonly value: T }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused' };

/**
 * Executes a call that can reach production; there is no other way to do so. Reads the situation, asks if production or a
 * protected branch is affected or if `review` says so, and reads it again before anything is sent: if it is not what the user
 * confirmed, asks again.
 */
export async function throughGate<T>(
  target: BranchTarget,
  { read, ask, say, hold = async (work) => work(), review = { kind: 'ifNeeded' } }: GatePorts,
  send: (pass: ProductionPass) => Promise<T>,
): Promise<GateOutcome<T>> {
  const sendPassed = async (now: GatedSituation, confirmed = now): Promise<GateOutcome<T>> => {
    const pass = new Pass(target, now, async () => isCovered(confirmed, await read()));
    return { kind: 'sent', value: await send(pass) };
  };
  let situation = await read();
  const isElsewhere = isShownFor(review, situation.to);
  if (productionGate(situation).kind === 'free' && !isElsewhere) return sendPassed(situation);
  let hasChanged = review.kind === 'unlessTo' && isElsewhere;
  for (;;) {
    const decision = productionGate(situation);
    if (decision.kind === 'nothing') {
      say(decision.say);
      return { kind: 'nothing' };
    }
    const confirmed = await ask(questionOf(situation, hasChanged));
    if (!confirmed) return { kind: 'refused' };
    const sent = await hold(async () => {
      situation = await read();
      return isCovered(confirmed.situation, situation) ? sendPassed(situation, confirmed.situation) : undefined;
    });
    if (sent) return sent;
    hasChanged = true;
  }
}

/** Returns the question to review before a step, even if it needs no confirmation; `undefined` if there is nothing to do. */
export function gateQuestion(situation: GatedSituation): GateQuestion | undefined {
  return productionGate(situation).kind === 'nothing' ? undefined : questionOf(situation, false);
}

/** Returns a question after the build of its source has become known. */
export function checkedQuestion({ situation, hasChanged }: GateQuestion, found: CheckedBuild): GateQuestion {
  const { build, buildError } = found;
  return questionOf({ ...situation, build, buildError }, hasChanged);
}

/** Returns the question about a step, with what its confirmation needs. */
function questionOf(situation: GatedSituation, hasChanged: boolean): GateQuestion {
  const decision = productionGate(situation);
  const { typed, warnings } = decision.kind === 'review' ? decision : { typed: undefined, warnings: [] };
  const sentences = [
    hasChanged ? 'This has changed since you confirmed it.' : '',
    effectText(situation),
    ...warnings.map(({ text }) => text),
  ].filter((sentence) => sentence !== '');
  const button = stepButton(situation);
  return { situation, hasChanged, title: `${button}?`, button, detail: sentences.join(' '), typed, warnings };
}
