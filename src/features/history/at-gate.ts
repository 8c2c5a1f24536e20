import {
  type BranchStep,
  type BuildCheck,
  BuildChecks,
  type GatedSituation,
  type GateOutcome,
  type GateQuestion,
  isOfBranch,
  type PlatformData,
  productionGate,
  type ProductionPass,
  readBranchStep,
  type Review,
  throughGate,
} from '#features/platform/index.ts';
import { type SyncSession, type SyncSessions, whileHeld } from '#features/folders/index.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { ConfirmedStep, StepForm } from './step-review.ts';

/**
 * Shows a step on a page; resolves to what the user confirmed, or to `undefined` if they did not. `check` goes on while the page
 * is open.
 */
export type ConfirmStep = (
  target: BranchTarget,
  question: GateQuestion,
  form: StepForm,
  check: BuildCheck | undefined,
) => Promise<ConfirmedStep | undefined>;

/** The questions of the gate. */
export interface GateHost {
  /** Whether the settings protect a branch. */
  readonly isProtected: (target: BranchTarget) => boolean;
  /** Asks in a dialog; the question contains the text to type, if any. */
  readonly confirm: (
    question: Pick<GateQuestion, 'title' | 'detail' | 'button'> & Partial<GateQuestion>,
  ) => Promise<boolean>;
  readonly confirmStep: ConfirmStep;
  /** Shows a hint: nothing has failed. */
  readonly say: (hint: string) => void;
  /** Shows that a step is being read. */
  readonly reading?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
}

/** The dependencies of a step at the gate. */
export interface GatedStepPorts {
  readonly data: PlatformData;
  readonly gate: GateHost;
  readonly syncs: Pick<SyncSessions, 'ofBranch'>;
}

/** A step at the gate, with the fields of its page. */
export interface StepAtGate extends BranchStep {
  readonly review: Review;
  /** Returns the fields; `before`: the previous input. */
  readonly form?: ((before: ReviewInput | undefined) => StepForm) | undefined;
  /** Whether the step also ends its branch, given the input; before any input (`undefined`), whether it may. */
  readonly ends?: ((input: ReviewInput | undefined) => boolean) | undefined;
  /** Throws if the step is not to be asked about or sent as it was read. */
  readonly require?: ((now: GatedSituation) => void) | undefined;
}

/**
 * Takes a Git step through the production gate: the user reviews and confirms on a page what reaches production, and what
 * `review` says. `send` gets the pass for one call, with the user's input.
 */
export async function atGate<T>(
  ports: GatedStepPorts,
  { form = () => ({}), ends, require, review, ...step }: StepAtGate,
  send: (pass: ProductionPass, input: ReviewInput | undefined) => Promise<T>,
): Promise<GateOutcome<T>> {
  const { confirm, confirmStep, isProtected, say, reading = async (work) => work() } = ports.gate;
  const reader = { data: ports.data, isProtected, checks: new BuildChecks() };
  let input: ReviewInput | undefined;
  let check: BuildCheck | undefined;
  let compared = review;
  const read = async (): Promise<GatedSituation> => {
    const endsBranch = ends?.(input) ?? step.endsBranch;
    const now = await reading(async () => readBranchStep(reader, { ...step, endsBranch, review: compared }));
    require?.(now.situation);
    check = now.check;
    return now.situation;
  };
  const ask = async (question: GateQuestion): Promise<GateQuestion | undefined> => {
    // What was shown once is compared with that.
    compared = { kind: 'always' };
    const fields = form(input);
    if (question.situation.to === undefined && !hasFields(fields)) {
      return (await confirm(question)) ? question : undefined;
    }
    const confirmed = await confirmStep(step.target, question, fields, check);
    input = confirmed?.input;
    // What is read next may fail, and the page is closed.
    if (input) fields.message?.keep?.(input.message);
    return confirmed?.question;
  };
  const hold = async <R>(work: () => Promise<R>): Promise<R> => whileUploaded(ports.syncs.ofBranch(step.target), work);
  return throughGate(step.target, { read, ask, say, hold, review }, async (pass) => send(pass, input));
}

/** Whether there is something to fill in, which only a page has. */
function hasFields({ message, options = [] }: StepForm): boolean {
  return message !== undefined || options.length > 0;
}

/** Runs `work` once no save is being uploaded, and holds those that follow back: they are not in what the user confirmed. */
async function whileUploaded<R>(sessions: readonly SyncSession[], work: () => Promise<R>): Promise<R> {
  return whileHeld(sessions, 'ownPull', async () => {
    // A comparison waits for its turn. If it fails, what is on the platform is read next, whatever it is.
    await Promise.allSettled(sessions.map(async ({ sync }) => sync.plan()));
    return work();
  });
}

/** Whether the gate asks on a page, which shows the differences of one branch from another: a deploy of a folder has none. */
export function isOnPage(situation: GatedSituation): boolean {
  return isOfBranch(situation) && situation.to !== undefined && productionGate(situation).kind === 'review';
}
