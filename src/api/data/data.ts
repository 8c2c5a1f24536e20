import type * as v from 'valibot';
import { type Clock, systemClock } from '#base/clock.ts';
import { readBytes } from '#api/streams/byte-stream.ts';
import { type CallOptions, type Client, type ClientOptions, createClient } from '#api/client/client.ts';
import {
  compileSql,
  continueWait,
  getMeta,
  loadAnswer,
  loadData,
  metaAnswer,
  type MetaCube,
  runCubeSql,
  sqlAnswer,
} from './data-operations.ts';
import { type Called, refuseError } from './answer-errors.ts';
import { PlatformError } from '#api/errors.ts';
import { exactJson } from './exact-json.ts';
import { plainName } from '#api/client/failure.ts';
import type { NamedOperation } from '#api/operation.ts';
import { type SqlBatch, SqlBatches } from './sql-batches.ts';
import { isObject } from '#api/schema.ts';
import { readNdjson } from '#api/streams/stream.ts';
import { checkedAnswer, unusable } from '#api/client/validation.ts';

export interface DataOptions extends CallOptions {
  /** Called for every "Continue wait". */
  readonly onWait?: ((progress: WaitProgress) => void) | undefined;
  /** The longest total wait, in milliseconds; default 10 minutes. */
  readonly maxWaitMs?: number | undefined;
}

export interface WaitProgress {
  /** Milliseconds since the first request. */
  readonly elapsedMs: number;
  /** The number of times that the server asked to wait, including this one. */
  readonly times: number;
  /** The stage that the server reports, if any. */
  readonly stage: string | undefined;
}

export type DataQuery = Readonly<Record<string, unknown>>;
export type LoadAnswer = v.InferOutput<typeof loadAnswer>;

export interface CompiledSql {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The data API of one environment (docs/data-api.md). Every method throws `PlatformError`. */
export interface DataClient {
  meta(options?: DataOptions): Promise<readonly MetaCube[]>;
  load(query: DataQuery, options?: DataOptions): Promise<LoadAnswer>;
  sql(query: DataQuery, options?: DataOptions): Promise<CompiledSql>;
  cubeSql(statement: string, options?: DataOptions): AsyncGenerator<SqlBatch, void>;
}

export type DataClientOptions = Omit<ClientOptions, 'baseUrl' | 'chatUrl' | 'chatCredential' | 'supports'> & {
  /** The environment's `api_credentials.rest.url`. */
  readonly restUrl: string;
};

const defaultMaxWaitMs = 10 * 60_000;
/** Prevents a tight loop with a server that returns "Continue wait" immediately. */
const shortestRoundMs = 500;

/** Creates a client of one environment's data API; the credential is usually `{kind: 'plain', token: jwt}`. */
export function createDataClient({ restUrl, ...options }: DataClientOptions): DataClient {
  // A failed query is also a 500 and will fail again: do not retry it as often as a failing platform.
  const client = createClient({ ...options, baseUrl: restUrl, limits: { attempts: 2, ...options.limits } });
  const clock = options.clock ?? systemClock;
  const { host } = new URL(restUrl);
  const of = (operation: NamedOperation): TimedCall => ({ operation, host, clock });
  return {
    meta: async (call = {}) => {
      const answer = await waiting(of(getMeta), call, () => client.call(getMeta, {}, call));
      return checkedAnswer(getMeta, metaAnswer, answer).cubes;
    },
    load: async (query, call = {}) => {
      const answer = await waiting(of(loadData), call, () => client.call(loadData, { body: { query } }, call));
      return checkedAnswer(loadData, loadAnswer, answer);
    },
    sql: async (query, call = {}) => {
      const answer = await waiting(of(compileSql), call, () => client.call(compileSql, { body: { query } }, call));
      // Servers may report how they compiled, and so also that they could not, beside the SQL.
      if (isObject(answer)) refuseError(of(compileSql), answer['sql']);
      return compiled(checkedAnswer(compileSql, sqlAnswer, answer).sql.sql);
    },
    cubeSql: (statement, call = {}) => cubeSql(client, of(runCubeSql), statement, call),
  };
}

/** The context of one call. */
interface TimedCall extends Called {
  readonly clock: Clock;
}

/** Sends the identical request until the response is not "Continue wait". */
async function waiting(called: TimedCall, options: DataOptions, send: () => Promise<unknown>): Promise<unknown> {
  const wait = new Waiting(called, options);
  for (;;) {
    const sent = called.clock.now();
    const answer = firstResult(await send());
    const again = continueWait(answer);
    if (!again) return refuseError(called, answer);
    await wait.round(again.stage, sent);
  }
}

class Waiting {
  readonly #operation: NamedOperation;
  readonly #clock: Clock;
  readonly #options: DataOptions;
  readonly #started: number;
  #times = 0;

  constructor({ operation, clock }: TimedCall, options: DataOptions) {
    this.#operation = operation;
    this.#clock = clock;
    this.#options = options;
    this.#started = clock.now();
  }

  /** Handles one "Continue wait", for a request that was sent at `sent`: notifies the caller and delays the next request. */
  async round(stage: string | undefined, sent: number): Promise<void> {
    const now = this.#clock.now();
    const elapsedMs = now - this.#started;
    this.#times += 1;
    const maxWaitMs = this.#options.maxWaitMs ?? defaultMaxWaitMs;
    if (elapsedMs >= maxWaitMs) {
      throw new PlatformError({
        kind: 'timeout',
        operation: this.#operation.id,
        message: stillRunning(this.#operation, Math.round(maxWaitMs / 1000)),
        retryable: true,
      });
    }
    this.#options.onWait?.({ elapsedMs, times: this.#times, stage });
    const pause = Math.max(0, shortestRoundMs - (now - sent));
    try {
      await this.#clock.sleep(pause, this.#options.signal);
    } catch {
      throw new PlatformError({
        kind: 'cancelled',
        operation: this.#operation.id,
        message: `${plainName(this.#operation)} was cancelled.`,
      });
    }
  }
}

function stillRunning({ id }: NamedOperation, seconds: number): string {
  return id === getMeta.id
    ? `The server was still preparing the data model after ${seconds} s. Try again later.`
    : `The query was still running after ${seconds} s. Make it smaller, or try again later.`;
}

/** Returns the first result, because some servers return a list of results for a single query. */
function firstResult(answer: unknown): unknown {
  const results = isObject(answer) ? answer['results'] : undefined;
  return Array.isArray(results) && results.length > 0 ? results[0] : answer;
}

function compiled(statement: string | readonly unknown[]): CompiledSql {
  if (typeof statement === 'string') return { sql: statement, values: [] };
  const [sql, values] = statement;
  return { sql: typeof sql === 'string' ? sql : '', values: Array.isArray(values) ? values : [] };
}

async function* cubeSql(
  client: Client,
  called: TimedCall,
  statement: string,
  options: DataOptions,
): AsyncGenerator<SqlBatch, void> {
  const wait = new Waiting(called, options);
  const batches = new SqlBatches(called);
  for (;;) {
    const sent = called.clock.now();
    const response = await client.open(runCubeSql, { body: { query: statement } }, options);
    let again: { readonly stage: string | undefined } | undefined;
    for await (const values of readNdjson(readBytes(response, runCubeSql, options), {
      operation: runCubeSql.id,
      signal: options.signal,
      isWhole: true,
      parse: exactJson,
      notLines: unusable(runCubeSql, '', 'is not rows').message,
    })) {
      for (const value of values) {
        again = continueWait(value);
        if (again) break;
        yield* batches.of(value);
      }
      if (again) break;
    }
    if (!again) return;
    if (batches.hasRows) throw interrupted(called);
    await wait.round(again.stage, sent);
  }
}

/** The next answer may repeat the rows so far, so the caller has to begin again. */
function interrupted({ operation, host }: Called): PlatformError {
  return new PlatformError({
    kind: 'server',
    operation: operation.id,
    message: `${host} stopped in the middle of the rows and asked to wait. Run it again.`,
    retryable: true,
  });
}
