import type { CompiledSql } from '#api/data/data.ts';
import { describe, expect, it } from 'vitest';
import type { MetaCube } from '#api/data/data-operations.ts';
import type { QueryOutcome, QueryTarget } from '#features/data/query-service.ts';
import { checkDraft } from '#features/playground/check-draft.ts';
import { draftFor } from '#features/playground/draft-for.ts';
import { emptyDraft } from '#features/playground/draft.ts';
import { mostRuns, QueryHistory } from '#features/playground/history.ts';
import { playgroundMembers } from '#features/playground/members.ts';
import { isSameTarget, openingTarget } from '#features/playground/opening-target.ts';
import type { PlaygroundLocation } from '#features/playground/location.ts';
import type { WrittenMember } from '#model/written-member.ts';
import { MemoryState } from '#support/memory-state.ts';

import { answer, cube, draft, openSession as open, target } from '#support/playground-session.ts';

describe('PlaygroundSession', () => {
  it('shows the public members of the model, and what is wrong before anything is sent', async () => {
    const { session, last, queries } = open(() => Promise.resolve(answer));
    await session.receive({ type: 'opened' });
    expect(last('model')).toMatchObject({ phase: 'ready', source: 'Shop · dev-ann' });
    expect(last('model')?.members.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'measure orders.count',
      'dimension orders.status',
      'time orders.created_at',
    ]);
    await session.receive({ type: 'run' });
    expect(last('checked')).toMatchObject({ problems: [{ field: 'query' }], forms: [] });
    expect(queries).toEqual([]);
  });

  it('names the members that are written but not built where queries run, and again after each reading', async () => {
    const written: WrittenMember[] = [
      { name: 'orders.count', kind: 'measure' },
      { name: 'orders.freight_total', kind: 'measure' },
    ];
    let built = [cube];
    const { session, last, advice } = open(
      () => Promise.resolve(answer),
      () => Promise.resolve(built),
    );
    advice.members = () => Promise.resolve(written);
    await session.receive({ type: 'opened' });
    expect(last('unbuilt')?.members).toEqual([{ name: 'orders.freight_total', kind: 'measure' }]);
    built = [{ ...cube, measures: [...cube.measures, { name: 'orders.freight_total', type: 'number' }] }];
    await session.reload();
    expect(last('unbuilt')?.members).toEqual([]);
  });

  it('shows the model where what is written cannot be read', async () => {
    const { session, last, advice } = open(() => Promise.resolve(answer));
    advice.members = () => Promise.reject(new Error('The language server has stopped.'));
    await session.receive({ type: 'opened' });
    expect(last('model')).toMatchObject({ phase: 'ready' });
    expect(last('unbuilt')?.members).toEqual([]);
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

  it('shows what is known of the last run again on a page that VS Code made again', async () => {
    const { session, last, posted } = open(() => Promise.resolve(answer));
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'run' });
    await session.receive({ type: 'sort', order: { column: 1, descending: true } });
    await session.receive({ type: 'filter', filter: { condition: 'contains', value: 'paid' } });
    await session.receive({ type: 'compile' });
    posted.length = 0;
    await session.receive({ type: 'opened', draft });
    expect(last('facts')?.lines[1]).toBe('Served by the pre-aggregation orders.by_status');
    expect(last('sql')).toMatchObject({ phase: 'ready' });
    expect(last('state')).toMatchObject({
      count: 1,
      loaded: 2,
      order: { column: 1, descending: true },
      filter: { condition: 'contains', value: 'paid' },
    });
  });

  it('keeps the query of a file that was run while its page was hidden and VS Code had discarded it', async () => {
    const { session, last, queries } = open(() => Promise.resolve(answer));
    await session.receive({ type: 'opened', draft });
    await session.runQuery({ measures: ['orders.count'], limit: 5 });
    // The page that is made again has the draft that it stored when it was discarded.
    await session.receive({ type: 'opened', draft });
    expect(last('draft')?.draft).toEqual({ ...emptyDraft, measures: ['orders.count'], limit: '5' });
    await session.receive({ type: 'run' });
    expect(queries.map(({ limit }) => limit)).toEqual([5, 5]);
  });

  it('explains a wrong query of a file, and sends nothing', async () => {
    const { session, last, queries } = open(() => Promise.resolve(answer));
    await session.receive({ type: 'opened' });
    expect(last('checked')?.wasRun).toBe(false);
    await session.runQuery({ measures: ['orders.cuont'] });
    expect(last('checked')).toMatchObject({
      wasRun: true,
      problems: [{ field: 'measures', message: expect.stringContaining('Did you mean “orders.count”?') as unknown }],
    });
    expect(queries).toEqual([]);
  });

  it('queries a member that is built later, unless the user makes another query meanwhile', async () => {
    const fresh = { name: 'orders.fresh', type: 'number', aggType: 'count' };
    const cubes = [cube];
    const { session, last, forgotten } = open(
      () => Promise.resolve(answer),
      () => Promise.resolve([...cubes]),
    );
    await session.query('orders.fresh');
    await session.receive({ type: 'opened' });
    expect(last('model')?.message).toMatchInlineSnapshot(
      `"“orders.fresh” is not in the model that Shop · dev-ann runs, or it is not public there. Save or push your changes; the query opens here once they are built and the members are read again."`,
    );
    cubes[0] = { ...cube, measures: [...cube.measures, fresh] };
    await session.reload();
    expect(forgotten.times).toBe(1);
    expect(last('model')?.message).toBe('');
    expect(last('draft')?.draft.measures).toEqual(['orders.fresh']);

    await session.query('orders.later');
    await session.receive({ type: 'change', draft });
    cubes[0] = { ...cube, measures: [...cube.measures, { ...fresh, name: 'orders.later' }] };
    await session.reload();
    expect(last('draft')?.draft.measures).toEqual(['orders.fresh']);
    expect(last('checked')?.problems).toEqual([]);
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

  it('compiles on request, opens the SQL in an editor, and forgets that of a query that was changed', async () => {
    const { session, last, saved, compiled } = open(() => Promise.resolve(answer));
    compiled.answer = () => Promise.resolve({ sql: 'SELECT id, name FROM shop.orders LIMIT 9', values: ['x'] });
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'openSql' });
    expect(saved).toEqual([]);
    await session.receive({ type: 'compile' });
    const text = '-- $1 = "x"\nSELECT id,\n  name\nFROM shop.orders\nLIMIT 9';
    expect(last('sql')).toEqual({ type: 'sql', phase: 'ready', text });
    await session.receive({ type: 'openSql' });
    expect(saved).toEqual([text]);
    await session.receive({ type: 'change', draft: { ...draft, limit: '5' } });
    expect(last('sql')).toEqual({ type: 'sql', phase: 'none', text: '' });
  });
});

describe('a query that is compiled for long', () => {
  it('can be cancelled, and compiled again', async () => {
    const { session, last, compiled } = open(() => Promise.resolve(answer));
    const late = Promise.withResolvers<CompiledSql>();
    compiled.answer = () => late.promise;
    await session.receive({ type: 'opened', draft });
    const compiling = session.receive({ type: 'compile' });
    expect(last('sql')).toMatchObject({ phase: 'loading' });
    await session.receive({ type: 'cancelCompile' });
    expect(last('sql')).toMatchObject({ phase: 'none' });
    late.resolve({ sql: 'SELECT 2', values: [] });
    await compiling;
    expect(last('sql')).toMatchObject({ phase: 'none' });
    compiled.answer = () => Promise.resolve({ sql: 'SELECT 3', values: [] });
    await session.receive({ type: 'compile' });
    expect(last('sql')).toMatchObject({ phase: 'ready', text: 'SELECT 3' });
  });
});

describe('PlaygroundSession that moves', () => {
  it('names the environment that answered where another branch became active', async () => {
    const places = ['Shop · dev-ann', 'Shop · main'];
    const moved: QueryOutcome = { ...answer, facts: { ...answer.facts, source: 'Shop · main' } };
    const { session, posted } = open(
      () => Promise.resolve(moved),
      undefined,
      () => places.shift() ?? '',
    );
    await session.receive({ type: 'opened', draft });
    await session.receive({ type: 'run' });
    await expect
      .poll(() => posted.findLast((message) => message.type === 'model'))
      .toMatchObject({ source: 'Shop · main', phase: 'ready' });
  });

  const server = { kind: 'cubeCore', restUrl: 'http://localhost:4000/cubejs-api/v1' } as const;
  const elsewhere = (): PlaygroundLocation => ({
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
    expect(last('model')).toMatchObject({ phase: 'ready', source: 'Cube Core' });
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
    expect(last('model')).toMatchObject({ source: 'Cube Core', phase: 'ready' });
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
    expect(last('model')?.message).toMatchInlineSnapshot(
      `"“orders.gone” is not in the model that Shop · dev-ann runs, or it is not public there. Save or push your changes; the query opens here once they are built and the members are read again."`,
    );
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
