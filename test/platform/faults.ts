import * as v from 'valibot';
import { type Clock } from '#base/clock.ts';
import { commitFiles } from './core/deployments.ts';
import type { Core } from './core/core.ts';
import { cutBody } from './cut-body.ts';
import { validated } from './routes/request.ts';
import { Refusal } from './core/refusal.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Which requests a fault meets, and how often. */
const aim = {
  method: v.optional(v.string()),
  /** A regular expression on the path. */
  path: v.optional(v.string()),
  /** Matching requests that pass first. */
  skip: v.optional(count, 0),
  /** How many it meets; without it, all. */
  times: v.optional(count),
};

const faultSchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('latency'), ms: count, jitterMs: v.optional(count, 0), ...aim }),
  v.strictObject({
    kind: v.literal('status'),
    status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
    retryAfter: v.optional(count),
    ...aim,
  }),
  /** HTML with status 200, as an unknown route of a web application answers. */
  v.strictObject({ kind: v.literal('html'), ...aim }),
  /** The answer's body ends with an error after so many bytes, be it inside a character. */
  v.strictObject({ kind: v.literal('cut'), afterBytes: count, ...aim }),
  v.strictObject({ kind: v.literal('hang'), ...aim }),
  /** The connection is reset; `lateReset`: after the request has had its effect (a lost reply). */
  v.strictObject({ kind: v.literal('reset'), ...aim }),
  v.strictObject({ kind: v.literal('lateReset'), ...aim }),
  /** The request arrives twice; the second answer is the one that is seen. */
  v.strictObject({ kind: v.literal('duplicate'), ...aim }),
  /** `GET …/file-hashes` answers what it answered the time before. */
  v.strictObject({ kind: v.literal('staleHashes'), ...aim }),
  /** A colleague commits to a branch just before the request is served. */
  v.strictObject({
    kind: v.literal('colleagueCommit'),
    deploymentId: v.number(),
    branch: v.string(),
    files: v.record(v.string(), v.nullable(v.string())),
    ...aim,
  }),
  /** The process is killed (`SIGKILL`) before the request is served, or after and before it is answered. */
  v.strictObject({ kind: v.literal('crash'), when: v.picklist(['before', 'after']), ...aim }),
]);

export type Fault = v.InferOutput<typeof faultSchema>;
export type FaultInput = v.InferInput<typeof faultSchema>;

/** One request as `GET /_log` tells it; no credentials, no bodies. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** 0: no answer left. */
  readonly status: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly requestId: string | null;
  readonly ifMatch: string | null;
}

/** A connection that can be reset; undefined in memory. */
export interface Wire {
  reset(): void;
}

interface Armed {
  readonly fault: Fault;
  skipped: number;
  met: number;
}

const keptRequests = 20_000;
type Serve = (request: Request) => Promise<Response>;

/** What goes wrong on demand, and the log of what was asked. */
export class Faults {
  readonly #enabled: boolean;
  readonly #core: Core;
  readonly #clock: Clock;
  readonly #closing: AbortSignal;
  readonly #lastHashes = new Map<string, string>();
  #armed: Armed[] = [];
  #log: LoggedRequest[] = [];
  readonly #underway = new Set<Request>();

  /** @param options `closing` ends what waits for the clock or hangs */
  constructor(options: { readonly enabled: boolean; readonly core: Core; readonly closing: AbortSignal }) {
    this.#enabled = options.enabled;
    this.#core = options.core;
    this.#clock = options.core.clock;
    this.#closing = options.closing;
  }

  get log(): readonly LoggedRequest[] {
    return this.#log;
  }

  /** The paths of the requests that have arrived and have not ended. */
  get underway(): readonly string[] {
    return [...this.#underway].map(({ url }) => new URL(url).pathname);
  }

  clearLog(): void {
    this.#log = [];
  }

  /** Replaces all faults. */
  set(faults: readonly FaultInput[]): void {
    this.#armed = faults.map((fault) => ({
      fault: validated(faultSchema, fault) as Fault,
      skipped: 0,
      met: 0,
    }));
  }

  /** Serves a request through the faults that meet it. */
  async around(request: Request, serve: Serve, wire?: Wire): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname === '/_faults' || url.pathname === '/_log') return this.#administer(request, url.pathname);
    const started = this.#clock.now();
    let status = 0;
    this.#underway.add(request);
    try {
      const response = await this.#through(request, this.#meeting(request, url.pathname), serve, wire);
      status = response.status;
      return response;
    } finally {
      this.#underway.delete(request);
      if (this.#log.length >= keptRequests) this.#log.splice(0, keptRequests / 2);
      this.#log.push({
        method: request.method,
        path: url.pathname,
        query: url.search,
        status,
        duration: this.#clock.now() - started,
        requestId: request.headers.get('x-request-id'),
        ifMatch: request.headers.get('if-match') ?? request.headers.get('if-none-match'),
      });
    }
  }

  #meeting(request: Request, path: string): Fault[] {
    const met: Fault[] = [];
    for (const armed of this.#armed) {
      const { method, path: pattern, skip, times } = armed.fault;
      if (method !== undefined && method !== request.method) continue;
      if (pattern !== undefined && !new RegExp(pattern).test(path)) continue;
      if (armed.skipped < skip) armed.skipped++;
      else if (times === undefined || armed.met < times) {
        armed.met++;
        met.push(armed.fault);
      }
    }
    return met;
  }

  async #through(request: Request, faults: readonly Fault[], serve: Serve, wire: Wire | undefined): Promise<Response> {
    for (const fault of faults) {
      const answer = await this.#before(fault, request, serve, wire);
      if (answer !== undefined) return answer;
    }
    let response = await serve(request);
    response = await this.#hashes(request, faults, response);
    for (const fault of faults) {
      if (fault.kind === 'cut') response = cutBody(response, fault.afterBytes);
      else if (fault.kind === 'lateReset') return reset(wire);
      else if (fault.kind === 'crash' && fault.when === 'after') process.kill(process.pid, 'SIGKILL');
    }
    return response;
  }

  /** What happens before the request is served: an answer in its place, or nothing. */
  async #before(fault: Fault, request: Request, serve: Serve, wire: Wire | undefined): Promise<Response | undefined> {
    if (fault.kind === 'latency') {
      await this.#clock.sleep(fault.ms + Math.random() * fault.jitterMs, this.#endOf(request));
    } else if (fault.kind === 'duplicate') {
      await serve(request.clone());
    } else if (fault.kind === 'colleagueCommit') {
      await this.#commit(fault);
    } else if (fault.kind === 'crash' && fault.when === 'before') {
      process.kill(process.pid, 'SIGKILL');
    }
    if (fault.kind === 'hang') return untilAborted(this.#endOf(request));
    return inItsPlace(fault, wire);
  }

  /** Aborted when the request is given up, or the platform closes. */
  #endOf(request: Request): AbortSignal {
    return AbortSignal.any([request.signal, this.#closing]);
  }

  async #commit(fault: Extract<Fault, { kind: 'colleagueCommit' }>): Promise<void> {
    const author = { name: 'Colleague', email: 'colleague@localhost', date: this.#clock.now() };
    const { deploymentId, branch, files } = fault;
    await commitFiles(this.#core, deploymentId, { branch, files, message: "A colleague's change", author });
    this.#core.builds.request(fault.deploymentId, fault.branch);
  }

  async #hashes(request: Request, faults: readonly Fault[], response: Response): Promise<Response> {
    if (!this.#enabled || !request.url.includes('/file-hashes') || !response.ok) return response;
    const key = `${request.headers.get('authorization') ?? ''} ${request.url}`;
    const fresh = await response.text();
    const body = faults.some(({ kind }) => kind === 'staleHashes') ? (this.#lastHashes.get(key) ?? fresh) : fresh;
    this.#lastHashes.set(key, body);
    return new Response(body, { status: response.status, headers: response.headers });
  }

  async #administer(request: Request, path: string): Promise<Response> {
    if (!this.#enabled) return Response.json({ error: `There is no ${request.method} ${path}.` }, { status: 404 });
    if (path === '/_log') {
      const answer = Response.json({ requests: this.#log });
      if (request.method === 'DELETE') this.clearLog();
      return answer;
    }
    if (request.method === 'DELETE') this.set([]);
    if (request.method === 'POST') {
      const refused = await this.#setFrom(request);
      if (refused !== undefined) return refused;
    }
    return Response.json({ faults: this.#armed.map(({ fault, met }) => ({ ...fault, met })) });
  }

  async #setFrom(request: Request): Promise<Response | undefined> {
    try {
      const body = (await request.json()) as { readonly faults?: readonly FaultInput[] };
      this.set(body.faults ?? []);
      return undefined;
    } catch (error) {
      const message = error instanceof Refusal ? error.message : 'The body must be JSON: {"faults": [{"kind": …}]}.';
      return Response.json({ error: message }, { status: 400 });
    }
  }
}

function inItsPlace(fault: Fault, wire: Wire | undefined): Response | undefined {
  if (fault.kind === 'status') return failed(fault.status, fault.retryAfter);
  if (fault.kind === 'html') {
    return new Response('<!doctype html><title>Platform</title>', { headers: { 'Content-Type': 'text/html' } });
  }
  return fault.kind === 'reset' ? reset(wire) : undefined;
}

function failed(status: number, retryAfter: number | undefined): Response {
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return Response.json({ error: `A fault was asked for (${status}).` }, { status, headers });
}

/** In memory, a reset connection is what `fetch` rejects with. */
function reset(wire: Wire | undefined): Response {
  wire?.reset();
  throw new TypeError('fetch failed: connection reset');
}

function untilAborted(signal: AbortSignal): Promise<Response> {
  return new Promise((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
