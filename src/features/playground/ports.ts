import type { DataClient, DataQuery } from '#api/data.ts';
import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log.ts';
import type { QueryService, QueryTarget, ResultOutputs, RunOptions } from '#features/data/index.ts';
import type { HostToResults } from '#features/data/messages.ts';
import type { PreAggregationProposal, QueryExplanation } from '#model/pre-aggregations/explanation.ts';
import type { ComparisonChoices } from './comparisons.ts';
import type { PlaygroundMessage } from './messages.ts';
import type { PlaygroundLocation } from './location.ts';

/** What the engine on this machine says of queries to the model of a folder (a URI), with what is not saved yet. */
export interface EngineAdvice {
  explain(folder: string, query: DataQuery, signal: AbortSignal): Promise<QueryExplanation>;
  propose(folder: string, query: DataQuery, signal: AbortSignal): Promise<PreAggregationProposal>;
}

/** The same of the folder of a playground. */
export interface QueryAdvice {
  explain(query: DataQuery, signal: AbortSignal): Promise<QueryExplanation>;
  propose(query: DataQuery, signal: AbortSignal): Promise<PreAggregationProposal>;
  /** Has the user review a change of a file; whether they accepted it. */
  review(uri: string, text: string, title: string): Promise<boolean>;
}

/** What a page of the playground works with. */
export interface PlaygroundPorts {
  /** Where its queries run at first. */
  readonly place: PlaygroundLocation;
  readonly queries: Pick<QueryService, 'run' | 'meta' | 'nameOf'> & {
    /** The next use of metadata reads it again. */
    forgetMeta(): void;
    client(target: QueryTarget, options?: Pick<RunOptions, 'securityContext'>): Pick<DataClient, 'sql'>;
  };
  readonly advice: QueryAdvice;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly post: (message: PlaygroundMessage | HostToResults) => void;
  readonly outputs: PlaygroundOutputs;
  readonly choices: ComparisonChoices;
}

/** Where what the playground shows can go. */
export interface PlaygroundOutputs extends Omit<ResultOutputs, 'openSql'> {
  /** `data`: base64 of a PNG, or the text of an SVG. */
  readonly saveImage: (format: 'png' | 'svg', data: string) => Promise<void>;
}
