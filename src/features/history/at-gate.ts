import {
  type BranchStep,
  BuildChecks,
  type GateAnswer,
  type GatedSituation,
  type GateOutcome,
  type GateQuestion,
  type PlatformData,
  productionGate,
  type ProductionPass,
  readBranchStep,
  type StepReading,
  throughGate,
} from '#features/platform/index.ts';
import { type SyncSession, type SyncSessions, whileHeld } from '#features/folders/index.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { ConfirmedInput, StepForm } from './step-review.ts';

/**
 * Shows a step on a page; resolves to the user's input, or to `undefined` if the user did not confirm. `reading` has what was
 * read for the question, such as the check of a build that goes on while the page is open.
 */
export type ConfirmStep = (
  target: BranchTarget,
  question: GateQuestion,
  form: StepForm,
  reading: Pick<StepReading, 'check' | 'files'>,
) => Promise<ConfirmedInput | undefined>;

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
  /** Returns the fields; `before`: the previous input. */
  readonly form?: ((before: ReviewInput | undefined) => StepForm) | undefined;
  /** Whether the step also ends its branch, given the input; before any input (`undefined`), whether it may. */
  readonly ends?: ((input: ReviewInput | undefined) => boolean) | undefined;
  /** A situation that has just been read, so that it is not read again before the question. */
  readonly first?: StepReading | undefined;
  /** The verdicts of its readings before. */
  readonly checks?: BuildChecks | undefined;
  /** What the user has already confirmed on a page of its own; the gate asks again if the step would now do something else. */
  readonly confirmed?: GatedSituation | undefined;
}

/**
 * Takes a Git step through the production gate: the user reviews and confirms on a page what reaches production. `send` gets the
 * pass for one call, with the user's input and the files of both branches as they were read for the last time.
 */
export async function atGate<T>(
  ports: GatedStepPorts,
  { form = () => ({}), ends, first, confirmed, checks = new BuildChecks(), ...step }: StepAtGate,
  send: (pass: ProductionPass, input: ReviewInput | undefined, files: StepReading['files']) => Promise<T>,
): Promise<GateOutcome<T>> {
  const { confirm, confirmStep, say } = ports.gate;
  let input: ReviewInput | undefined;
  let known = first;
  let reading: Pick<StepReading, 'check' | 'files'> = {};
  const read = async (): Promise<GatedSituation> => {
    const now = known ?? (await readAtGate(ports, { ...step, endsBranch: ends?.(input) ?? step.endsBranch }, checks));
    known = undefined;
    reading = now;
    return now.situation;
  };
  const ask = async (question: GateQuestion): Promise<GateAnswer> => {
    const { to } = question.situation;
    // What was reviewed on a page is reviewed there again.
    const isReviewed = step.isReviewed === true && to !== undefined;
    if (!isReviewed && !isOnPage(question.situation)) return confirm(question);
    const answer = await confirmStep(step.target, question, form(input), reading);
    if (!answer) return false;
    const { checked = true, ...filled } = answer;
    input = filled;
    return checked;
  };
  const hold = async <R>(work: () => Promise<R>): Promise<R> => whileUploaded(ports.syncs.ofBranch(step.target), work);
  return throughGate(step.target, { read, ask, say, hold, confirmed }, async (pass) =>
    send(pass, input, reading.files),
  );
}

/** Runs `work` once no save is being uploaded, and holds those that follow back: they are not in what the user confirmed. */
async function whileUploaded<R>(sessions: readonly SyncSession[], work: () => Promise<R>): Promise<R> {
  return whileHeld(sessions, 'ownPull', async () => {
    // A comparison waits for its turn. If it fails, what is on the platform is read next, whatever it is.
    await Promise.allSettled(sessions.map(async ({ sync }) => sync.plan()));
    return work();
  });
}

/** Reads what the step would do now. */
export async function readAtGate(
  { data, gate }: Pick<GatedStepPorts, 'data' | 'gate'>,
  step: BranchStep,
  checks?: BuildChecks,
): Promise<StepReading> {
  const { isProtected, reading = async (work) => work() } = gate;
  return reading(async () => readBranchStep({ data, isProtected, checks }, step));
}

/** Whether the gate asks on a page, which shows the differences from the branch that is changed. */
export function isOnPage(situation: GatedSituation): boolean {
  return productionGate(situation).kind === 'review' && situation.to !== undefined;
}
