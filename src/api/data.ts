import type * as v from 'valibot';
import { type Clock, systemClock } from '#base/clock.ts';
import { readBytes } from './byte-stream.ts';
import { type CallOptions, type Client, type ClientOptions, createClient } from './client.ts';
import { dataFailureText } from './data-failure.ts';
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
import { PlatformError } from './errors.ts';
import { plainName } from './failure.ts';
import { messageOf } from './refusal.ts';
import { isObject } from './schema.ts';
import { readNdjson } from './stream.ts';
import { checkedAnswer } from './validation.ts';

export interface DataOptions extends CallOptions {
  /** Called for every "Continue wait". */
  readonly onWait?: ((progress: WaitProgress) => void) | undefined;
  /** How long to keep asking, in milliseconds; default 10 minutes. */
  readonly maxWaitMs?: number | undefined;
}

export interface WaitProgress {
  /** Milliseconds since the first request. */
  readonly elapsedMs: number;
  /** How often the server asked to wait, this time included. */
  readonly times: number;
  /** What the server says it is doing, where it does. */
  readonly stage: string | undefined;
}

export type DataQuery = Readonly<Record<string, unknown>>;
export type LoadAnswer = v.InferOutput<typeof loadAnswer>;

export interface CompiledSql {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface SqlColumn {
  readonly name: string;
  readonly type: string;
}

/** What `cubeSql` yields: the schema once and first, then rows as they come. */
export type SqlBatch =
  | { readonly kind: 'schema'; readonly columns: readonly SqlColumn[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly unknown[])[] };

/** The data API of one environment (docs/data-api.md). Every method throws `PlatformError`. */
export interface DataClient {
  meta(options?: DataOptions): Promise<readonly MetaCube[]>;
  load(query: DataQuery, options?: DataOptions): Promise<LoadAnswer>;
  sql(query: DataQuery, options?: DataOptions): Promise<CompiledSql>;
  cubeSql(statement: string, options?: DataOptions): AsyncGenerator<SqlBatch, void>;
}

export type DataClientOptions = Omit<ClientOptions, 'baseUrl' | 'chatUrl' | 'chatCredential' | 'supports'> & {
  /** `api_credentials.rest.url` of the environment. */
  readonly restUrl: string;
};

const defaultMaxWaitMs = 10 * 60_000;
/** A server that answers "Continue wait" at once must not be asked in a tight loop. */
const shortestRoundMs = 500;

/** A client of one environment's data API; the credential is usually `{kind: 'plain', token: jwt}`. */
export function createDataClient({ restUrl, ...options }: DataClientOptions): DataClient {
  // A failed query is a 500 as well, and stays one: it is not asked again as often as a failing platform.
  const client = createClient({ ...options, baseUrl: restUrl, limits: { attempts: 2, ...options.limits } });
  const clock = options.clock ?? systemClock;
  const { host } = new URL(restUrl);
  const of = ({ id: operation }: { readonly id: string }): Called => ({ operation, host, clock });
  return {
    meta: async (call = {}) => {
      const answer = await waiting(of(getMeta), call, () => client.call(getMeta, {}, call));
      return checkedAnswer(getMeta, metaAnswer, answer).cubes;
    },
    load: async (query, call = {}) => {
      const answer = await waiting(of(loadData), call, () => client.call(loadData, { body: { query } }, call));
      return checkedAnswer(loadData, loadAnswer, firstResult(answer));
    },
    sql: async (query, call = {}) => {
      const answer = await waiting(of(compileSql), call, () => client.call(compileSql, { body: { query } }, call));
      return compiled(checkedAnswer(compileSql, sqlAnswer, answer).sql.sql);
    },
    cubeSql: (statement, call = {}) => cubeSql(client, of(runCubeSql), statement, call),
  };
}

/** One call of an operation on a host. */
interface Called {
  readonly operation: string;
  readonly host: string;
  readonly clock: Clock;
}

/** Sends the identical request until the answer is something else than "Continue wait". */
async function waiting(called: Called, options: DataOptions, send: () => Promise<unknown>): Promise<unknown> {
  const wait = new Waiting(called, options);
  for (;;) {
    const sent = called.clock.now();
    const answer = await send();
    const again = continueWait(answer);
    if (!again) return refuseError(called, answer);
    await wait.round(again.stage, sent);
  }
}

class Waiting {
  readonly #operation: string;
  readonly #clock: Clock;
  readonly #options: DataOptions;
  readonly #started: number;
  #times = 0;

  constructor({ operation, clock }: Called, options: DataOptions) {
    this.#operation = operation;
    this.#clock = clock;
    this.#options = options;
    this.#started = clock.now();
  }

  /** One "Continue wait", of a request that was sent at `sent`: notifies the caller and delays the next one. */
  async round(stage: string | undefined, sent: number): Promise<void> {
    const now = this.#clock.now();
    const elapsedMs = now - this.#started;
    this.#times += 1;
    const maxWaitMs = this.#options.maxWaitMs ?? defaultMaxWaitMs;
    if (elapsedMs >= maxWaitMs) {
      throw new PlatformError({
        kind: 'timeout',
        operation: this.#operation,
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
        operation: this.#operation,
        message: `${plainName({ id: this.#operation })} was cancelled.`,
      });
    }
  }
}

function stillRunning(operation: string, seconds: number): string {
  return operation === getMeta.id
    ? `The server was still preparing the data model after ${seconds} s. Try again later.`
    : `The query was still running after ${seconds} s. Make it smaller, or try again later.`;
}

/** An error in a 200 answer. */
function refuseError(called: Called, answer: unknown): unknown {
  if (!isObject(answer) || typeof answer['error'] !== 'string') return answer;
  throw queryError(called, answer);
}

function queryError({ operation, host }: Called, body: Readonly<Record<string, unknown>>): PlatformError {
  const refused = { op: { id: operation }, host, kind: 'invalidRequest', status: 200 } as const;
  const message = dataFailureText({ ...refused, said: messageOf(body), requestId: '', retryAfter: undefined });
  return new PlatformError({ kind: 'invalidRequest', operation, message, body });
}

/** Some servers answer a single query as a list of results. */
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
  called: Called,
  statement: string,
  options: DataOptions,
): AsyncGenerator<SqlBatch, void> {
  const wait = new Waiting(called, options);
  for (;;) {
    const sent = called.clock.now();
    const response = await client.open(runCubeSql, { body: { query: statement } }, options);
    let again: { readonly stage: string | undefined } | undefined;
    for await (const values of readNdjson(readBytes(response, runCubeSql.id, options), {
      operation: runCubeSql.id,
      signal: options.signal,
      isWhole: true,
    })) {
      for (const value of values) {
        again = continueWait(value);
        if (again) break;
        const batch = sqlBatch(called, value);
        if (batch) yield batch;
      }
      if (again) break;
    }
    if (!again) return;
    await wait.round(again.stage, sent);
  }
}

function sqlBatch(called: Called, value: unknown): SqlBatch | undefined {
  if (!isObject(value)) return undefined;
  if (typeof value['error'] === 'string') throw queryError(called, value);
  if (Array.isArray(value['schema']))
    return { kind: 'schema', columns: value['schema'].map((column) => sqlColumn(column)) };
  if (!Array.isArray(value['data'])) return undefined;
  return { kind: 'rows', rows: value['data'].filter((row) => Array.isArray(row)) };
}

function sqlColumn(column: unknown): SqlColumn {
  const { name, column_type: type } = isObject(column) ? column : {};
  return { name: typeof name === 'string' ? name : '', type: typeof type === 'string' ? type : 'String' };
}
