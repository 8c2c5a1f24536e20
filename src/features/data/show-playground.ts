import type { DataQuery } from '#api/data.ts';
import type { EnvironmentTarget } from './query-service.ts';

/** What a playground is opened for. */
export interface PlaygroundOpening {
  /** The folder whose choice of where queries run it follows, as choices are stored by. */
  readonly folder: string;
  /** Where its queries run unless the user chose otherwise. */
  readonly branch: EnvironmentTarget | undefined;
  /** Whether the user named the deployment: then only environments of it are chosen instead of its branch. */
  readonly isFixed?: boolean | undefined;
  /** A cube, view or member that a query is to be made of. */
  readonly name?: string | undefined;
  /** A query that is run, as the data API takes it. */
  readonly query?: DataQuery | undefined;
}

/** Opens a playground. */
export type ShowPlayground = (opening: PlaygroundOpening) => Promise<void>;
