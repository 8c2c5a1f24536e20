import type { Clock } from '#base/clock.ts';
import { Stopwatch } from '#base/stopwatch.ts';
import type { Branch } from '#features/platform/index.ts';

export interface DbtSyncWatch {
  /** The branch that the sync writes, as its start answered. */
  readonly branchName: string;
  /** The branches before it was started. */
  readonly before: readonly Branch[];
  /** Reads the branches again. */
  readonly read: () => Promise<readonly Branch[]>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How often the branches are checked, and for how long at most, in milliseconds. */
const pause = 3000;
const patience = 15 * 60_000;

/**
 * Waits until a dbt sync has written its branch: it is there, or its head has moved. No documented operation reports how the
 * job stands (docs/platform-api.md#startdbtsync). `undefined`: not within a quarter of an hour; it may continue.
 */
export async function followDbtSync(watch: DbtSyncWatch): Promise<Branch | undefined> {
  const { branchName, before, read, clock, signal } = watch;
  const old = before.find(({ name }) => name === branchName);
  const waited = new Stopwatch(clock);
  while (waited.elapsed < patience) {
    const now = (await read()).find(({ name }) => name === branchName);
    if (now && (!old || now.lastHash !== old.lastHash)) return now;
    await clock.sleep(pause, signal);
  }
  return undefined;
}

/** The ids of a sync that was started, as far as the platform sent them. */
export interface DbtJob {
  readonly syncJobId?: string | undefined;
  readonly workflowId?: string | undefined;
}

/** For a sentence about a sync: ` (job 12, workflow sync-7)`; empty where the platform sent no id. */
export function jobText({ syncJobId, workflowId }: DbtJob): string {
  const words = [
    ...(syncJobId === undefined ? [] : [`job ${syncJobId}`]),
    ...(workflowId === undefined ? [] : [`workflow ${workflowId}`]),
  ];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

/** The id to ask the platform’s support about. */
export function jobId({ syncJobId, workflowId }: DbtJob): string {
  return syncJobId ?? workflowId ?? '';
}
