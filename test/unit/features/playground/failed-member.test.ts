import { describe, expect, it } from 'vitest';
import { emptyDraft } from '#features/playground/draft.ts';
import { failedMember } from '#features/playground/failed-member.ts';
import { openSession } from '#support/playground-session.ts';

const draft = {
  ...emptyDraft,
  measures: ['orders.count', 'orders.total'],
  dimensions: ['orders.status'],
  time: { ...emptyDraft.time, dimension: 'orders.created_at', granularity: 'day' as const },
  filters: [[{ member: 'users.city', operator: 'equals' as const, values: 'Rome' }]],
};
const sqlOf: Readonly<Record<string, string>> = {
  'orders.count': 'SELECT count(*) FROM orders',
  'orders.total': 'SELECT sum("orders".amountt) FROM orders',
  'orders.status': 'SELECT "orders".status FROM orders',
};

describe('failedMember', () => {
  it.each([
    ["'orders.total' not found for path 'orders.total'", 'measures orders.total'],
    ['Unknown column orders__status in field list', 'dimensions orders.status'],
    ['Invalid timestamp in orders.created_at.day', 'time orders.created_at'],
    ['invalid input for “city”', 'filters.0.0 users.city'],
    ['Referenced column "amountt" not found in FROM clause!', 'measures orders.total'],
    ['column orders.amountt does not exist', 'measures orders.total'],
    // Of a longer name, of several members, and of none.
    ['orders.total_all is unknown', undefined],
    ['orders.count and orders.total cannot be joined', undefined],
    ['syntax error at end of input', undefined],
    ['relation "orders" does not exist', undefined],
  ])('finds whom “%s” is about', async (message, expected) => {
    const found = await failedMember(message, draft, ({ name }) => Promise.resolve(sqlOf[name]));
    expect(found && `${found.field} ${found.name}`).toBe(expected);
  });
});

describe('the error of a run', () => {
  const failed = { kind: 'failed' as const, message: 'Referenced column "amountt" not found', error: new Error('x') };

  it('is shown at its member until the query changes or runs again', async () => {
    const open = openSession(() => Promise.resolve(failed as never));
    open.advice.explain = () =>
      Promise.resolve({
        state: 'compiled',
        sql: 'SELECT amountt',
        values: [],
        candidates: [],
        proposed: [],
        obstacles: [],
      });
    await open.session.receive({ type: 'opened', draft: { ...emptyDraft, measures: ['orders.count'] } });
    await open.session.receive({ type: 'run' });
    expect(open.last('failure')).toEqual({
      type: 'failure',
      field: 'measures',
      text: '“orders.count”: Referenced column "amountt" not found',
    });
    await open.session.receive({ type: 'change', draft: { ...emptyDraft, measures: ['orders.count'], limit: '5' } });
    expect(open.last('failure')).toEqual({ type: 'failure', field: '', text: '' });
  });

  it('is shown at its member where only its SQL was asked for', async () => {
    const open = openSession(() => Promise.resolve(failed as never));
    open.compiled.answer = () => Promise.reject(new Error("'orders.count' not found for path 'orders.count'"));
    await open.session.receive({ type: 'opened', draft: { ...emptyDraft, measures: ['orders.count'] } });
    await open.session.receive({ type: 'compile' });
    const text = "'orders.count' not found for path 'orders.count'";
    expect(open.last('sql')).toEqual({ type: 'sql', phase: 'failed', text });
    expect(open.last('failure')).toEqual({ type: 'failure', field: 'measures', text: `“orders.count”: ${text}` });
  });

  it('is shown with the rows alone where it names no member', async () => {
    const open = openSession(() => Promise.resolve({ ...failed, message: 'The warehouse is asleep.' } as never));
    await open.session.receive({ type: 'opened', draft: { ...emptyDraft, measures: ['orders.count'] } });
    await open.session.receive({ type: 'run' });
    expect(open.last('state')).toMatchObject({ phase: 'failed', message: 'The warehouse is asleep.' });
    expect(open.last('failure')?.field ?? '').toBe('');
  });
});

const known = { ...emptyDraft, measures: ['orders.count'] };

describe('a running query', () => {
  it('ends when its page is closed', async () => {
    const begun = Promise.withResolvers<AbortSignal | undefined>();
    const open = openSession((_, { signal }) => {
      begun.resolve(signal);
      return new Promise(() => undefined);
    });
    await open.session.receive({ type: 'opened', draft: known });
    void open.session.receive({ type: 'run' });
    const signal = await begun.promise;
    expect(signal?.aborted).toBe(false);
    open.session.dispose();
    expect(signal?.aborted).toBe(true);
  });

  it('is shown as running to a page that VS Code made again, and can be cancelled there', async () => {
    const begun = Promise.withResolvers<void>();
    const open = openSession((_, options) => {
      begun.resolve();
      return new Promise((resolve) => options.signal?.addEventListener('abort', () => resolve({ kind: 'cancelled' })));
    });
    await open.session.receive({ type: 'opened', draft: known });
    const run = open.session.receive({ type: 'run' });
    await begun.promise;
    open.posted.length = 0;
    await open.session.receive({ type: 'opened', draft: known });
    expect(open.last('state')).toMatchObject({ phase: 'running' });
    await open.session.receive({ type: 'cancel' });
    await run;
    expect(open.last('state')).toMatchObject({ phase: 'cancelled' });
  });
});
