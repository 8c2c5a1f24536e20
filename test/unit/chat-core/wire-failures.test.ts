import { describe, expect, it } from 'vitest';
import { originOf } from '#base/origin.ts';
import { KeyedList } from '#base/keyed-list.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import { httpTransport } from '#chat-core/http-transport.ts';
import {
  type ChatMessage,
  type ChatThread,
  type ChatTurn,
  emptyThread,
  finalAnswer,
  isRunning,
} from '#chat-core/thread.ts';
import { TurnRunner } from '#chat-core/turn-runner.ts';
import { delta } from '#support/chat/answer-lines.ts';
import { agentAddress } from '#support/chat/platform-chat.ts';
import { patientClient } from '#support/api/patient-client.ts';
import { ManualClock } from '#support/manual-clock.ts';

const TURN = '1700000000000-message';
const answer = 'Größe 🎉, “zwei”, 世界.';
const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const echo = line({ id: TURN, role: 'user', content: 'Count', sort: 0 });
const cutoff = line({ id: '__cutoff__', state: { chatId: 'c', isStreaming: true } });
const deltas = Array.from(answer, (content, at) => line({ ...delta(content), sort: at + 1 }));
const end = line({ id: '__state__', state: { isStreaming: false, messages: [] } });
/** The whole answer on one connection, and what a later connection gets once it has ended. */
const live = cutoff + echo + deltas.join('') + end;
const history =
  echo +
  line({ id: 'f', role: 'assistant', content: answer, graphPath: ['final'], isInProcess: false, sort: 99 }) +
  line({ id: '__cutoff__', state: { chatId: 'c', isStreaming: false } }) +
  end;
const half = cutoff + echo + deltas.slice(0, 7).join('');

type Answer = (signal: AbortSignal | undefined) => Response | Promise<Response>;

/** A body of these chunks; `then` says how it goes on. */
function body(chunks: readonly (string | Uint8Array)[], then: 'ends' | 'breaks' | 'hangs', status = 200): Answer {
  return (signal) =>
    new Response(
      new ReadableStream(
        {
          start: (stream) => {
            for (const chunk of chunks) stream.enqueue(typeof chunk === 'string' ? bytes(chunk) : chunk);
            signal?.addEventListener('abort', () => stream.error(signal.reason));
          },
          // A failed stream forgets what was not read yet.
          pull: (stream) => {
            if (then === 'ends') stream.close();
            else if (then === 'breaks') stream.error(new TypeError('terminated'));
          },
        },
        { highWaterMark: 0 },
      ),
      { status },
    );
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const whole = (text: string): Answer => body([text], 'ends');
const refused =
  (status: number, text: string, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(status === 204 ? null : text, { status, headers });
const unreachable: Answer = () => Promise.reject(new TypeError('fetch failed'));
const silent: Answer = (signal) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
const page = '<!doctype html><title>502 Bad Gateway</title><p>nginx';

/** Runs a turn against a server that answers its connections in order, and the last answer again. */
function ask(answers: readonly Answer[], onAbort: Answer = refused(204, '')) {
  const clock = new ManualClock();
  const requests: { readonly messageId?: string; readonly chatId?: string; readonly at: number }[] = [];
  const aborts: string[] = [];
  const client = patientClient({
    baseUrl: 'http://127.0.0.1',
    chatUrl: agentAddress.chatUrl,
    credential: () => undefined,
    chatCredential: () => ({ kind: 'apiKey', token: 'key', origin: originOf('http://127.0.0.1') }),
    logger: silentLogger,
    clock,
    random: () => 0.5,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const sent = (await request.json()) as { messageId?: string; chatId?: string };
      if (request.url.endsWith('/abort')) {
        aborts.push(sent.chatId ?? '');
        return onAbort(init?.signal ?? undefined);
      }
      requests.push({ ...sent, at: clock.now() });
      return (answers[requests.length - 1] ?? answers.at(-1) ?? silent)(init?.signal ?? undefined);
    },
  });
  const session = { externalId: 'ann' } as const;
  const transport = httpTransport({ client, address: agentAddress, session, logger: silentLogger });
  const sent: ChatTurn = {
    id: TURN,
    prompt: 'Count',
    phase: 'sending',
    startedAt: clock.now(),
    messages: KeyedList.of<ChatMessage>([]),
  };
  const thread = new Store<ChatThread>({ ...emptyThread('k', 's', clock.now()), turns: [sent] });
  const runner = new TurnRunner({ transport, clock, random: () => 0.5, logger: silentLogger }, thread, TURN);
  const turn = (): ChatTurn => thread.value.turns[0] as ChatTurn;
  return { clock, runner, requests, aborts, turn, text: () => finalAnswer(turn()) };
}

/** Failures of a connection after which the whole answer is there, on the next one at the latest. */
const mended: Readonly<Record<string, readonly Answer[]>> = {
  'no failure': [whole(live)],
  'characters cut at every byte': [
    body(
      [...bytes(live)].map((byte) => Uint8Array.of(byte)),
      'ends',
    ),
  ],
  'blank lines and CRLF': [whole(live.replaceAll('\n', '\r\n\r\n \r\n'))],
  'comments of a proxy that keeps the connection open': [
    whole(`: ok\n\n${live.replaceAll('\n', '\n: keep-alive\n\n')}`),
  ],
  'an event of 5 MB': [whole(cutoff + line({ id: 't', thinking: 'x'.repeat(5_000_000) }) + live)],
  'a last line without an end': [whole(live.trimEnd())],
  'a connection that breaks within a character': [
    body([bytes(half), bytes(deltas[7] ?? '').slice(0, 20)], 'breaks'),
    whole(history),
  ],
  'a connection that ends early': [whole(half), whole(history)],
  'a half-open socket': [body([half], 'hangs'), whole(history)],
  'a proxy that holds the whole answer back for a minute': [silent, whole(live)],
  'an empty body': [whole(''), whole(live)],
  'a body of blank lines': [whole('\n\n\n'), whole(live)],
  'a server that cannot be reached': [unreachable, unreachable, whole(live)],
  'a page of a proxy with status 502': [refused(502, page, { 'content-type': 'text/html' }), whole(live)],
  'a page of a proxy in the middle': [whole(half), refused(502, page), refused(504, page), whole(history)],
  'a page of a proxy with status 200 in the middle': [whole(half), whole(page), whole(history)],
  'a page that says it is one in the middle': [
    whole(half),
    () => new Response(page, { headers: { 'content-type': 'text/html' } }),
    whole(history),
  ],
  'a sign-in page that a network redirects to in the middle': [
    whole(half),
    refused(302, '', { location: 'https://sign-in.example/' }),
    whole(history),
  ],
  'a byte order mark before each line': [whole(live.replaceAll(/^(?=.)/gm, '\u{feff}'))],
  'bytes that are no characters, in lines that nobody knows': [
    body([cutoff, '{"id":"__odd__","x":"', Uint8Array.of(0xf0, 0x9f, 0xc3), '"}\n', live], 'ends'),
  ],
  'half a character in a text that its end replaces': [
    body(
      [
        cutoff + echo + '{"id":"f","role":"assistant","graphPath":["final"],"isDelta":true,"content":"',
        Uint8Array.of(0xe4, 0xb8),
        '"}\n',
        history.slice(echo.length),
      ],
      'ends',
    ),
  ],
  'separators of lines in fields that are no text': [whole(cutoff + line({ id: '\u{2028}\u{85}\r' }) + live)],
  'too many requests': [refused(429, '{"error":"slow down"}', { 'retry-after': '7' }), whole(live)],
  'too many requests in the middle': [whole(half), refused(429, '', { 'retry-after': '7' }), whole(history)],
};

/** Failures that no other attempt can mend, with the kind of problem and a word of its message. */
const final: Readonly<Record<string, readonly [readonly Answer[], string, RegExp]>> = {
  'a page of HTML with status 200': [[whole(page)], 'refused', /did not return a chat stream/],
  'a page of HTML that says what it is': [
    [() => new Response(page, { headers: { 'content-type': 'text/html' } })],
    'refused',
    /Check the Chat API URL/,
  ],
  'a redirect to another method': [
    [refused(302, '', { location: agentAddress.chatUrl })],
    'refused',
    /Check the Chat API URL/,
  ],
  'a redirect to another server': [
    [refused(307, '', { location: 'https://elsewhere.example/' })],
    'refused',
    /elsewhere\.example.* use it as the Chat API URL/,
  ],
  'a question that is too long': [
    [refused(400, '{"error":"input is too long"}')],
    'refused',
    /“input is too long”\. Change the question and ask again\./,
  ],
  'a refused key': [[refused(401, '{"error":"Unauthorized"}')], 'credential', /./],
  'a key that is refused in the middle': [[whole(half), refused(401, '{"error":"Unauthorized"}')], 'credential', /./],
  'a thread that is gone in the middle': [[whole(half), refused(404, '{"error":"Not found"}')], 'gone', /new thread/],
};

describe('a turn over HTTP', () => {
  it.each(Object.entries(mended))('has the whole answer once, in spite of %s', async (_name, answers) => {
    const run = ask(answers);
    await run.clock.run(run.runner.run(true));
    expect([run.turn().phase, run.text()]).toEqual(['complete', answer]);
    expect(run.requests.every(({ messageId, chatId }) => messageId === TURN || chatId === 'c')).toBe(true);
  });

  it.each(Object.entries(final))(
    'ends with what is wrong after %s, and keeps what came',
    async (_name, [answers, kind, words]) => {
      const run = ask(answers);
      await run.clock.run(run.runner.run(true));
      expect(run.turn()).toMatchObject({ phase: 'failed', problem: { kind } });
      expect(run.turn().problem?.message).toMatch(words);
      expect(run.requests).toHaveLength(answers.length);
      expect(answer.startsWith(run.text())).toBe(true);
    },
  );

  it.each([
    [400, 'Change the question and ask again.'],
    [402, 'Ask an administrator about the plan of this account.'],
    [403, 'Start a new thread, or check the credential.'],
    [405, 'Check the Chat API URL.'],
    [407, 'Check the proxy settings.'],
    [409, 'Ask again later, or in a new thread.'],
    [413, 'Change the question and ask again.'],
    [415, 'Check the Chat API URL.'],
    [418, 'Ask again later.'],
    [421, 'Check the Chat API URL.'],
    [422, 'Change the question and ask again.'],
    [423, 'Ask again later, or in a new thread.'],
    [451, 'Ask again later.'],
  ])('gives the advice of status %d, whatever words the platform uses', async (status, advice) => {
    const words = [
      'The API key is assigned to a scope that needs a token',
      'There are uncommitted changes: commit them first',
      'Only allowed on the active dev branch',
      'The parent branch has moved: pull first',
      'The key is scoped to other deployments',
      'Only shared branches can have a staging environment',
      '',
    ];
    for (const error of words) {
      const run = ask([refused(status, JSON.stringify({ error }))]);
      await run.clock.run(run.runner.run(true));
      const { problem } = run.turn();
      expect({ error, kind: problem?.kind }).toEqual({ error, kind: 'refused' });
      expect(problem?.message.endsWith(` ${advice}`) ? advice : problem?.message).toBe(advice);
      expect(problem?.message).toContain(error);
    }
  });

  it.each([408, 425, 500, 501, 508, 511, 529, 599])(
    'ends with the chance to try again where every attempt is answered with status %d',
    async (status) => {
      const run = ask([refused(status, '')]);
      void run.runner.run(true);
      await run.clock.advance(600_000);
      const isAgain = status !== 425;
      expect(run.turn()).toMatchObject({ phase: 'failed', problem: { kind: isAgain ? 'unreachable' : 'refused' } });
      expect(run.requests).toHaveLength(isAgain ? 6 : 1);
    },
  );

  it.each<readonly [string, Answer, string | undefined]>([
    ['204', refused(204, ''), undefined],
    [
      '403',
      refused(403, '{"error":"No"}'),
      'This thread belongs to someone else, so the platform did not stop its answer.',
    ],
    ['404', refused(404, '{"error":"No"}'), 'This thread no longer exists on the platform; there was nothing to stop.'],
    [
      '409',
      refused(409, '{"error":"Not streaming"}'),
      'The platform did not confirm the stop (status 409), so the answer may still be running there.',
    ],
    [
      '500',
      refused(500, '{"error":"Out of memory"}'),
      'The platform did not confirm the stop (status 500), so the answer may still be running there.',
    ],
    [
      'a page of HTML',
      refused(200, page),
      'The platform did not confirm the stop, so the answer may still be running there.',
    ],
    [
      '401',
      refused(401, '{"error":"Expired"}'),
      'The platform did not confirm the stop (status 401), so the answer may still be running there.',
    ],
    [
      'nothing',
      silent,
      'The platform could not be reached to confirm the stop; the answer may still be running there.',
    ],
    [
      'no connection',
      unreachable,
      'The platform could not be reached to confirm the stop; the answer may still be running there.',
    ],
  ])('says what is known of a stop that is answered with %s', async (_what, onAbort, note) => {
    const run = ask([body([half], 'hangs')], onAbort);
    const running = run.runner.run(true);
    await run.clock.advance(0);
    void run.runner.stop();
    await run.clock.advance(13_000);
    expect(run.turn()).toMatchObject({ phase: 'stopped', note });
    expect(answer.startsWith(run.text())).toBe(true);
    await run.clock.run(running);
  });

  it.each([0, 1])('waits as long as the platform asks, on connection %d', async (before) => {
    const run = ask([...[whole(half)].slice(0, before), refused(429, '', { 'retry-after': '40' }), whole(history)]);
    await run.clock.run(run.runner.run(true));
    const [last, again] = run.requests.slice(before);
    expect((again?.at ?? 0) - (last?.at ?? 0)).toBeGreaterThanOrEqual(40_000);
  });

  const all = [
    ...Object.entries(mended),
    ...Object.entries(final).map(([name, [answers]]) => [name, answers] as const),
  ];

  it.each(all)('stops at once in every phase of %s, keeps the text, and asks no more', async (_name, answers) => {
    for (let seconds = 0; seconds < 400; seconds = seconds * 2 + 1) {
      const run = ask(answers.map((each, at) => (at === answers.length - 1 ? openEnded(each) : each)));
      const running = run.runner.run(true);
      await run.clock.advance(seconds * 1000);
      const before = run.text();
      if (!isRunning(run.turn())) break;
      const stopped = run.runner.stop();
      expect(run.turn().phase).toBe('stopping');
      const asked = run.requests.length;
      await run.clock.run(Promise.all([stopped, running]));
      await run.clock.advance(600_000);
      expect([run.turn().phase, run.text(), run.requests.length]).toEqual(['stopped', before, asked]);
      const isConfirmed = run.aborts.length > 0;
      expect(isConfirmed || before === '' || /may still be running/.test(run.turn().note ?? '')).toBe(true);
    }
  });
});

/** The same answer of which the end does not come, so that there is something to stop. */
function openEnded(given: Answer): Answer {
  return async (signal) => {
    const response = await given(signal);
    if (response.status !== 200) return response;
    const text = await response.text();
    return body([text.endsWith(end) ? text.slice(0, -end.length) : text], 'hangs')(signal);
  };
}
