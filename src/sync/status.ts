import type { PauseReason, SyncStatus } from './folder-sync.ts';
import { direction, type Plan, type PlanEntry } from './plan.ts';

export const startingStatus: SyncStatus = {
  phase: 'starting',
  paused: [],
  plan: undefined,
  localChanges: [],
  remoteChanges: [],
  conflicts: [],
  frozen: [],
  waiting: 0,
  lastChecked: undefined,
  lastSynced: undefined,
  error: undefined,
};

/** The plan's entries, grouped as the person sees them. */
export function withPlan(status: SyncStatus, plan: Plan): SyncStatus {
  return {
    ...status,
    plan,
    localChanges: plan.entries.filter((entry) => direction(entry) === 'push'),
    remoteChanges: plan.entries.filter((entry) => direction(entry) === 'pull'),
    conflicts: plan.entries.filter((entry) => entry.kind === 'conflict'),
    frozen: plan.entries.filter((entry) => entry.kind === 'frozen'),
  };
}

/** A plan without the paths that were just brought in step, valid for the base as it is now. */
export function withoutApplied(plan: Plan, applied: readonly Pick<PlanEntry, 'path'>[], generation: number): Plan {
  const paths = new Set(applied.map(({ path }) => path));
  const entries = plan.entries.filter(({ path }) => !paths.has(path));
  return { ...plan, entries, generation, unchanged: plan.unchanged + plan.entries.length - entries.length };
}

export type Busy = 'checking' | 'pushing' | 'pulling';

interface PhaseInput {
  readonly busy: Busy | undefined;
  readonly paused: readonly PauseReason[];
  readonly offline: boolean;
  readonly readOnly: boolean;
  readonly plan: Plan | undefined;
}

/** The one word for what goes on, the most telling first. */
export function phaseOf({ busy, paused, offline, readOnly, plan }: PhaseInput): SyncStatus['phase'] {
  if (busy === 'pushing' || busy === 'pulling') return busy;
  if (offline) return 'offline';
  if (paused.length > 0) return 'paused';
  if (busy) return busy;
  if (readOnly) return 'readOnly';
  if (!plan) return 'starting';
  return plan.guards.some((guard) => guard.blocks === 'both') ? 'halted' : 'idle';
}
