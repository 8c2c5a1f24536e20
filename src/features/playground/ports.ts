import type { AskTarget } from '#shell/targets.ts';
import type { DataClient } from '#api/data.ts';
import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log.ts';
import type { QueryService, QueryTarget, RunOptions } from '#features/data/index.ts';
import type { HostToResults } from '#features/data/messages.ts';
import type { ComparisonPorts } from './comparisons.ts';
import type { PlaygroundMessage } from './messages.ts';
import type { PlaygroundLocation } from './location.ts';

/** What a page of the playground works with. */
export interface PlaygroundPorts extends Pick<ComparisonPorts, 'chooseIdentity' | 'chooseTarget'> {
  /** Where its queries run at first. */
  readonly place: PlaygroundLocation;
  readonly queries: Pick<QueryService, 'run' | 'meta' | 'nameOf'> & {
    client(target: QueryTarget, options?: Pick<RunOptions, 'securityContext'>): Pick<DataClient, 'sql'>;
  };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly post: (message: PlaygroundMessage | HostToResults) => void;
  readonly copy: (text: string) => Promise<void>;
  readonly saveCsv: (text: string) => Promise<void>;
  /** Puts a question about a value into the chat. */
  readonly ask: (question: AskTarget) => Promise<void>;
  /** `data`: base64 of a PNG, or the text of an SVG. */
  readonly saveImage: (format: 'png' | 'svg', data: string) => Promise<void>;
}
