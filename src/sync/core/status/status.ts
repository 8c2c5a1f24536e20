import type { SyncFacts } from './sync-facts.ts';
import { direction, type Plan, type PlanEntry } from '#sync/core/planning/plan.ts';

export const startingFacts: SyncFacts = {
  busy: undefined,
  paused: [],
  readOnly: undefined,
  outage: undefined,
  plan: undefined,
  localChanges: [],
  remoteChanges: [],
  conflicts: [],
  frozen: [],
  isCurrent: false,
  outbox: [],
  waiting: 0,
  lastChecked: undefined,
  lastSynced: undefined,
  error: undefined,
};

/** Groups the plan's entries as they are shown. */
export function groupsOf(
  plan: Plan,
): Pick<SyncFacts, 'plan' | 'localChanges' | 'remoteChanges' | 'conflicts' | 'frozen'> {
  return {
    plan,
    localChanges: plan.entries.filter((entry) => direction(entry) === 'push'),
    remoteChanges: plan.entries.filter((entry) => direction(entry) === 'pull'),
    conflicts: plan.entries.filter((entry) => entry.kind === 'conflict'),
    frozen: plan.entries.filter((entry) => entry.kind === 'frozen'),
  };
}

/** Returns the plan without the paths that were just synced, valid for the current base. */
export function withoutApplied(plan: Plan, applied: readonly Pick<PlanEntry, 'path'>[], generation: number): Plan {
  const paths = new Set(applied.map(({ path }) => path));
  const entries = plan.entries.filter(({ path }) => !paths.has(path));
  return { ...plan, entries, generation, unchanged: plan.unchanged + plan.entries.length - entries.length };
}
