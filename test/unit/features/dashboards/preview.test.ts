import { describe, expect, it } from 'vitest';
import type { DataClient, DataQuery, LoadAnswer } from '#api/data/data.ts';
import { PlatformError } from '#api/errors.ts';
import { abortReason, CancelledError } from '#base/async.ts';
import { err, ok } from '#base/result.ts';
import { PreviewSession } from '#features/dashboards/preview-session.ts';
import { chartOf } from '#features/dashboards/sample-chart.ts';
import { faceOf, sampleQuery } from '#features/dashboards/widget-face.ts';
import { settled } from '#support/manual-clock.ts';

const position = { x: 0, y: 0, w: 4, h: 2 };
const query = { measures: ['orders.count'] };
const chart = (more: object = {}) => ({ id: 'c', type: 'CHART', position, config: { query: { ...query, ...more } } });

describe('faces of widgets', () => {
  it('say what a widget shows', () => {
    expect(faceOf({ id: 'a', type: 'TEXT', config: { text: 'Hello', title: 'T' } })).toEqual({
      ...{ id: 'a', type: 'TEXT', title: 'T', says: 'Hello', hasQuery: false },
    });
    expect(faceOf({ id: 'a', type: 'FILTER', config: { member: 'orders.status' } })).toEqual({
      ...{ id: 'a', type: 'FILTER', title: 'a', says: 'orders.status', hasQuery: false },
    });
    expect(faceOf({ id: 'a', type: 'AI', config: { prompt: 'Why?' } })).toEqual({
      id: 'a',
      type: 'AI',
      title: 'a',
      says: 'Why?',
      hasQuery: false,
    });
    expect(faceOf({ id: 'a', type: 'CHART', config: { reportId: 7 } })).toEqual({
      ...{ id: 'a', type: 'CHART', title: 'a', says: 'Shows report 7', hasQuery: false },
    });
    const timed = chart({ timeDimensions: [{ dimension: 'orders.at', granularity: 'month' }] });
    expect(faceOf(timed)).toEqual({
      ...{ id: 'c', type: 'CHART', title: 'c', says: 'orders.count, orders.at by month', hasQuery: true },
    });
  });

  it.each([undefined, null, 3, [], { id: 1, type: {}, config: [] }])('take %j without a fault', (widget) => {
    expect(faceOf(widget)).toEqual({ id: '', type: '', title: '', says: '', hasQuery: false });
    expect(sampleQuery(widget)).toBeUndefined();
  });

  it('find the query where configs have it, with few rows', () => {
    expect(sampleQuery({ config: { query } })).toEqual({ ...query, limit: 200 });
    expect(sampleQuery({ config: { queries: [{ ...query, limit: 10 }] } })).toEqual({ ...query, limit: 10 });
    expect(sampleQuery({ config: { ...query, limit: 9999 } })).toEqual({ ...query, limit: 200 });
    expect(sampleQuery({ config: { query: { measures: [] } } })).toBeUndefined();
  });
});

describe('drawings of samples', () => {
  const data = (...rows: readonly object[]) => ({ data: rows as LoadAnswer['data'] });

  it('are lines over time, bars by dimension, one figure alone', () => {
    const timed = { ...query, timeDimensions: [{ dimension: 'orders.at', granularity: 'month' }] };
    const rows = data({ 'orders.at.month': '2026-01-01T00:00:00.000', 'orders.count': '12' }, { 'orders.count': null });
    expect(chartOf(timed, rows)).toEqual({
      kind: 'line',
      labels: ['2026-01-01', '∅'],
      series: [{ name: 'orders.count', values: [12, null] }],
      columns: [],
      rows: [],
    });
    const cut = { ...query, dimensions: ['orders.status'] };
    expect(chartOf(cut, data({ 'orders.status': 'paid', 'orders.count': 3 }))).toEqual({
      kind: 'bars',
      labels: ['paid'],
      series: [{ name: 'orders.count', values: [3] }],
      columns: [],
      rows: [],
    });
    expect(chartOf(query, data({ 'orders.count': '1e3' }))).toEqual({
      kind: 'number',
      labels: [],
      series: [{ name: 'orders.count', values: [1000] }],
      columns: [],
      rows: [],
    });
  });

  it('are tables where there is nothing to draw', () => {
    const listed = { dimensions: ['orders.status'] };
    expect(chartOf(listed, data({ 'orders.status': 'paid' }))).toEqual({
      kind: 'table',
      labels: [],
      series: [],
      columns: ['orders.status'],
      rows: [['paid']],
    });
    expect(chartOf({ measures: ['orders.last'] }, data({ 'orders.last': 'yesterday' }))).toEqual({
      kind: 'table',
      labels: [],
      series: [],
      columns: ['orders.last'],
      rows: [['yesterday']],
    });
  });
});

/** How the answer `5` is shown. */
const SAMPLE = {
  kind: 'chart',
  chart: { kind: 'number', labels: [], series: [{ name: 'orders.count', values: [5] }], columns: [], rows: [] },
};

describe('a preview', () => {
  function open(load: (query: DataQuery) => Promise<LoadAnswer>) {
    const asked: DataQuery[] = [];
    const opened = { token: true, asked };
    const client = { load: (each: DataQuery) => (asked.push(each), load(each)) } as unknown as DataClient;
    const session = new PreviewSession('Weekly', {
      client: (ask) => Promise.resolve(opened.token || ask ? ok(client) : err('needs a token')),
    });
    return { session, opened };
  }
  const answer = { data: [{ 'orders.count': 5 }] } as LoadAnswer;

  it('follows the document, and stays while it is not JSON', () => {
    const { session } = open(() => Promise.resolve(answer));
    session.update({ value: { title: 'One', widgets: [chart()] } });
    session.update({ problem: 'This is not valid JSON' });
    expect(session.state.value).toMatchObject({
      title: 'One',
      stale: 'This is not valid JSON',
      widgets: [{ id: 'c' }],
    });
    session.update({ value: { title: 'Two', widgets: [{}] } });
    expect(session.state.value).toMatchObject({ title: 'Two', stale: '' });
    expect(session.state.value.problems[0]).toBe('widgets[0].id is missing');
  });

  it('runs each query once, however often the document changes', async () => {
    const { session, opened } = open(() => Promise.resolve(answer));
    session.update({ value: { widgets: [chart(), chart(), chart({ limit: 3 })] } });
    await session.loadSamples(false);
    session.update({ value: { title: 'x', widgets: [{ id: 't', type: 'TEXT', position }, chart()] } });
    await session.loadSamples(false);
    expect(opened.asked).toHaveLength(2);
    expect(session.state.value.samples).toEqual({ 1: SAMPLE });
  });

  it('asks for no token unasked, and says what is missing', async () => {
    const { session, opened } = open(() => Promise.resolve(answer));
    opened.token = false;
    session.update({ value: { widgets: [chart()] } });
    await session.loadSamples(false);
    expect(session.state.value).toMatchObject({ noSamples: 'needs a token', samples: {} });
    await session.loadSamples(true);
    expect(session.state.value).toMatchObject({ noSamples: '', samples: { 0: SAMPLE } });
  });

  it('says why a query was refused, and tries again when the user wants it', async () => {
    let refuse = true;
    const refused = new PlatformError({ kind: 'forbidden', status: 403, operation: 'loadData', message: 'Refused' });
    const { session } = open(() => (refuse ? Promise.reject(refused) : Promise.resolve(answer)));
    session.update({ value: { widgets: [chart()] } });
    await session.loadSamples(false);
    expect(session.state.value).toMatchObject({
      noSamples: 'Refused',
      samples: { 0: { kind: 'failed', message: 'Refused' } },
    });
    refuse = false;
    await session.loadSamples(true);
    expect(session.state.value).toMatchObject({ noSamples: '', samples: { 0: SAMPLE } });
  });

  it.each([
    [new PlatformError({ kind: 'auth', operation: 'queryData', message: 'Needs a token' }), 'Needs a token'],
    [new CancelledError(), 'Data was not loaded, because no token was entered.'],
  ])('shows no failure where there is no token: %s', async (error, noSamples) => {
    const { session } = open(() => Promise.reject(error));
    session.update({ value: { widgets: [chart()] } });
    await session.loadSamples(false);
    expect(session.state.value).toMatchObject({ noSamples, samples: {} });
  });

  it('ends a query that an edit removes, even before its turn, and runs it when it is back', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const asked: unknown[] = [];
    const client = {
      load: (each: DataQuery, { signal }: { readonly signal: AbortSignal }) => {
        asked.push(each['limit']);
        signals.push(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(abortReason(signal))));
      },
    } as unknown as DataClient;
    const session = new PreviewSession('Weekly', { client: () => Promise.resolve(ok(client)) });
    session.update({ value: { widgets: [1, 2, 3].map((limit) => chart({ limit })) } });
    const loading = session.loadSamples(false);
    await settled();
    expect(asked).toEqual([1, 2]);
    session.update({ value: { widgets: [chart({ limit: 2 })] } });
    await settled();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
    session.update({ value: { widgets: [chart({ limit: 2 }), chart({ limit: 1 })] } });
    void session.loadSamples(false);
    await settled();
    expect(asked).toEqual([1, 2, 1]);
    expect(session.state.value.samples).toEqual({ 0: { kind: 'loading' }, 1: { kind: 'loading' } });
    session.dispose();
    await loading;
    expect(signals.every((signal) => signal?.aborted)).toBe(true);
  });

  it('says nothing any more once it is closed', async () => {
    const late = Promise.withResolvers<LoadAnswer>();
    const { session } = open(() => late.promise);
    session.update({ value: { widgets: [chart()] } });
    const loading = session.loadSamples(false);
    await Promise.resolve();
    session.dispose();
    const before = session.state.value;
    late.resolve(answer);
    await loading;
    expect(session.state.value).toBe(before);
  });
});
