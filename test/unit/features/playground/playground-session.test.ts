import { describe, expect, it } from 'vitest';
import type { MetaCube } from '#api/data-operations.ts';
import type { DataQuery } from '#api/data.ts';
import { silentLogger } from '#base/log.ts';
import type { HostToResults } from '#features/data/messages.ts';
import type { QueryOutcome, QueryTarget, RunOptions } from '#features/data/query-service.ts';
import { checkDraft } from '#features/playground/check-draft.ts';
import { draftFor } from '#features/playground/draft-for.ts';
import { type Draft, emptyDraft } from '#features/playground/draft.ts';
import { mostRuns, QueryHistory } from '#features/playground/history.ts';
import type { Identity } from '#features/playground/identities.ts';
import { playgroundMembers } from '#features/playground/members.ts';
import type { PlaygroundMessage } from '#features/playground/messages.ts';
import { isSameTarget, openingTarget } from '#features/playground/opening-target.ts';
import type { PlaygroundPlace } from '#features/playground/place.ts';
import { PlaygroundSession } from '#features/playground/playground-session.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { MemoryState } from '#support/memory-state.ts';

const cube = {
  name: 'orders',
  measures: [{ name: 'orders.count', type: 'number', aggType: 'count' }],
  dimensions: [
    { name: 'orders.status', type: 'string' },
    { name: 'orders.created_at', type: 'time' },
    { name: 'orders.secret', type: 'string', isVisible: false },
  ],
  segments: [],
} as MetaCube;

const draft: Draft = { ...emptyDraft, measures: ['orders.count'], dimensions: ['orders.status'] };
const target = { kind: 'environment', accountId: 'a', deploymentId: '1' } as const;
const answer: QueryOutcome = {
  kind: 'rows',
  rows: [
    { 'orders.status': 'paid', 'orders.count': '7' },
    { 'orders.status': null, 'orders.count': '0' },
  ],
  annotation: { measures: { 'orders.count': { type: 'number' } }, dimensions: {}, timeDimensions: {} },
  facts: { place: 'Shop · dev-ann', milliseconds: 5, preAggregations: ['orders.by_status'], total: 2 },
};

type Posted = PlaygroundMessage | HostToResults;

function open(
  run: (query: DataQuery, options: RunOptions) => Promise<QueryOutcome>,
  meta: (where: QueryTarget, options?: Pick<RunOptions, 'securityContext'>) => Promise<readonly MetaCube[]> = () =>
    Promise.resolve([cube]),
  nameOf = ({ kind }: QueryTarget): string => (kind === 'cubeCore' ? 'Cube Core' : 'Shop · dev-ann'),
) {
  const posted: Posted[] = [];
  const asked: QueryTarget[] = [];
  const asWhom: unknown[] = [];
  const queries: DataQuery[] = [];
  const saved: string[] = [];
  const choices: { identity?: Identity | 'yourself'; target?: { target: QueryTarget; name: string } } = {};
  const clock = new ManualClock();
  const history = new QueryHistory(new MemoryState(), target);
  const session = new PlaygroundSession({
    place: { target, restUrl: () => Promise.resolve('https://shop.example/cubejs-api/v1'), history },
    queries: {
      run: (where, query, options = {}) => {
        asked.push(where);
        asWhom.push(options.securityContext);
        queries.push(query);
        return run(query, options);
      },
      meta,
      nameOf: (where) => Promise.resolve(nameOf(where)),
      client: () => ({ sql: () => Promise.resolve({ sql: 'SELECT 1', values: ['x'] }) }),
    },
    clock,
    logger: silentLogger,
    post: (message) => posted.push(message),
    copy: () => Promise.resolve(),
    saveCsv: () => Promise.resolve(),
    saveImage: (format, data) => Promise.resolve(void saved.push(`${format} ${data}`)),
    chooseIdentity: () => Promise.resolve(choices.identity),
    chooseTarget: () => Promise.resolve(choices.target),
  });
  const last = <Type extends Posted['type']>(type: Type): Extract<Posted, { readonly type: Type }> | undefined =>
    posted.findLast((message): message is Extract<Posted, { readonly type: Type }> => message.type === type);
  return { session, posted, queries, asked, last, history, saved, choices, asWhom };
}

describe('PlaygroundSession', () => {
  it('shows the public members of the model, and what is wrong before anything is sent', async () => {
    const { session, last, queries } = open(() => Promise.resolve(answer));
    await session.receive({ type: 'opened' });
    expect(last('model')).toMatchObject({ phase: 'ready', place: 'Shop · dev-ann' });
    expect(last('model')?.members.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'measure orders.count',
      'dimension orders.status',
      'time orders.created_at',
    ]);
    await session.receive({ type: 'run' });
    expect(last('checked')).toMatchObject({ problems: [{ field: 'query' }], forms: [] });
    expect(queries).toEqual([]);
  });

  it('draws the rows that the filter leaves, also after the query was changed, and saves the picture', async () => {
    const { session, last, saved } = open(() => Promise.resolve(answer));
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'run' });
    await session.receive({ type: 'change', draft: emptyDraft });
    await session.receive({ type: 'chart' });
    expect(last('chart')).toMatchObject({
      kind: 'bar',
      rows: [
        { x: 'paid', series: 'orders.count', value: 7 },
        { x: 'null', series: 'orders.count', value: 0 },
      ],
    });
    await session.receive({ type: 'filter', filter: { column: 0, condition: 'contains', value: 'paid' } });
    await session.receive({ type: 'chart', kind: 'pie' });
    expect(last('chart')).toMatchObject({ kind: 'pie', rows: [{ x: 'paid', value: 7 }] });
    await session.receive({ type: 'saveImage', format: 'svg', data: '<svg/>' });
    expect(saved).toEqual(['svg <svg/>']);
  });

  it('runs as the identity that was chosen, and says what it does not see', async () => {
    const seen = { ...cube, dimensions: [] } as MetaCube;
    const { session, last, asWhom, choices } = open(
      () => Promise.resolve(answer),
      (_, options) => Promise.resolve([options?.securityContext ? seen : cube]),
    );
    await session.receive({ type: 'opened', draft });
    expect(last('identity')).toEqual({ type: 'identity', name: '', hidden: [] });
    choices.identity = { name: 'Ada', securityContext: { user: 'ada' } };
    await session.receive({ type: 'viewAs' });
    expect(last('identity')).toEqual({
      type: 'identity',
      name: 'Ada',
      hidden: ['orders.status', 'orders.created_at'],
    });
    expect(last('checked')?.problems[0]).toMatchObject({ field: 'dimensions' });
    await session.receive({ type: 'change', draft: { ...draft, dimensions: [] } });
    await session.receive({ type: 'run' });
    delete choices.identity;
    await session.receive({ type: 'viewAs' });
    await session.receive({ type: 'run' });
    choices.identity = 'yourself';
    await session.receive({ type: 'viewAs' });
    await session.receive({ type: 'run' });
    expect(asWhom).toEqual([{ user: 'ada' }, { user: 'ada' }, undefined]);
  });

  it('compares the rows of its last two runs', async () => {
    let count = 6;
    const { session, last } = open(() =>
      Promise.resolve({ ...answer, rows: [{ 'orders.status': 'paid', 'orders.count': String((count += 1)) }] }),
    );
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'run' });
    await session.receive({ type: 'compare', with: 'run' });
    expect(last('comparison')).toMatchObject({ phase: 'failed', text: expect.stringContaining('twice') as unknown });
    await session.receive({ type: 'run' });
    await session.receive({ type: 'compare', with: 'run' });
    expect(last('comparison')).toMatchObject({
      text: '1 row changed, 0 rows the same.',
      rows: [['changed', 'paid', '7', '8']],
    });
    await session.receive({ type: 'change', draft: { ...draft, dimensions: [] } });
    await session.receive({ type: 'run' });
    await session.receive({ type: 'compare', with: 'run' });
    expect(last('comparison')).toMatchObject({
      phase: 'failed',
      text: expect.stringContaining('different members') as unknown,
    });
  });

  it('runs the query as two identities at once and compares rows and members', async () => {
    const { session, last, asWhom, choices } = open(
      (_, { securityContext }) =>
        Promise.resolve({ ...answer, rows: securityContext ? answer.rows.slice(0, 1) : answer.rows } as QueryOutcome),
      (_, options) => Promise.resolve(options?.securityContext ? [{ ...cube, segments: [] }] : [cube]),
    );
    await session.receive({ type: 'opened', draft });
    choices.identity = { name: 'Ada', securityContext: { user: 'ada' } };
    await session.receive({ type: 'compare', with: 'identity' });
    expect(asWhom).toEqual([undefined, { user: 'ada' }]);
    expect(last('comparison')).toMatchObject({
      phase: 'done',
      text: '1 row only in yourself, 1 row the same.',
      rows: [['only in yourself', null, '0', '']],
    });
  });

  it('names the side of a comparison that failed, and stops both when it is cancelled', async () => {
    const server: QueryTarget = { kind: 'cubeCore', restUrl: 'http://localhost:4000/cubejs-api/v1' };
    const stopped: AbortSignal[] = [];
    const begun = Promise.withResolvers<void>();
    const { session, last, choices } = open((_, { signal }) => {
      if (signal) stopped.push(signal);
      if (stopped.length === 2) return Promise.resolve({ kind: 'wrongQuery', message: 'There is no such cube.' });
      if (stopped.length < 2) return Promise.resolve(answer);
      return new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve({ kind: 'cancelled' }));
        if (stopped.length === 4) begun.resolve();
      });
    });
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'compare', with: 'place' });
    expect(last('comparison')).toBeUndefined();
    choices.target = { target: server, name: 'Cube Core' };
    await session.receive({ type: 'compare', with: 'place' });
    expect(last('comparison')).toMatchObject({ phase: 'failed', text: 'Cube Core: There is no such cube.' });
    const running = session.receive({ type: 'compare', with: 'place' });
    await begun.promise;
    await session.receive({ type: 'cancelComparison' });
    await running;
    expect(stopped.slice(2).map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(last('comparison')).toMatchObject({ phase: 'none' });
  });

  it('runs the query, names what served it, and keeps it in the history', async () => {
    const { session, last, queries } = open(() => Promise.resolve(answer));
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'run' });
    expect(queries).toEqual([
      { measures: ['orders.count'], dimensions: ['orders.status'], limit: 1000, timezone: 'UTC' },
    ]);
    expect(last('state')).toMatchObject({
      phase: 'done',
      count: 2,
      columns: [
        { name: 'orders.status', type: 'text' },
        { name: 'orders.count', type: 'number' },
      ],
    });
    expect(last('facts')?.lines).toEqual([
      'Shop · dev-ann',
      'Served by the pre-aggregation orders.by_status',
      '2 rows without the limit',
    ]);
    await session.receive({ type: 'rows', offset: 0, count: 10 });
    expect(last('rows')?.rows).toEqual([
      ['paid', '7'],
      [null, '0'],
    ]);
    const [run] = last('history')?.runs ?? [];
    expect(run?.title).toBe('orders.status, orders.count');

    await session.receive({ type: 'change', draft: emptyDraft });
    await session.receive({ type: 'rerun', id: run?.id });
    expect(last('draft')?.draft).toEqual(draft);
    expect(queries).toHaveLength(2);
    expect(last('history')?.runs).toHaveLength(1);
    await session.receive({ type: 'clearHistory' });
    expect(last('history')?.runs).toEqual([]);
  });

  it('runs the query of a file once the model is known, and refuses one that it cannot show', async () => {
    const { session, last, queries } = open(() => Promise.resolve(answer));
    await session.runQuery({ measures: ['orders.count'], dimensions: ['orders.status'], limit: 5 });
    expect(queries).toEqual([]);
    await session.receive({ type: 'opened' });
    expect(last('draft')?.draft).toMatchObject({ measures: ['orders.count'], limit: '5' });
    expect(queries).toEqual([{ measures: ['orders.count'], dimensions: ['orders.status'], limit: 5, timezone: 'UTC' }]);
    await session.runQuery({ dimensions: ['orders.status'] });
    expect(queries).toHaveLength(2);
    await expect(session.runQuery({ offset: 3 })).rejects.toThrow('“offset”');
  });

  it('shows what the server is doing, and cancels it from the page and when the page is closed', async () => {
    const signals: AbortSignal[] = [];
    const { session, last } = open(async (_, { signal, onProgress }) => {
      if (!signal) throw new Error('There is a signal.');
      signals.push(signal);
      onProgress?.({ elapsedMs: 3_000, times: 1, stage: 'Executing query' });
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { kind: 'cancelled' };
    });
    await session.receive({ type: 'opened', draft });
    const first = session.receive({ type: 'run' });
    expect(last('state')).toMatchObject({ phase: 'running', message: 'Executing query (3 s)' });
    await session.receive({ type: 'cancel' });
    await first;
    expect(last('state')).toMatchObject({ phase: 'cancelled' });
    const second = session.receive({ type: 'run' });
    session.dispose();
    await second;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it.each<readonly [string, QueryOutcome]>([
    ['a query that the server refuses', { kind: 'wrongQuery', message: 'orders.count: no such column' }],
    ['a target that is not there', { kind: 'unavailable', message: 'Start dev mode first.' }],
  ])('shows the message of %s and remembers nothing', async (_, outcome) => {
    const { session, last, history } = open(() => Promise.resolve(outcome));
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'run' });
    expect(last('state')).toMatchObject({ phase: 'failed', message: 'message' in outcome ? outcome.message : '' });
    expect(history.all()).toEqual([]);
  });

  it('compiles on request, and forgets the SQL of a query that was changed', async () => {
    const { session, last } = open(() => Promise.resolve(answer));
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'compile' });
    expect(last('sql')).toEqual({ type: 'sql', phase: 'ready', text: '-- $1 = "x"\nSELECT 1' });
    await session.receive({ type: 'change', draft: { ...draft, limit: '5' } });
    expect(last('sql')).toEqual({ type: 'sql', phase: 'none', text: '' });
  });
});

describe('PlaygroundSession that moves', () => {
  it('names the environment that answered where another branch became active', async () => {
    const places = ['Shop · dev-ann', 'Shop · main'];
    const moved: QueryOutcome = { ...answer, facts: { ...answer.facts, place: 'Shop · main' } };
    const { session, posted } = open(
      () => Promise.resolve(moved),
      undefined,
      () => places.shift() ?? '',
    );
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'run' });
    await expect
      .poll(() => posted.findLast((message) => message.type === 'model'))
      .toMatchObject({ place: 'Shop · main', phase: 'ready' });
  });

  const server = { kind: 'cubeCore', restUrl: 'http://localhost:4000/cubejs-api/v1' } as const;
  const elsewhere = (): PlaygroundPlace => ({
    target: server,
    restUrl: () => Promise.resolve(server.restUrl),
    history: new QueryHistory(new MemoryState(), server),
  });

  it('cancels the query, and shows the model, the history and the name of the new target', async () => {
    const { session, last, asked, history } = open(async (_, { signal }) => {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return { kind: 'cancelled' };
    });
    await history.add({ at: 0, rows: 1, milliseconds: 1, draft });
    await session.receive({ type: 'opened', draft });
    expect(last('history')?.runs).toHaveLength(1);
    const running = session.receive({ type: 'run' });
    await session.move(elsewhere());
    await running;
    expect(last('state')).toMatchObject({ phase: 'cancelled' });
    expect(last('history')?.runs).toEqual([]);
    expect(last('model')).toMatchObject({ phase: 'ready', place: 'Cube Core' });
    expect(last('checked')?.forms.find(({ id }) => id === 'rest')?.text).toContain('http://localhost:4000/');
    void session.receive({ type: 'run' });
    expect(asked.at(-1)).toEqual(server);
    session.dispose();
  });

  it('shows the model of the last target where an earlier one answers later', async () => {
    const late = Promise.withResolvers<readonly MetaCube[]>();
    const isAsked = Promise.withResolvers<void>();
    const { session, posted, last } = open(
      () => Promise.resolve(answer),
      ({ kind }) => {
        if (kind === 'cubeCore') return Promise.resolve([cube]);
        isAsked.resolve();
        return late.promise;
      },
    );
    const opened = session.receive({ type: 'opened' });
    await isAsked.promise;
    await session.move(elsewhere());
    const before = posted.length;
    late.resolve([]);
    await opened;
    expect(posted).toHaveLength(before);
    expect(last('model')).toMatchObject({ place: 'Cube Core', phase: 'ready' });
  });
});

describe('Query This', () => {
  it('makes a query once page and model are there, and again while they are', async () => {
    const { session, last } = open(() => Promise.resolve(answer));
    await session.query('orders.status');
    expect(last('draft')).toBeUndefined();
    await session.receive({ type: 'opened', draft });
    expect(last('draft')?.draft).toEqual({ ...emptyDraft, dimensions: ['orders.status'] });
    expect(last('checked')?.problems).toEqual([]);
    await session.query('orders');
    expect(last('draft')?.draft).toEqual({ ...emptyDraft, measures: ['orders.count'] });
  });

  it('reads the model again for what it does not know, and then says what is missing', async () => {
    const models = [[], [cube], [cube]];
    const { session, last } = open(
      () => Promise.resolve(answer),
      () => Promise.resolve(models.shift() ?? []),
    );
    await session.receive({ type: 'opened', draft });
    await session.query('orders.count');
    expect(last('draft')?.draft).toEqual({ ...emptyDraft, measures: ['orders.count'] });
    await session.query('orders.gone');
    expect(last('model')?.message).toMatch(/^“orders.gone” is not in the model that Shop · dev-ann runs/);
    expect(last('draft')?.draft.measures).toEqual(['orders.count']);
  });

  it.each([
    ['a cube', 'orders', { measures: ['orders.count'] }],
    ['a cube without measures', 'users', { dimensions: ['users.city'] }],
    ['a time dimension', 'orders.at', { time: { ...emptyDraft.time, dimension: 'orders.at', granularity: 'day' } }],
    ['a segment', 'orders.paid', { measures: ['orders.count'], segments: ['orders.paid'] }],
  ])('begins a query of %s that can be run', (_, name, expected) => {
    const members = playgroundMembers([
      {
        ...cube,
        dimensions: [{ name: 'orders.at', type: 'time' }],
        segments: [{ name: 'orders.paid' }],
      },
      { ...cube, name: 'users', measures: [], dimensions: [{ name: 'users.city', type: 'string' }] },
    ]);
    const begun = draftFor(name, members);
    expect(begun).toEqual({ ...emptyDraft, ...expected });
    expect(checkDraft(begun ?? emptyDraft, members)).toEqual([]);
  });
});

describe('openingTarget', () => {
  const server = { kind: 'cubeCore', restUrl: 'http://localhost:4000/cubejs-api/v1' } as const;
  const staging = { ...target, environmentId: '7' };
  const open = { folder: 'file:///shop', branch: { accountId: 'a', deploymentId: '1' } };
  const chosen = (where: QueryTarget) => ({ whereFor: () => Promise.resolve(where) });

  it('follows what was chosen for the folder', async () => {
    expect(await openingTarget(open, chosen(server))).toEqual(server);
  });

  it('stays with a deployment that the user named, in the environment that was chosen of it', async () => {
    const fixed = { ...open, isFixed: true };
    expect(await openingTarget(fixed, chosen(server))).toEqual(target);
    expect(await openingTarget(fixed, chosen(staging))).toEqual(staging);
    expect(isSameTarget(target, staging)).toBe(false);
    expect(isSameTarget(server, { ...server })).toBe(true);
  });
});

describe('QueryHistory', () => {
  it('keeps the newest runs of one deployment and drops what it cannot read', async () => {
    const state = new MemoryState();
    const history = new QueryHistory(state, target);
    for (let at = 0; at < mostRuns + 5; at += 1) {
      await history.add({ at, rows: at, milliseconds: 1, draft: { ...draft, limit: String(at + 1) } });
    }
    expect(history.all().map(({ at }) => at)).toEqual(Array.from({ length: mostRuns }, (_, n) => mostRuns + 4 - n));
    expect(new QueryHistory(state, { ...target, deploymentId: '2' }).all()).toEqual([]);
    const [key = ''] = state.values.keys();
    await state.set(key, [{ id: 'x' }, 7]);
    expect(history.all()).toEqual([]);
  });
});
