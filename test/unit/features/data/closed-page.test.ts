import { describe, expect, it } from 'vitest';
import { originOf } from '#base/origin.ts';
import { silentLogger } from '#base/log.ts';
import { QueryRun } from '#chat-core/query-run.ts';
import type { HostToResults } from '#features/data/messages.ts';
import { ResultSurface } from '#features/data/result-surface.ts';
import { patientDataClient } from '#support/api/patient-client.ts';
import { ManualClock, settled } from '#support/manual-clock.ts';
import { answer, draft, openSession } from '#support/playground-session.ts';

const schema = '{"schema":[{"name":"n","type":"number"}]}\n';
const restUrl = 'https://shop.example/cubejs-api/v1';

/** A page of rows over the real client; `serve` answers its requests. */
function openPage(serve: (signal: AbortSignal) => Response | Promise<Response>) {
  const clock = new ManualClock();
  const posted: HostToResults[] = [];
  const signals: AbortSignal[] = [];
  const client = patientDataClient({
    restUrl,
    credential: () => ({ kind: 'plain', token: 'jwt', origin: originOf(restUrl) }),
    logger: silentLogger,
    clock,
    random: () => 0,
    fetch: async (input, init) => {
      const { signal } = new Request(input, init);
      signals.push(signal);
      return serve(signal);
    },
  });
  const run = new QueryRun((signal) => client.cubeSql('SELECT 1', { signal }), clock);
  const chosen = Promise.withResolvers<boolean>();
  const page = new ResultSurface({
    query: { title: 'Orders', source: '', sql: 'SELECT 1', choices: { all: () => [], choose: () => chosen.promise } },
    run,
    logger: silentLogger,
    post: (message) => posted.push(message),
    outputs: {
      copy: () => Promise.resolve(),
      saveCsv: () => Promise.resolve(),
      openSql: () => Promise.resolve(),
      ask: () => Promise.resolve(),
    },
  });
  const state = () => posted.findLast((message) => message.type === 'state');
  return { clock, run, page, signals, chosen, state };
}

/** The first line of an answer, and then whatever `after` does with the rest. */
function answering(after: (body: ReadableStreamDefaultController<Uint8Array>) => void): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(schema));
      after(controller);
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

describe('a query whose connection is cut', () => {
  it('ends with what happened, keeps its rows, and can be run again', async () => {
    let isCut = true;
    const { clock, run, page, state } = openPage(() =>
      answering((body) => {
        body.enqueue(new TextEncoder().encode('{"data":[[1]]}\n'));
        if (isCut) setImmediate(() => body.error(new TypeError('terminated')));
        else body.close();
      }),
    );
    await clock.run(run.start());
    expect(state()).toMatchObject({ phase: 'failed', loaded: 1, message: expect.stringMatching(/\w/) as unknown });
    isCut = false;
    await clock.run(page.receive({ type: 'again' }));
    expect(state()).toMatchObject({ phase: 'done', loaded: 1, message: '' });
  });

  it('is shown as running while the server says nothing, and *Cancel* ends its request', async () => {
    const { clock, run, page, signals, state } = openPage(() => answering(() => undefined));
    const running = run.start();
    await clock.advance(3_600_000);
    expect(state()).toMatchObject({ phase: 'running' });
    await page.receive({ type: 'cancel' });
    await running;
    expect(state()).toMatchObject({ phase: 'cancelled' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('a query whose branch is deleted while it runs', () => {
  it('ends with what happened, leaves nothing to cancel, and can be run again', async () => {
    let isGone = false;
    const wait = { error: 'Continue wait', stage: 'Executing query' };
    const { clock, run, page, state } = openPage(() =>
      isGone ? Response.json({ error: 'There is no environment 7.' }, { status: 404 }) : Response.json(wait),
    );
    const running = run.start();
    await clock.advance(2_000);
    expect(state()).toMatchObject({ phase: 'running' });
    isGone = true;
    await clock.run(running);
    expect(state()).toMatchObject({
      phase: 'failed',
      message: expect.stringMatching(
        /^There is no data API at .*“There is no environment 7”\. Check the address/,
      ) as unknown,
    });
    isGone = false;
    const again = page.receive({ type: 'again' });
    await clock.advance(2_000);
    expect(state()).toMatchObject({ phase: 'running' });
    await page.receive({ type: 'cancel' });
    await again;
    expect(state()).toMatchObject({ phase: 'cancelled' });
  });
});

describe('a playground that moves to another branch', () => {
  it.each(['run', 'compare'] as const)('ends what runs on the one before: %s', async (what) => {
    const signals: AbortSignal[] = [];
    const { session, choices, history, last } = openSession((_, { signal }) => {
      if (signal) signals.push(signal);
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve({ kind: 'cancelled' })));
    });
    await session.receive({ type: 'opened', draft });
    choices.identity = { name: 'Ada', securityContext: { user: 'ada' } };
    const working = session.receive(what === 'run' ? { type: 'run' } : { type: 'compare', with: 'identity' });
    await settled();
    expect(signals.map(({ aborted }) => aborted)).toEqual(what === 'run' ? [false] : [false, false]);
    const other = { kind: 'cubeCore', restUrl: 'http://localhost:4000/cubejs-api/v1' } as const;
    await session.move({ target: other, restUrl: () => Promise.resolve(other.restUrl), history });
    await working;
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(last('state')?.phase ?? 'none').not.toBe('running');
    expect(last('comparison')?.phase ?? 'none').toBe('none');
  });
});

describe('a page that is closed', () => {
  it('ends the request of its query, also between two requests of one that takes long', async () => {
    const silent = openPage(() => answering(() => undefined));
    const running = silent.run.start();
    await settled();
    silent.page.dispose();
    await running;
    expect(silent.signals.map(({ aborted }) => aborted)).toEqual([true]);

    const waiting = openPage(() => Response.json({ error: 'Continue wait' }));
    const between = waiting.run.start();
    await settled();
    waiting.page.dispose();
    await between;
    await waiting.clock.advance(3_600_000);
    expect(waiting.signals).toHaveLength(1);
  });

  it('runs nothing that was chosen before and comes after', async () => {
    const { page, chosen, signals } = openPage(() => answering((body) => body.close()));
    const choosing = page.receive({ type: 'choose', id: 'another' });
    page.dispose();
    chosen.resolve(true);
    await choosing;
    expect(signals).toEqual([]);
  });

  it('runs no query that waited for the model, and no comparison whose identity is chosen late', async () => {
    const members = Promise.withResolvers<[]>();
    const waiting = openSession(
      () => Promise.resolve(answer),
      () => members.promise,
    );
    await waiting.session.runQuery({ measures: ['orders.count'] });
    const opened = waiting.session.receive({ type: 'opened' });
    waiting.session.dispose();
    members.resolve([]);
    await opened;
    const comparing = openSession(() => Promise.resolve(answer));
    await comparing.session.receive({ type: 'opened', draft });
    comparing.choices.identity = { name: 'Ada', securityContext: { user: 'ada' } };
    const compared = comparing.session.receive({ type: 'compare', with: 'identity' });
    comparing.session.dispose();
    await compared;
    expect([...waiting.queries, ...comparing.queries]).toEqual([]);
  });
});
