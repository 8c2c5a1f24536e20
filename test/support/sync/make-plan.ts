import type { Plan } from '#sync/core/planning/plan.ts';
import type { PlanInput } from '#sync/core/planning/plan-input.ts';
import { planSteps } from '#sync/core/planning/planner.ts';

/** Makes a plan in one go. */
export function makePlan(input: PlanInput): Plan {
  const steps = planSteps(input);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
