import type { Logger } from '#base/log.ts';
import type { SyncSessions } from '#features/folders/index.ts';
import type { PlacedError, PlaceEngineErrorsParams } from '#features/language/messages.ts';
import type { BuildWatcher, OfferedData, PlatformData, Session } from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';

/** The watched builds, the active branch and the log for users. */
export interface BuildDeps {
  readonly builds: BuildWatcher;
  readonly session: Session;
  readonly logger: Logger;
}

/** The dependencies of showing build errors at their positions. */
export interface BuildResultDeps extends BuildDeps {
  readonly data: PlatformData;
  /** Returns the positions of engine errors, one for each; `undefined` while the language server is not running. */
  readonly locateErrors: (errors: PlaceEngineErrorsParams) => Promise<readonly (PlacedError | null)[] | undefined>;
}

/** The dependencies of validating the model of a branch on the platform. */
export interface ValidationDeps extends OfferedData {
  readonly builds: BuildWatcher;
  readonly session: Session;
  readonly operations: Operations;
  readonly syncs: SyncSessions;
}
