import type { DataClient, DataQuery } from '#api/data/data.ts';
import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log.ts';
import type { QueryService, QueryTarget, ResultOutputs, QueryOptions } from '#features/data/index.ts';
import type { HostToResults } from '#features/data/messages.ts';
import type { PreAggregationProposal, QueryExplanation } from '#model/pre-aggregations/explanation.ts';
import type { WrittenMember } from '#model/written-member.ts';
import type { ComparisonChoices } from './comparisons.ts';
import type { PlaygroundMessage } from './messages.ts';
import type { PlaygroundLocation } from './location.ts';

/** Explains queries to the model of a folder (a URI), including unsaved changes, with the engine on this machine. */
export interface EngineAdvice {
  /** Resolves to the public members of the model as it is written. */
  members(folder: string): Promise<readonly WrittenMember[]>;
  explain(folder: string, query: DataQuery, signal: AbortSignal): Promise<QueryExplanation>;
  propose(folder: string, query: DataQuery, signal: AbortSignal): Promise<PreAggregationProposal>;
}

/** As {@link EngineAdvice}, for the folder of a playground. */
export interface QueryAdvice {
  /** Resolves to the public members of the folder's model as it is written; to none where another model is queried. */
  members(): Promise<readonly WrittenMember[]>;
  explain(query: DataQuery, signal: AbortSignal): Promise<QueryExplanation>;
  propose(query: DataQuery, signal: AbortSignal): Promise<PreAggregationProposal>;
  /** Lets the user review a change to a file; resolves to whether they accepted it. */
  review(uri: string, text: string, title: string): Promise<boolean>;
}

/** The dependencies of a playground page. */
export interface PlaygroundPorts {
  /** The initial target of its queries. */
  readonly location: PlaygroundLocation;
  readonly queries: Pick<QueryService, 'run' | 'meta' | 'nameOf'> & {
    /** Drops cached metadata, so that the next use reads it again. */
    forgetMeta(): void;
    client(target: QueryTarget, options?: Pick<QueryOptions, 'securityContext'>): Pick<DataClient, 'sql'>;
  };
  readonly advice: QueryAdvice;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly post: (message: PlaygroundMessage | HostToResults) => void;
  readonly outputs: PlaygroundOutputs;
  readonly choices: ComparisonChoices;
}

/** The destinations of what the playground shows. */
export interface PlaygroundOutputs extends Omit<ResultOutputs, 'openSql'> {
  /** Opens a statement in an editor. */
  readonly openSql: (sql: string) => Promise<void>;
  /** `data`: base64 of a PNG, or the text of an SVG. */
  readonly saveImage: (format: 'png' | 'svg', data: string) => Promise<void>;
  /** Asks for a title, with a proposal, and writes the query into a new file of the project. */
  readonly saveQuery: (query: DataQuery, proposedTitle: string) => Promise<void>;
}
