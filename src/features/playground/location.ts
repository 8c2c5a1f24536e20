import type { QueryTarget } from '#features/data/index.ts';
import type { QueryHistory } from './history.ts';

/** The target of a playground's queries (docs/data-api.md#query-targets), and its previous runs. */
export interface PlaygroundLocation {
  readonly target: QueryTarget;
  /** Resolves to the base address of the target’s data API, for copied queries; rejects with a message for the user. */
  readonly restUrl: () => Promise<string>;
  readonly history: QueryHistory;
}
