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
import { PlatformError } from '#api/errors.ts';
import { exactJson } from './exact-json.ts';
import { plainName } from '#api/client/failure.ts';
import type { NamedOperation } from '#api/operation.ts';
import { messageOf } from '#api/client/refusal.ts';
import { isObject } from '#api/schema.ts';
import { readNdjson } from '#api/streams/stream.ts';
import { checkedAnswer } from '#api/client/validation.ts';

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

export interface SqlColumn {
  readonly name: string;
  readonly type: string;
}

/** A batch from `cubeSql`: the schema once and first, then rows as they arrive. */
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
  const of = (operation: NamedOperation): Called => ({ operation, host, clock });
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

/** The context of one call. */
interface Called {
  readonly operation: NamedOperation;
  readonly host: string;
  readonly clock: Clock;
}

/** Sends the identical request until the response is not "Continue wait". */
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
  readonly #operation: NamedOperation;
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

/** Throws for an error in a 200 response; returns any other response. */
function refuseError(called: Called, answer: unknown): unknown {
  if (!isObject(answer) || typeof answer['error'] !== 'string') return answer;
  throw queryError(called, answer);
}

function queryError({ operation, host }: Called, body: Readonly<Record<string, unknown>>): PlatformError {
  const kind = 'invalidRequest';
  const serverMessage = messageOf(body);
  const refused = { host, kind, status: 200, serverMessage, requestId: '', retryAfter: undefined } as const;
  const message = operation.texts?.failure(refused) ?? serverMessage ?? '';
  return new PlatformError({ kind, operation: operation.id, message, body });
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
  called: Called,
  statement: string,
  options: DataOptions,
): AsyncGenerator<SqlBatch, void> {
  const wait = new Waiting(called, options);
  for (;;) {
    const sent = called.clock.now();
    const response = await client.open(runCubeSql, { body: { query: statement } }, options);
    let again: { readonly stage: string | undefined } | undefined;
    for await (const values of readNdjson(readBytes(response, runCubeSql, options), {
      operation: runCubeSql.id,
      signal: options.signal,
      isWhole: true,
      parse: exactJson,
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
    return { kind: 'schema', columns: distinctlyNamed(value['schema'].map((column) => sqlColumn(column))) };
  if (!Array.isArray(value['data'])) return undefined;
  return { kind: 'rows', rows: value['data'].filter((row) => Array.isArray(row)) };
}

/** Numbers columns of one name, because SQL may name several alike and rows are looked up by name. */
function distinctlyNamed(columns: readonly SqlColumn[]): readonly SqlColumn[] {
  const taken = new Set(columns.map(({ name }) => name));
  const seen = new Set<string>();
  return columns.map((column) => {
    let { name } = column;
    for (let at = 2; seen.has(name); at += 1) {
      const numbered = `${column.name} (${at})`;
      if (!taken.has(numbered)) name = numbered;
    }
    seen.add(name);
    return { ...column, name };
  });
}

function sqlColumn(column: unknown): SqlColumn {
  const { name, column_type: type } = isObject(column) ? column : {};
  return { name: typeof name === 'string' ? name : '', type: typeof type === 'string' ? type : 'String' };
}
