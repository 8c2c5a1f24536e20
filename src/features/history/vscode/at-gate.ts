import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';
import type { StepForm } from '#features/history/step-review.ts';
import {
  type BranchStep,
  type GatedSituation,
  type GateOutcome,
  type GateQuestion,
  productionGate,
  type ProductionPass,
  readBranchStep,
  throughGate,
} from '#features/platform/index.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import { confirm, isProtected } from '#shell/vscode/protection.ts';
import type { GateDeps } from './deps.ts';

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
  deps: GateDeps,
  { form = () => ({}), ends, first, ...step }: StepAtGate,
  send: (pass: ProductionPass, input: ReviewInput | undefined) => Promise<T>,
): Promise<GateOutcome<T>> {
  let input: ReviewInput | undefined;
  let known = first;
  const read = async (): Promise<GatedSituation> => {
    const now = known ?? (await readAtGate(deps, { ...step, endsBranch: ends?.(input) ?? step.endsBranch }));
    known = undefined;
    return now;
  };
  const ask = async (question: GateQuestion): Promise<boolean> => {
    if (!isOnPage(question.situation)) return confirm(question);
    const answer = await deps.confirmStep(step.target, question, form(input));
    input = answer ?? input;
    return answer !== undefined;
  };
  return throughGate(step.target, { read, ask, say: showHint }, async (pass) => send(pass, input));
}

/** The same for a step to a shared branch, which has no page. */
export async function atGateOfShared<T>(
  deps: Pick<GateDeps, 'data'>,
  step: BranchStep,
  send: (pass: ProductionPass) => Promise<T>,
): Promise<GateOutcome<T>> {
  return throughGate(step.target, { read: async () => readAtGate(deps, step), ask: confirm, say: showHint }, send);
}

/** What the step would do now. */
export async function readAtGate(deps: Pick<GateDeps, 'data'>, step: BranchStep): Promise<GatedSituation> {
  return readBranchStep({ data: deps.data, isProtected: (target) => isProtected(deps, target) }, step);
}

/** Whether the gate asks about it on a page, which shows what differs from production. */
export function isOnPage(situation: GatedSituation): boolean {
  const { isDeploy, to } = situation;
  return productionGate(situation).kind === 'review' && isDeploy !== false && to !== undefined;
}

/** A hint is information: nothing went wrong. */
export function showHint(hint: string): void {
  void vscode.window.showInformationMessage(textOf(hint));
}
