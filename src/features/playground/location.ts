import type { QueryTarget } from '#features/data/index.ts';
import type { QueryHistory } from './history.ts';

/** Where the queries of a playground run (docs/data-api.md#query-targets), and what was run there. */
export interface PlaygroundLocation {
  readonly target: QueryTarget;
  /** The base address of the target’s data API, for what is copied; rejects with what a user reads. */
  readonly restUrl: () => Promise<string>;
  readonly history: QueryHistory;
}
