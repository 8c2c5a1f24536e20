import * as v from 'valibot';
import { readBytes } from '#api/streams/byte-stream.ts';
import type { AccountClients, Client } from '#api/client/client.ts';
import type { RequestOf } from '#api/operation.ts';
import { getLogs, logContainers, logSources } from '#api/resources/runtime.ts';
import { getApiDescription } from '#api/resources/tenant.ts';
import { readableTime } from '#base/timestamps.ts';
import { parsed } from '#base/parsed.ts';
import { deploymentKey, type DeploymentTarget } from '#shell/targets.ts';
import { offeredValues } from '#shell/offered-values.ts';
import type { StateStore } from '#shell/ports.ts';
import { logRows } from './log-rows.ts';
import type { AskLog, LogLine } from './log-tail.ts';

const choiceSchema = v.object({
  source: v.string(),
  container: v.string(),
  pod: v.exactOptional(v.string()),
  branchName: v.exactOptional(v.string()),
  from: v.exactOptional(v.string()),
});

/** The log to follow (docs/platform-api.md#getlogs): always one source and one of its containers. */
export type LogChoice = v.InferOutput<typeof choiceSchema>;

/** The names from which a log can be chosen. */
export interface LogNames {
  readonly sources: readonly string[];
  readonly containers: readonly string[];
}

/**
 * Resolves to the names in the server's description, or else the documented ones (docs/platform-api.md#getlogs). One container
 * has the product’s own name, so only the server knows all of them.
 */
export async function logNames(data: AccountClients, accountId: string): Promise<LogNames> {
  const client = data.client(accountId);
  const description = await client.call(getApiDescription, {}).catch(() => undefined);
  return {
    sources: offeredValues(description, getLogs, { query: 'source' }, logSources),
    containers: offeredValues(description, getLogs, { query: 'container' }, logContainers),
  };
}

/**
 * Returns the log that opens at once, before the server's names are read: the last followed one, or else the main log of
 * production.
 */
export function firstLog(last: readonly LogChoice[]): LogChoice {
  return last[0] ?? { source: 'production', container: 'MAIN' };
}

/** Returns a function that reads the chosen log, a batch of rows for each chunk of the response. */
export function askLog(data: AccountClients, { accountId, deploymentId }: DeploymentTarget, choice: LogChoice): AskLog {
  const { source, container, pod, branchName } = choice;
  return async function* ({ limit, from }, signal) {
    const query = { source, container, pod, branchName, from, limit };
    yield* readLog(data.client(accountId), deploymentId, query, signal);
  };
}

type LogQuery = RequestOf<typeof getLogs>['query'];

/** Reads the rows of a log, a batch for each chunk of the response. Throws `PlatformError`. */
export async function* readLog(
  client: Client,
  deploymentId: string,
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[], void> {
  const response = await client.open(getLogs, { params: { deploymentId }, query }, { signal });
  yield* logRows(readBytes(response, getLogs, { signal }));
}

/** How many of the last followed logs are offered again. */
const offeredAgain = 3;
const storedSchema = v.object({ last: v.array(choiceSchema), containers: v.array(v.string()) });
type Stored = v.InferOutput<typeof storedSchema>;

/** The logs that the user followed, by deployment, in the state store. */
export class LogChoices {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Returns the last followed logs, newest first. */
  last(target: DeploymentTarget): readonly LogChoice[] {
    return this.#stored(target).last;
  }

  /** Returns the container names that the user typed because no list contained them. */
  typedContainers(target: DeploymentTarget): readonly string[] {
    return this.#stored(target).containers;
  }

  /** Stores a choice without its start time: “an hour ago” means another time in the next window. */
  async remember(target: DeploymentTarget, followed: LogChoice, names: LogNames): Promise<void> {
    const { from: _, ...choice } = followed;
    const { last, containers } = this.#stored(target);
    const others = last.filter((each) => logText(each) !== logText(choice));
    const isListed = names.containers.includes(choice.container);
    await this.#state.set(keyOf(target), {
      last: [choice, ...others].slice(0, offeredAgain),
      containers: isListed ? containers : [...new Set([choice.container, ...containers])],
    } satisfies Stored);
  }

  #stored(target: DeploymentTarget): Stored {
    return parsed(storedSchema, this.#state.get(keyOf(target))) ?? { last: [], containers: [] };
  }
}

const keyOf = (target: DeploymentTarget): string => `logs.${deploymentKey(target)}`;

/** Returns a log with another filter: an empty text removes the filter; `undefined` (cancelled) changes nothing. */
export function withFilter(
  choice: LogChoice,
  filter: 'pod' | 'branchName' | 'from',
  value: string | undefined,
): LogChoice | undefined {
  if (value === undefined) return undefined;
  const { [filter]: _, ...others } = choice;
  return value === '' ? others : { ...others, [filter]: value };
}

/** Describes a log for titles and rows: `production · MAIN · pod api-0`. */
export function logText({ source, container, pod, branchName, from }: LogChoice): string {
  return [
    source,
    container,
    ...(pod === undefined ? [] : [`pod ${pod}`]),
    ...(branchName === undefined ? [] : [`branch ${branchName}`]),
    ...(from === undefined ? [] : [`since ${readableTime(from)}`]),
  ].join(' · ');
}

/** Parses a time that the user typed: `15m`, `2h` or `7d` ago, or an ISO date; `undefined` for anything else. */
export function parseMoment(typed: string, now: number): string | undefined {
  const [, count, unit] = /^(\d{1,5})\s*([mhd])$/.exec(typed.trim()) ?? [];
  const ago = unit === 'm' ? 60_000 : unit === 'h' ? 3_600_000 : 86_400_000;
  if (count !== undefined) return new Date(now - Number(count) * ago).toISOString();
  if (!/^\d{4}-\d{2}-\d{2}/.test(typed.trim())) return undefined;
  const time = Date.parse(typed.trim());
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
