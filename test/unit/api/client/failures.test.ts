import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isCancelled } from '#base/async.ts';
import { isPlatformError, PlatformError, type PlatformErrorKind } from '#api/errors.ts';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { isIdempotent } from '#api/client/retry.ts';
import { ClientUnderTest, type Handler, json, thrown } from '#support/api/client-under-test.ts';
import { canary, samples } from '#support/api/samples.ts';
import { needsAnswer } from '#support/api/needs-answer.ts';

interface Mode {
  readonly name: string;
  readonly handler: (op: Operation) => Handler;
  readonly kind: PlatformErrorKind;
  readonly message: RegExp;
  readonly status?: number;
  /** How often the operation is sent. */
  readonly sent?: (op: Operation) => number;
  /** Where the mode makes sense; by default everywhere. */
  readonly when?: (op: Operation) => boolean;
}

/** An error whose message repeats the secret that was sent, as careless servers do. */
const status = (code: number, field = 'error', headers: Record<string, string> = {}): (() => Handler) => {
  return () => async (request) =>
    json(
      { [field]: `no: ${await secretsOf(request)}`, details: [{ request: await secretsOf(request) }] },
      { status: code, headers },
    );
};
async function secretsOf(request: Request): Promise<string> {
  const sent = `${request.headers.get('authorization') ?? ''} ${await request.clone().text()}`;
  return sent.includes(canary) ? `Bearer ${canary}` : '';
}
const whereSafe = (op: Operation): number => (isIdempotent(op) ? 4 : 1);
const isStream = (op: Operation): boolean => op.answerKind === 'csv' || op.answerKind === 'ndjson';
const isJson = (op: Operation): boolean => op.answerKind === 'json';
const reset = async (request: Request): Promise<never> => {
  const cause = Object.assign(new Error(`read ECONNRESET ${await secretsOf(request)}`), { code: 'ECONNRESET' });
  throw new TypeError('fetch failed', { cause });
};
const endless = (): Response => {
  const chunk = new Uint8Array(700_000).fill(0x20);
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk) });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
};
const html = '<!doctype html><title>Sign in</title>';
const webPage = (): Response => new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });

const modes: readonly Mode[] = [
  {
    name: '401',
    handler: status(401),
    kind: 'auth',
    status: 401,
    message: /“no:.*(Sign in again|credential of the chat)/,
  },
  {
    name: '403',
    handler: status(403),
    kind: 'forbidden',
    status: 403,
    message: /^The platform refused .*use one that covers this deployment|belongs to someone else/,
  },
  {
    name: '404',
    handler: status(404),
    kind: 'notFound',
    status: 404,
    message: /refresh and try again|Check the Chat API URL/,
  },
  {
    name: '409',
    handler: status(409),
    kind: 'conflict',
    status: 409,
    message: /Refresh, then try again|in a new thread/,
  },
  { name: '412', handler: status(412), kind: 'conflict', status: 412, message: /Refresh or pull|Ask again later/ },
  {
    name: '400',
    handler: status(400),
    kind: 'invalidRequest',
    status: 400,
    message: /Check the values|Change the question/,
  },
  { name: '422', handler: status(422, 'message'), kind: 'invalidRequest', status: 422, message: /“no:/ },
  {
    name: '429 with Retry-After',
    handler: status(429, 'error', { 'retry-after': '2' }),
    kind: 'rateLimit',
    status: 429,
    message: /slow down.*in 2 s/,
    // What replaces a whole that was read before would be older after the pause.
    sent: ({ idempotent }) => (idempotent === false ? 1 : 4),
  },
  {
    name: '429',
    handler: status(429),
    kind: 'rateLimit',
    status: 429,
    message: /slow down.*in a while/,
    sent: whereSafe,
  },
  {
    name: '500',
    handler: status(500),
    kind: 'server',
    status: 500,
    message: /request request-1.*Try again later/,
    sent: whereSafe,
  },
  { name: '503', handler: status(503), kind: 'server', status: 503, message: /status 503/, sent: whereSafe },
  { name: 'reset', handler: () => reset, kind: 'network', message: /The connection to \S+ broke/, sent: whereSafe },
  {
    name: 'an HTML error page',
    handler: () => () => new Response(html, { status: 502 }),
    kind: 'server',
    status: 502,
    message: /status 502/,
    sent: whereSafe,
  },
  {
    name: 'a web page instead of data',
    handler: () => webPage,
    kind: 'invalidResponse',
    message: /web page, not data\. Check the tenant URL/,
    when: (op) => op.host !== 'chat',
  },
  {
    name: 'a web page instead of a chat',
    handler: () => webPage,
    kind: 'invalidResponse',
    message: /web page, not data\. Check the Chat API URL/,
    when: (op) => op.host === 'chat',
  },
  {
    name: 'cut JSON',
    handler: (op) => () => new Response((JSON.stringify(samples[op.id]?.answer) ?? '').slice(0, -1)),
    kind: 'invalidResponse',
    message: /not JSON, or it was cut off/,
    when: (op) => isJson(op) && needsAnswer(op),
  },
  {
    name: 'an answer larger than the limit',
    handler: () => endless,
    kind: 'invalidResponse',
    message: /larger than 1 MiB and was not read to its end/,
    when: (op) => !isStream(op) && needsAnswer(op),
  },
  {
    name: 'a redirect to another origin',
    handler: () => () => new Response(null, { status: 307, headers: { location: 'https://elsewhere.example/x' } }),
    kind: 'insecure',
    status: 307,
    message: /elsewhere\.example, where the key must not go/,
  },
];

describe.each(modes)('$name', (mode) => {
  const table = operations.filter((op) => mode.when?.(op) ?? true);

  it.each(table)('$id', async (op) => {
    const under = new ClientUnderTest(mode.handler(op), { limits: { maxAnswerBytes: 1024 * 1024 } });
    const error = await thrown(under.sample(op));
    expectFailure(error, op, mode);
    expect(under.sent).toHaveLength(mode.sent?.(op) ?? 1);
    expectNoLeak(error, under);
  });
});

describe('a change that the platform made (2xx)', () => {
  const plain = { 'content-type': 'text/plain' };
  const bodies: readonly { readonly name: string; readonly body: () => Response }[] = [
    { name: 'OK as plain text', body: () => new Response('OK', { headers: plain }) },
    { name: 'nothing', body: () => new Response(null, { status: 202 }) },
    { name: 'a list', body: () => json([1]) },
    { name: 'fields of other types', body: () => json({ data: 7, name: { deep: true }, branchName: 4 }) },
    { name: 'JSON that was cut off', body: () => new Response('{"data":{"na') },
    { name: 'a connection that breaks after the status', body: () => new Response(brokenBody()) },
  ];
  const changes = operations.filter((op) => !needsAnswer(op));
  /** Their answer names the items that failed, so half of it is not enough. */
  const isWhole = (name: string, { reportsEach }: Operation): boolean =>
    reportsEach !== true || !/cut off|breaks/.test(name);

  describe.each(bodies)('answered with $name', ({ name, body }) => {
    it.each(changes.filter((op) => !isWhole(name, op)))('may be done in part: $id', async (op) => {
      const error = await thrown(new ClientUnderTest(body).sample(op));
      expect(error).toMatchObject({ mayBeDone: true });
    });

    it.each(changes.filter((op) => isWhole(name, op)))('is done: $id', async (op) => {
      const under = new ClientUnderTest(body);
      await under.sample(op);
      expect(under.sent).toHaveLength(1);
    });
  });
});

function brokenBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"data":'));
      controller.error(new TypeError('terminated'));
    },
  });
}

describe('no answer in time', () => {
  it.each(operations)('$id', async (op) => {
    const under = new ClientUnderTest(() => new Promise<Response>(() => undefined), { limits: { timeoutMs: 1 } });
    const error = await thrown(under.sample(op));
    expectFailure(error, op, { kind: 'timeout', message: /did not answer “[a-z\d ]+” within/ });
    expect(under.sent).toHaveLength(1);
    expectNoLeak(error, under);
  });
});

describe('cancelled', () => {
  it.each(operations)('$id', async (op) => {
    const controller = new AbortController();
    const under = new ClientUnderTest(() => {
      controller.abort();
      return new Promise<Response>(() => undefined);
    });
    const error = await thrown(under.client.open(op, samples[op.id]?.request as never, { signal: controller.signal }));
    expect(isCancelled(error)).toBe(true);
    expectFailure(error, op, { kind: 'cancelled', message: /was cancelled/ });
    expectNoLeak(error, under);
  });
});

describe('a missing needed field', () => {
  it.each(operations.filter((op) => samples[op.id]?.needed !== undefined))('$id', async (op) => {
    const { answer, needed = '' } = samples[op.id] ?? {};
    const under = new ClientUnderTest(() => json(without(answer, needed)));
    const error = await thrown(under.sample(op));
    expectFailure(error, op, { kind: 'invalidResponse', message: / is (missing|not )/ });
    expect(isPlatformError(error) && error.field).toContain(needed.split('.').at(0));
  });
});

function expectFailure(error: unknown, op: Operation, mode: Pick<Mode, 'kind' | 'status' | 'message'>): void {
  if (!(error instanceof PlatformError)) throw new TypeError('not a PlatformError', { cause: error });
  expect([error.kind, error.operation]).toEqual([mode.kind, op.id]);
  expect(error.status).toBe(mode.status);
  expect(error.message).toMatch(mode.message);
  expect(error.requestId).toBe('request-1');
}

/** The key is in nothing that people or logs see; a log line names the operation, and nothing but plain facts. */
function expectNoLeak(error: unknown, under: ClientUnderTest): void {
  const told = inspect([error, under.logs], { depth: 12 });
  expect(told).not.toContain(canary);
  expect(under.logs).toHaveLength(under.sent.length);
  for (const { fields } of under.logs) {
    expect(Object.keys(fields).sort().join()).toMatch(/^attempt,duration,(kind,)?operation,requestId,status$/);
  }
}

/** A copy without the field at a dotted path. */
function without(value: unknown, path: string): unknown {
  const [head = '', ...rest] = path.split('.');
  const copy = structuredClone(value) as Record<string, unknown>;
  if (rest.length > 0) copy[head] = without(copy[head], rest.join('.'));
  else if (Array.isArray(copy)) copy[head as never] = null as never;
  else delete copy[head];
  return copy;
}
