import {
  type BranchStep,
  type GatedSituation,
  type GateOutcome,
  type GateQuestion,
  type PlatformData,
  productionGate,
  type ProductionPass,
  readBranchStep,
  throughGate,
} from '#features/platform/index.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { StepForm } from './step-review.ts';

/** Shows a step that reaches production on a page; answers what was filled in there, or `undefined` where it was not confirmed. */
export type ConfirmStep = (
  target: BranchTarget,
  question: GateQuestion,
  form: StepForm,
) => Promise<ReviewInput | undefined>;

/** What the gate asks the user. */
export interface GateHost {
  /** Whether the settings protect a branch. */
  readonly isProtected: (target: BranchTarget) => boolean;
  /** Asks plainly; what must be typed, if anything, is in the question. */
  readonly confirm: (
    question: Pick<GateQuestion, 'title' | 'detail' | 'button'> & Partial<GateQuestion>,
  ) => Promise<boolean>;
  readonly confirmStep: ConfirmStep;
  /** Shows a hint: nothing went wrong. */
  readonly say: (hint: string) => void;
}

/** What a step at the gate needs. */
export interface GatePorts {
  readonly data: PlatformData;
  readonly gate: GateHost;
}

/** A step at the gate, with what the user fills in where it is confirmed on a page. */
export interface StepAtGate extends BranchStep {
  /** `before`: as it was filled in the last time. */
  readonly form?: ((before: ReviewInput | undefined) => StepForm) | undefined;
  /** Whether the step also ends its branch, by what was filled in; `undefined`: nothing yet, so that it may. */
  readonly ends?: ((input: ReviewInput | undefined) => boolean) | undefined;
  /** What was read just now: it is not read again before the question. */
  readonly first?: GatedSituation | undefined;
}

/**
 * Takes a Git step through the production gate: what reaches production is reviewed and confirmed on a page, and `send` gets the
 * pass for the one call, with what was filled in on the page.
 */
export async function atGate<T>(
  ports: GatePorts,
  { form = () => ({}), ends, first, ...step }: StepAtGate,
  send: (pass: ProductionPass, input: ReviewInput | undefined) => Promise<T>,
): Promise<GateOutcome<T>> {
  const { confirm, confirmStep, say } = ports.gate;
  let input: ReviewInput | undefined;
  let known = first;
  const read = async (): Promise<GatedSituation> => {
    const now = known ?? (await readAtGate(ports, { ...step, endsBranch: ends?.(input) ?? step.endsBranch }));
    known = undefined;
    return now;
  };
  const ask = async (question: GateQuestion): Promise<boolean> => {
    if (!isOnPage(question.situation)) return confirm(question);
    const answer = await confirmStep(step.target, question, form(input));
    input = answer ?? input;
    return answer !== undefined;
  };
  return throughGate(step.target, { read, ask, say }, async (pass) => send(pass, input));
}

/** What the step would do now. */
export async function readAtGate({ data, gate }: GatePorts, step: BranchStep): Promise<GatedSituation> {
  return readBranchStep({ data, isProtected: gate.isProtected }, step);
}

/** Whether the gate asks about it on a page, which shows what differs from the branch that is changed. */
export function isOnPage(situation: GatedSituation): boolean {
  return productionGate(situation).kind === 'review' && situation.to !== undefined;
}
