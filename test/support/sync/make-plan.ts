import type { Plan } from '#sync/core/plan.ts';
import type { PlanInput } from '#sync/core/plan-input.ts';
import { planSteps } from '#sync/core/planner.ts';

/** Makes a plan in one go. */
export function makePlan(input: PlanInput): Plan {
  const steps = planSteps(input);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
