import type { Logger } from '#base/log.ts';
import type { SyncSessions } from '#features/folders/index.ts';
import type { PlacedError, PlaceEngineErrorsParams } from '#features/language/messages.ts';
import type { BuildWatcher, OfferedData, PlatformData, Session } from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';

/** The builds that are watched, the branch that is worked on, and the log that users read. */
export interface BuildDeps {
  readonly builds: BuildWatcher;
  readonly session: Session;
  readonly logger: Logger;
}

/** What showing the errors of a build at their places needs. */
export interface BuildResultDeps extends BuildDeps {
  readonly data: PlatformData;
  /** Where errors of the engine belong, one answer for each; `undefined` while the language server does not run. */
  readonly placeErrors: (errors: PlaceEngineErrorsParams) => Promise<readonly (PlacedError | null)[] | undefined>;
}

/** What having the platform build a branch to validate its model needs. */
export interface ValidationDeps extends OfferedData {
  readonly builds: BuildWatcher;
  readonly session: Session;
  readonly operations: Operations;
  readonly syncs: SyncSessions;
}
