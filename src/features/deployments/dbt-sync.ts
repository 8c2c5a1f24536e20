import type { Clock } from '#base/clock.ts';
import { Stopwatch } from '#base/stopwatch.ts';
import type { Branch } from '#features/platform/index.ts';

export interface DbtSyncWatch {
  /** The branch that the sync writes to, as its start returned it. */
  readonly branchName: string;
  /** The branches before the sync was started. */
  readonly before: readonly Branch[];
  /** Reads the branches again. */
  readonly read: () => Promise<readonly Branch[]>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The interval between two checks of the branches, and the longest wait, in milliseconds. */
const pause = 3000;
const timeoutMs = 15 * 60_000;

/**
 * Waits until a dbt sync has written its branch: the branch exists, or its head has moved. No documented operation reports the
 * state of the job (docs/platform-api.md#startdbtsync). `undefined`: it did not finish within a quarter of an hour and may still
 * be running.
 */
export async function followDbtSync(watch: DbtSyncWatch): Promise<Branch | undefined> {
  const { branchName, before, read, clock, signal } = watch;
  const old = before.find(({ name }) => name === branchName);
  const waited = new Stopwatch(clock);
  while (waited.elapsed < timeoutMs) {
    const now = (await read()).find(({ name }) => name === branchName);
    if (now && (!old || now.lastHash !== old.lastHash)) return now;
    await clock.sleep(pause, signal);
  }
  return undefined;
}

/** The ids of a started sync, if the platform sent them. */
export interface DbtJob {
  readonly syncJobId?: string | undefined;
  readonly workflowId?: string | undefined;
}

/** Returns the ids for a sentence about a sync: ` (job 12, workflow sync-7)`; empty if the platform sent none. */
export function jobText({ syncJobId, workflowId }: DbtJob): string {
  const details = [
    ...(syncJobId === undefined ? [] : [`job ${syncJobId}`]),
    ...(workflowId === undefined ? [] : [`workflow ${workflowId}`]),
  ];
  return details.length === 0 ? '' : ` (${details.join(', ')})`;
}

/** Returns the id to mention to the platform’s support. */
export function jobId({ syncJobId, workflowId }: DbtJob): string {
  return syncJobId ?? workflowId ?? '';
}
