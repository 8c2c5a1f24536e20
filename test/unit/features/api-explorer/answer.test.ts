import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commit,
  createBranch,
  deleteBranch,
  listBranches,
  mergeToDefault,
  stopDevMode,
} from '#api/resources/branches.ts';
import { startDbtSync } from '#api/resources/deployments.ts';
import { connectGithub } from '#api/resources/github.ts';
import { exportAuditLog } from '#api/resources/audit.ts';
import { streamChatByAgent } from '#api/resources/chat.ts';
import type { Operation } from '#api/operation.ts';
import { listReports } from '#api/resources/reports.ts';
import { getAppConfig } from '#api/resources/tenant.ts';
import { finishUpload, uploadFile } from '#api/resources/upload.ts';
import { isCancelled } from '#base/async.ts';
import { answerLine, type ApiAnswer, type RequestOptions, runRequest } from '#features/api-explorer/answer.ts';
import { asCurl } from '#features/api-explorer/curl.ts';
import { gatedRequest } from '#features/api-explorer/gated-request.ts';
import { isSendable, parseRequest, requestText, sendable } from '#features/api-explorer/request-document.ts';
import type { RequestParts } from '#features/api-explorer/request-template.ts';
import { ClientUnderTest, type Handler, json, thrown } from '#support/api/client-under-test.ts';
import { passFor } from '#support/confirmed-steps.ts';
import { canary } from '#support/api/samples.ts';
import { yaml } from '#support/language/raw.ts';

const params = { deploymentId: '7' };

function run(
  handler: Handler,
  op: Operation = getAppConfig,
  chunks: RequestParts = {},
  options: Partial<RequestOptions> = {},
): { readonly answer: Promise<ApiAnswer>; readonly under: ClientUnderTest } {
  const under = new ClientUnderTest(handler, { limits: { attempts: 1 } });
  const hide = (text: string): string => text.replaceAll(canary, '***');
  const work = runRequest(op, chunks, { client: under.client, clock: under.clock, hide, ...options });
  return { answer: work, under };
}

describe('a request that can reach production', () => {
  const parts = { params, body: { message: 'Why', branchName: 'dev-ada-1' } };
  const target = { accountId: 'a', deploymentId: '7', branchName: 'dev-ada-1' };

  it('is not sent without a pass, or with the pass for another one', async () => {
    const bare = run(() => json({}), commit, parts);
    await expect(bare.answer).rejects.toThrow('commit was not confirmed.');
    const pass = await passFor('commit', { ...target, branchName: 'dev-ben-1' });
    const other = run(() => json({}), commit, parts, { pass });
    await expect(other.answer).rejects.toThrow('This call was not confirmed');
    expect([bare.under.sent.length, other.under.sent.length]).toEqual([0, 0]);
  });

  it('is sent once it was confirmed', async () => {
    const { answer } = run(() => json({}), commit, parts, { pass: await passFor('commit', target) });
    expect((await answer).ok).toBe(true);
  });

  it.each([
    [commit, parts, { step: 'commit', target }],
    [mergeToDefault, parts, { step: 'mergeToDefault', target }],
    [finishUpload, { params, body: {} }, { step: 'upload', to: undefined }],
    [startDbtSync, { params: { deploymentId: 7 }, body: { branchName: 'main' } }, { step: 'dbtSync', to: 'main' }],
    [
      connectGithub,
      { params, body: { owner: 'acme', repo: 'shop', branch: 'main' } },
      { step: 'connectGithub', from: 'acme/shop', to: 'main', isDeploy: true },
    ],
  ] as const)('says what it changes: %o', (op, given, expected) => {
    expect(gatedRequest(op, given, 'a')).toMatchObject(expected);
  });
});

describe('an answer', () => {
  it('is the body as it came, JSON indented, with status, time and size', async () => {
    const { answer, under } = run(async () => {
      await under.clock.advance(12);
      return json({ embedding: { locale: 'en' }, extra: [1] });
    });
    expect(await answer).toEqual({
      ok: true,
      status: 200,
      milliseconds: 12,
      bytes: 41,
      format: 'json',
      text: yaml`
        {
          "embedding": {
            "locale": "en"
          },
          "extra": [
            1
          ]
        }
      `,
    });
    expect(answerLine(await answer)).toBe('200 · 12 ms · 41 B');
  });

  it.each([
    ['text/csv; charset=utf-8', exportAuditLog, {}, 'a,b\r\n1,2\r\n', 'csv'],
    ['application/x-ndjson', exportAuditLog, {}, '{"a":1}\n{"a":2}\n', 'ndjson'],
    ['application/json', getAppConfig, {}, '{"cut":', 'json'],
    ['text/plain', getAppConfig, {}, 'hello', 'text'],
  ] as const)('keeps its text for the type %s', async (type, op, parts, text, format) => {
    const { answer } = run(() => new Response(text, { headers: { 'content-type': type } }), op, parts);
    expect(await answer).toMatchObject({ ok: true, format, text, bytes: text.length });
  });

  it('is read as JSON lines, whatever type the server calls it', async () => {
    const parts = {
      params: { accountName: 'a', agentId: 1 },
      body: { input: 'hi', sessionSettings: { externalId: 'ada' } },
    };
    const { answer } = run(() => json({ a: 1 }), streamChatByAgent, parts);
    expect(await answer).toMatchObject({ format: 'ndjson', text: '{"a":1}' });
  });

  it('is empty without a body', async () => {
    const { answer } = run(() => new Response(null, { status: 204 }), stopDevMode, { params });
    expect(await answer).toMatchObject({ ok: true, status: 204, bytes: 0, text: '' });
  });

  it('is read up to a limit and reports its progress', async () => {
    const told: number[] = [];
    const chunk = new Uint8Array(600).fill(0x61);
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk) });
    const { answer } = run(
      () => new Response(body),
      getAppConfig,
      {},
      { maxBytes: 1000, onProgress: (bytes) => told.push(bytes) },
    );
    const { text, cut, bytes } = await answer;
    expect([text.length, cut, bytes]).toEqual([1000, 'large', 1000]);
    expect(told).toEqual([600, 1200]);
    expect(answerLine(await answer)).toContain('truncated');
  });

  it('however it is cut into chunks is the same text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.array(fc.nat({ max: 9 })), async (text, cuts) => {
        const bytes = new TextEncoder().encode(text);
        const ends = [...cuts, bytes.length].map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b);
        const chunks = ends.map((end, at) => bytes.slice(ends[at - 1] ?? 0, end)).filter(({ length }) => length > 0);
        const { answer } = run(() => new Response(streamOf(chunks), { headers: { 'content-type': 'text/plain' } }));
        expect((await answer).text).toBe(new TextDecoder().decode(bytes));
      }),
      { numRuns: 50 },
    );
  });
});

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (stream) => {
      for (const chunk of chunks) stream.enqueue(chunk);
      stream.close();
    },
  });
}

describe('a stream of JSON lines', () => {
  const parts = {
    params: { accountName: 'a', agentId: 1 },
    body: { input: 'hi', sessionSettings: { externalId: 'ada' } },
  };
  const line = (text: string): Uint8Array => new TextEncoder().encode(`${JSON.stringify({ text })}\n`);

  /** Sends the lines and then waits, fails or ends; resolves once the last line was seen. */
  function stream(end: 'open' | 'broken' | 'closed', signal?: AbortSignal) {
    const seen: string[] = [];
    let all = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (all = resolve));
    const lines = [line('one'), line(canary)];
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const next = lines.shift();
        if (next) controller.enqueue(next);
        else if (end === 'broken') controller.error(new TypeError('terminated'));
        else if (end === 'closed') controller.close();
      },
    });
    const onArriving: RequestOptions['onArriving'] = (snapshot) => {
      seen.push(snapshot().text);
      if (seen.length === 2) all();
    };
    return { ...run(() => new Response(body), streamChatByAgent, parts, { onArriving, signal }), seen, arrived };
  }

  it('is seen while it arrives, without the key', async () => {
    const { answer, seen } = stream('closed');
    const { text, cut } = await answer;
    expect(seen).toEqual(['{"text":"one"}\n', '{"text":"one"}\n{"text":"***"}\n']);
    expect([text, cut]).toEqual([seen[1], undefined]);
  });

  it('keeps what came when the user stops it', async () => {
    const stop = new AbortController();
    const { answer, arrived } = stream('open', stop.signal);
    await arrived;
    stop.abort();
    expect(await answer).toMatchObject({ ok: true, cut: 'stopped', text: '{"text":"one"}\n{"text":"***"}\n' });
    expect(answerLine(await answer)).toMatch(/ \(stopped\)$/);
  });

  it('keeps what came when the connection breaks', async () => {
    const { answer } = stream('broken');
    expect(await answer).toMatchObject({
      ok: false,
      status: 200,
      cut: 'broken',
      text: '{"text":"one"}\n{"text":"***"}\n',
    });
    expect(answerLine(await answer)).toContain('the connection was lost');
  });
});

describe('a refusal', () => {
  it('is an answer with status, message, field and the body of the server; no stack', async () => {
    const body = { error: 'name is taken', field: 'name', hint: canary };
    const { answer } = run(() => json(body, { status: 400 }), createBranch, { params, body: { name: 'x' } });
    const { ok, status, text, format } = await answer;
    expect([ok, status, format]).toEqual([false, 400, 'json']);
    expect(JSON.parse(text)).toMatchObject({
      error: {
        kind: 'invalidRequest',
        status: 400,
        field: 'name',
        message: expect.stringContaining('taken') as string,
      },
      body: { error: 'name is taken', field: 'name' },
    });
    expect(text).not.toMatch(/stack|at \S+:\d+/);
    expect(text).not.toContain(canary);
  });

  it('names the field when the client refuses, and nothing is sent', async () => {
    const { answer, under } = run(() => json({}), createBranch, { params, body: { name: '' } });
    expect(await answer).toMatchObject({ ok: false, status: undefined, bytes: 0 });
    expect((await answer).text).toContain('body.name: must not be empty. Nothing was sent.');
    expect(answerLine(await answer)).toBe('No answer · 0 ms · 0 B');
    expect(under.sent).toHaveLength(0);
  });

  it('of the network is one too', async () => {
    const { answer } = run(() => Promise.reject(new TypeError('fetch failed')));
    expect((await answer).text).toContain('"kind": "network"');
  });

  it('never repeats the key, in no document and no log', async () => {
    const echo: Handler = (request) => json({ sent: request.headers.get('authorization') }, { status: 200 });
    const { answer, under } = run(echo, listBranches, { params });
    expect(JSON.parse((await answer).text)).toEqual({ sent: 'Bearer ***' });
    expect(JSON.stringify([await answer, under.logs])).not.toContain(canary);
  });
});

describe('a user who gives up', () => {
  it('ends the request before its answer', async () => {
    const controller = new AbortController();
    const { answer } = run(
      () => new Promise<Response>(() => controller.abort()),
      getAppConfig,
      {},
      { signal: controller.signal },
    );
    expect(isCancelled(await thrown(answer))).toBe(true);
  });

  it('ends it in the middle of its body', async () => {
    const controller = new AbortController();
    let ended = false;
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new Uint8Array(3)),
      cancel: () => {
        ended = true;
      },
    });
    const { answer } = run(
      () => new Response(body),
      getAppConfig,
      {},
      {
        signal: controller.signal,
        onProgress: () => controller.abort(),
      },
    );
    expect(isCancelled(await thrown(answer))).toBe(true);
    expect(ended).toBe(true);
  });
});

describe('a request document', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.record({ params: fc.jsonValue(), query: fc.jsonValue(), body: fc.jsonValue() }), (parts) => {
        const read = parseRequest(requestText(parts, 'x:/y.json'));
        expect(read).toEqual({ ok: true, value: JSON.parse(JSON.stringify(parts)) as unknown });
      }),
    );
  });

  it.each([
    ['{', 'not valid JSON'],
    ['[]', 'must be an object'],
    ['{"param": {}}', 'Move “param”'],
  ])('%s is refused in words', (text, words) => {
    const read = parseRequest(text);
    expect(read.ok ? '' : read.error).toContain(words);
  });

  it('carries a file as its text', () => {
    const body = { transaction: {}, fileName: 'a', file: 'ä' };
    expect(sendable(uploadFile, { body })).toEqual({ body: { ...body, file: new TextEncoder().encode('ä') } });
    expect(sendable(createBranch, { body })).toEqual({ body });
  });
});

describe('a request that would not be sent', () => {
  it('is known before anybody is asked about it', () => {
    expect(isSendable(deleteBranch, { params, query: { branchName: 'dev-old' } })).toBe(true);
    expect(isSendable(deleteBranch, { params, query: { branchName: '' } })).toBe(false);
    expect(isSendable(uploadFile, { params, body: { transaction: {}, fileName: 'a', file: 'text' } })).toBe(true);
  });
});

describe('as curl', () => {
  const base = 'https://acme.example';

  it('it is the request that the client sends, with a variable for the key', () => {
    const body = { name: "it's" };
    expect(asCurl(createBranch, { params, body }, base)).toBe(
      [
        "curl -X POST 'https://acme.example/build/api/v1/deployments/7/branches'",
        '-H "Authorization: Bearer $MODELBENCH_API_KEY"',
        "-H 'accept: application/json'",
        "-H 'content-type: application/json'",
        String.raw`--data-raw '{"name":"it'\''s"}'`,
      ].join(' \\\n  '),
    );
    const query = { search: 'a b', first: 5 };
    expect(asCurl(listReports, { params, query }, base)).toMatchInlineSnapshot(`
      "curl -X GET 'https://acme.example/api/v1/deployments/7/reports?search=a+b&first=5' \\
        -H "Authorization: Bearer $MODELBENCH_API_KEY" \\
        -H 'accept: application/json'"
    `);
  });

  it('a file goes as form data', () => {
    const body = { transaction: { id: 1 }, fileName: 'a.yml', file: 'x: 1' };
    expect(asCurl(uploadFile, { params, body }, base)).toMatchInlineSnapshot(`
      "curl -X POST 'https://acme.example/build/api/v1/deployments/7/data-model/upload/file' \\
        -H "Authorization: Bearer $MODELBENCH_API_KEY" \\
        -H 'accept: application/json' \\
        --form-string 'transaction={"id":1}' \\
        --form-string 'fileName=a.yml' \\
        --form-string 'file=x: 1'"
    `);
  });

  it('a request without an address yet says what is missing', () => {
    expect(() => asCurl(createBranch, { params: { deploymentId: '' } }, base)).toThrow('params.deploymentId');
  });
});
