import type { DataQuery } from '#api/data/data.ts';
import type { EnvironmentChoice } from './query-service.ts';

/** The context in which a playground is opened. */
export interface PlaygroundOpening {
  /** The folder whose query target it follows; the key of the stored choice. */
  readonly folder: string;
  /** The default target of its queries, unless the user chose another one. */
  readonly branch: EnvironmentChoice | undefined;
  /** Whether the user named the deployment: then only environments of it can replace its branch. */
  readonly isFixed?: boolean | undefined;
  /** A cube, view or member to make a query for. */
  readonly name?: string | undefined;
  /** A query of the data API to run. */
  readonly query?: DataQuery | undefined;
}

/** Opens a playground. */
export type ShowPlayground = (opening: PlaygroundOpening) => Promise<void>;
