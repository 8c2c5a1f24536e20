import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';

export const upload: PlanEntry = {
  kind: 'upload',
  path: 'model/cubes/orders.yml',
  reason: 'changed',
  hash: 'a',
  size: 2048,
  expectedRemote: 'b',
};

export const prune: PlanEntry = { kind: 'deleteRemote', path: 'model/cubes/old.yml', expectedRemote: 'c', size: 10 };
export const conflict = {
  kind: 'conflict',
  path: 'model/cubes/users.yml',
  reason: 'bothChanged',
  base: 'a',
  local: 'b',
  remote: 'c',
  size: 5,
  eolOnly: false,
} as const satisfies PlanEntry;

/** A plan with a conflict, a deletion and an upload. */
export const plan: Plan = {
  target: 't',
  generation: 1,
  time: 0,
  entries: [conflict, prune, upload],
  guards: [{ kind: 'manyDeletesRemote', blocks: 'push', confirmable: true, message: 'Many files would be deleted.' }],
  unchanged: 3,
};
