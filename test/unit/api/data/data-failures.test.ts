import { describe, expect, it } from 'vitest';
import type { DataClient } from '#api/data/data.ts';
import { compileSql, getMeta, loadData, runCubeSql } from '#api/data/data-operations.ts';
import { isPlatformError } from '#api/errors.ts';
import { originOf } from '#base/origin.ts';
import { silentLogger } from '#base/log.ts';
import { type Handler, json, thrown } from '#support/api/client-under-test.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { patientDataClient } from '../../../support/api/patient-client.ts';

type Asked = keyof typeof calls;

const calls = {
  meta: (client: DataClient) => client.meta(),
  load: (client: DataClient) => client.load({ measures: ['orders.count'] }),
  sql: (client: DataClient) => client.sql({ measures: ['orders.count'] }),
  cubeSql: async (client: DataClient) => {
    for await (const batch of client.cubeSql('SELECT 1')) void batch;
  },
} satisfies Record<string, (client: DataClient) => Promise<unknown>>;

/** How a call failed whose every request is answered like this, by a server whose clock and name the test owns. */
async function failureOf(asked: Asked, handler: Handler, timeoutMs?: number): Promise<unknown> {
  const clock = new ManualClock();
  const client = patientDataClient({
    restUrl: 'https://data.example/cubejs-api/v1',
    credential: () => ({ kind: 'plain', token: 'jwt-1', origin: originOf('https://data.example') }),
    logger: silentLogger,
    clock,
    random: () => 0,
    newRequestId: () => 'request-1',
    fetch: async (input, init) => handler(new Request(input, init)),
    ...(timeoutMs === undefined ? {} : { limits: { timeoutMs } }),
  });
  return thrown(clock.run<unknown>(calls[asked](client)));
}

const answered =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Handler =>
  () =>
    json(body, { status, headers });
const page =
  (status: number): Handler =>
  () =>
    new Response('<html><h1>Bad gateway</h1></html>', { status, headers: { 'content-type': 'text/html' } });
const broken =
  (code: string, text = code): Handler =>
  () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(text), { code }) });
  };

const gone = 'Check the address where queries run.';

describe('a failure of the data API', () => {
  it.each<[Asked, string, Handler, string]>([
    [
      'load',
      'a wrong query',
      answered(400, { type: 'UserError', error: "'a.b' not found" }),
      "data.example refused the query: “'a.b' not found”. Correct the query and run it again.",
    ],
    [
      'sql',
      'a wrong query',
      answered(400, { error: 'Unknown a.b' }),
      'data.example refused to compile the query: “Unknown a.b”. Correct the query and run it again.',
    ],
    [
      'cubeSql',
      'a wrong statement',
      answered(400, { error: 'Invalid identifier' }),
      'data.example refused the SQL: “Invalid identifier”. Correct the query and run it again.',
    ],
    [
      'meta',
      'a refusal without a reason',
      answered(400, {}),
      'data.example refused to read the data model (status 400) and gave no reason. Correct the model, or check the log of the server.',
    ],
    [
      'load',
      'a refusal without a reason',
      answered(400, { code: 17 }),
      'data.example refused the query (status 400) and gave no reason. Correct the query and run it again.',
    ],
    [
      'load',
      'a refusal as text',
      answered(400, 'no such member'),
      'data.example refused the query: “no such member”. Correct the query and run it again.',
    ],
    [
      'load',
      'an error of a gateway as text',
      () => new Response('no healthy upstream\n', { status: 503 }),
      'data.example is not available (status 503): “no healthy upstream”. It may be starting: try again in a moment.',
    ],
    [
      'load',
      'a page of a gateway that is not called one',
      () => new Response('<html><h1>Bad gateway</h1></html>', { status: 502 }),
      'data.example is not available (status 502). It may be starting: try again in a moment.',
    ],
    [
      'load',
      'a rate limit until a date far away',
      answered(429, {}, { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' }),
      'data.example asks to slow down (status 429). Try again in more than a day.',
    ],
    [
      'load',
      'a rate limit for an hour and a half',
      answered(429, {}, { 'retry-after': '5400' }),
      'data.example asks to slow down (status 429). Try again in 90 min.',
    ],
    [
      'load',
      'a rate limit that has passed',
      answered(429, {}, { 'retry-after': '0' }),
      'data.example asks to slow down (status 429). Try again in a while.',
    ],
    [
      'load',
      'an error in the results of a 200 response',
      answered(200, { results: [{ error: "'a.b' not found" }] }),
      "data.example refused the query: “'a.b' not found”. Correct the query and run it again.",
    ],
    [
      'load',
      'an error object in a 200 response',
      answered(200, { error: { message: 'division by zero' } }),
      'data.example refused the query: “division by zero”. Correct the query and run it again.',
    ],
    [
      'load',
      'an error beside rows in a 200 response',
      answered(200, { data: [], errors: [{ message: 'division by zero' }] }),
      'data.example refused the query: “division by zero”. Correct the query and run it again.',
    ],
    [
      'sql',
      'an error in place of the SQL in a 200 response',
      answered(200, { sql: { status: 'error', error: "'a.b' not found" } }),
      "data.example refused to compile the query: “'a.b' not found”. Correct the query and run it again.",
    ],
    [
      'load',
      'a query that is too large',
      answered(413),
      'data.example does not take a query of this size (status 413). Use fewer members or filter values.',
    ],
    [
      'load',
      'a failed query',
      answered(500, { error: 'Error: column o.x does not exist\n    at Driver.query (/app/driver.js:1:2)' }),
      'The query failed: “column o.x does not exist”. Check the SQL of its members and the connection of the database.',
    ],
    [
      'sql',
      'a failed compilation',
      answered(500, { error: 'Maximum call stack' }),
      'The query could not be compiled: “Maximum call stack”. Check the SQL of its members.',
    ],
    [
      'cubeSql',
      'failed SQL',
      answered(500, { error: 'No memory' }),
      'The SQL failed: “No memory”. Check the SQL of its members and the connection of the database.',
    ],
    [
      'meta',
      'a failed model',
      answered(500, { error: 'Error: No such folder' }),
      'data.example could not read the data model: “No such folder”. Correct the model, or check the log of the server.',
    ],
    [
      'meta',
      'a failure without a reason',
      answered(500, ''),
      'data.example could not read the data model (status 500, request request-1) and gave no reason. Try again; if that does not help, check the log of the server.',
    ],
    [
      'load',
      'a failure as text',
      () => new Response('oops', { status: 500 }),
      'The query failed: “oops”. Check the SQL of its members and the connection of the database.',
    ],
    [
      'load',
      'a failure with an empty body',
      () => new Response('', { status: 500 }),
      'data.example could not answer the query (status 500, request request-1) and gave no reason. Try again; if that does not help, check the log of the server.',
    ],
    [
      'load',
      'a gateway without a server',
      page(502),
      'data.example is not available (status 502). It may be starting: try again in a moment.',
    ],
    [
      'meta',
      'a server that starts',
      answered(503, { message: 'Service Unavailable' }),
      'data.example is not available (status 503): “Service Unavailable”. It may be starting: try again in a moment.',
    ],
    [
      'load',
      'a gateway that did not wait',
      page(504),
      'A gateway before data.example stopped waiting (status 504). Ask for less, or try again later.',
    ],
    [
      'load',
      'a server that stopped waiting',
      answered(408),
      'A gateway before data.example stopped waiting (status 408). Ask for less, or try again later.',
    ],
    [
      'load',
      'too many queries',
      answered(429, {}, { 'retry-after': '7' }),
      'data.example asks to slow down (status 429). Try again in 7 s.',
    ],
    [
      'load',
      'a wrong token',
      answered(401, { error: 'Invalid token' }),
      'data.example does not accept the token: “Invalid token”. It is wrong or has expired.',
    ],
    [
      'meta',
      'a token without permission',
      answered(403, {}),
      'data.example refused the token, or this request with it.',
    ],
    [
      'meta',
      'a wrong address',
      answered(404),
      `There is no data API at this address of data.example (status 404). ${gone}`,
    ],
    [
      'meta',
      'the refusal of a proxy',
      page(403),
      `data.example answered with a web page instead of data (status 403). ${gone} A proxy or a sign-in page may also have answered in its place.`,
    ],
    [
      'load',
      'a sign-in page',
      page(200),
      `data.example answered with a web page instead of data. ${gone} A proxy or a sign-in page may also have answered in its place.`,
    ],
    [
      'meta',
      'a page without a type',
      () => new Response('<!doctype html>'),
      `data.example answered with a web page instead of data. ${gone} A proxy or a sign-in page may also have answered in its place.`,
    ],
    [
      'load',
      'no JSON',
      () => new Response('{"data": ['),
      'The answer to the query cannot be used: it is not JSON, or it was cut off. Try again; a proxy may have changed it.',
    ],
    [
      'sql',
      'an answer of another shape',
      answered(200, { sql: 7 }),
      'The answer to the request for the SQL of the query cannot be used: field sql is not an object. The server may be of another version, or the address where queries run may lead elsewhere.',
    ],
    [
      'load',
      'a host without a name',
      broken('ENOTFOUND'),
      'The host data.example was not found. Check the address where queries run and the connection.',
    ],
    [
      'meta',
      'a server that does not run',
      broken('ECONNREFUSED'),
      'data.example refused the connection. Check the address where queries run and whether the server runs.',
    ],
    [
      'load',
      'a cut connection',
      broken('ECONNRESET'),
      'The connection to data.example broke. Check the connection and try again.',
    ],
    [
      'load',
      'an untrusted certificate',
      broken('SELF_SIGNED_CERT_IN_CHAIN'),
      "The certificate of data.example is not trusted. Check the address where queries run, or add the certificate to the system's trusted ones.",
    ],
    [
      'meta',
      'no TLS',
      broken('ERR_SSL_WRONG_VERSION_NUMBER'),
      'data.example does not use HTTPS. Check the address where queries run: that of a server without HTTPS begins with http://.',
    ],
    [
      'load',
      'a server of HTTP/2 only',
      broken('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'),
      'data.example does not use HTTP/1.1. Check the address where queries run, or let the server or a proxy in front of it accept HTTP/1.1.',
    ],
    [
      'meta',
      'a server of HTTP/2 only, without HTTPS',
      broken('HPE_INVALID_CONSTANT'),
      'data.example does not use HTTP/1.1. Check the address where queries run, or let the server or a proxy in front of it accept HTTP/1.1.',
    ],
  ])('of %s on %s says what happened and what to do', async (asked, _, handler, message) => {
    expect(await failureOf(asked, handler)).toMatchObject({ message });
  });

  it.each(Object.keys(calls) as Asked[])('of %s that is not answered in time names the wait', async (asked) => {
    const silent: Handler = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    expect(await failureOf(asked, silent, 1)).toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/^data\.example did not answer the .* within 1 s\. Try again;/) as unknown,
    });
  });

  it('never names an operation by its id or its path', async () => {
    const ids = [getMeta, loadData, compileSql, runCubeSql].map(({ id }) =>
      id.replaceAll(/[A-Z]/g, ' $&').toLowerCase(),
    );
    for (const asked of Object.keys(calls) as Asked[]) {
      for (const status of [
        400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 418, 422, 429, 500, 501, 502, 503, 504, 520, 599,
      ]) {
        for (const handler of [answered(status), answered(status, { error: 'x' }), page(status)]) {
          const failed = await failureOf(asked, handler);
          const message = isPlatformError(failed) ? failed.message : 'not a PlatformError';
          expect(ids.filter((id) => message.includes(id) || /^not|platform/i.test(message))).toEqual([]);
        }
      }
    }
  });

  it('keeps a token where a proxy refused, and not the server', async () => {
    for (const status of [401, 403]) {
      expect(await failureOf('load', page(status))).toMatchObject({ kind: 'invalidResponse', status });
    }
  });
});
