import { describe, expect, it } from 'vitest';
import type { SqlBatch } from '#api/data/sql-batches.ts';
import { MOST_RESULT_ROWS, type OpenQuery, QueryRun } from '#chat-core/query-run.ts';
import { ManualClock, settled } from '#support/manual-clock.ts';

const columns = [
  { name: 'status', type: 'string' },
  { name: 'count', type: 'number' },
];
const schema: SqlBatch = { kind: 'schema', columns };
const rows = (...list: unknown[][]): SqlBatch => ({ kind: 'rows', rows: list });

async function* batches(...list: readonly SqlBatch[]): AsyncGenerator<SqlBatch> {
  yield* list;
}
const run = (open: OpenQuery): QueryRun => new QueryRun(open, new ManualClock());

describe('QueryRun', () => {
  it('takes rows in as they come and gives them out in pages', async () => {
    const query = run(() => batches(schema, rows(['a', '1'], ['b', null]), rows(['c', 3])));
    await query.start();
    expect(query.state.value).toMatchObject({ phase: 'done', count: 3, columns, isCut: false });
    expect(query.page(1, 5)).toEqual([
      ['b', null],
      ['c', '3'],
    ]);
  });

  it('orders numbers as numbers, texts as texts, NULL last either way, and back as they came', async () => {
    const query = run(() => batches(schema, rows(['b', '10'], ['a', '9'], ['c', null])));
    await query.start();
    const first = (): unknown[] => query.page(0, 3).map(([status]) => status);
    query.arrange({ order: { column: 1, descending: false } });
    expect(first()).toEqual(['a', 'b', 'c']);
    query.arrange({ order: { column: 1, descending: true } });
    expect(first()).toEqual(['b', 'a', 'c']);
    query.arrange({ order: { column: 0, descending: true } });
    expect(first()).toEqual(['c', 'b', 'a']);
    query.arrange({ order: undefined });
    expect(first()).toEqual(['b', 'a', 'c']);
  });

  it('orders and filters rows that come later, too, and marks older positions as stale', async () => {
    const more = Promise.withResolvers<void>();
    const query = run(async function* () {
      yield schema;
      yield rows(['a', '2'], ['b', '5'], ['b', '3']);
      await more.promise;
      yield rows(['b', '4']);
    });
    const ended = query.start();
    await settled();
    query.arrange({
      order: { column: 1, descending: true },
      filter: { column: 0, condition: 'equals', value: 'b' },
    });
    expect(query.page(0, 9).map(([, count]) => count)).toEqual(['5', '3']);
    const { version } = query.state.value;
    more.resolve();
    await ended;
    expect(query.state.value.version).toBeGreaterThan(version);
    expect(query.state.value.count).toBe(4);
    expect(query.page(0, 9).map(([, count]) => count)).toEqual(['5', '4', '3']);
  });

  it('orders and filters by the same columns after a run with others, and forgets those that are gone', async () => {
    let first: SqlBatch = schema;
    const query = run(() => batches(first, rows(['7', 'paid'], ['9', 'open'], ['8', 'paid'])));
    await query.start();
    query.arrange({
      order: { column: 1, descending: true },
      filter: { column: 0, condition: 'equals', value: 'paid' },
    });
    first = { kind: 'schema', columns: columns.toReversed() };
    await query.start();
    expect(query.page(0, 9)).toEqual([
      ['8', 'paid'],
      ['7', 'paid'],
    ]);
    first = { kind: 'schema', columns: ['amount', 'state'].map((name) => ({ name, type: 'string' })) };
    await query.start();
    expect(query.page(0, 9)).toHaveLength(3);
    expect(query.arrangement).toEqual({ order: undefined, filter: undefined });
  });

  it('says what the platform is doing, and what went wrong', async () => {
    const seen: string[] = [];
    const query = run(async function* (_signal, onWait) {
      onWait('Executing query');
      yield schema;
      throw new Error('no such column');
    });
    query.state.onDidChange(({ phase, message }) => seen.push(`${phase} ${message}`));
    await query.start();
    expect(seen).toEqual(['running ', 'running Executing query', 'running ', 'failed no such column']);
  });

  it('is cancelled at once; what came stays, what comes late is not taken', async () => {
    const late = Promise.withResolvers<void>();
    const query = run(async function* (signal) {
      yield schema;
      yield rows(['a', 1]);
      await late.promise;
      expect(signal.aborted).toBe(true);
      yield rows(['late', 2]);
    });
    const ended = query.start();
    await settled();
    query.cancel();
    expect(query.state.value).toMatchObject({ phase: 'cancelled', count: 1 });
    late.resolve();
    await ended;
    expect(query.page(0, 9)).toEqual([['a', '1']]);
  });

  it('runs again from nothing, and only the newest run speaks', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    const query = run(async function* () {
      const mine = runs++;
      await gates[mine]?.promise;
      yield schema;
      yield rows([`run ${mine}`, 1]);
    });
    const [first, second] = [query.start(), query.start()];
    gates[1]?.resolve();
    await second;
    gates[0]?.resolve();
    await first;
    expect(query.page(0, 9)).toEqual([['run 1', '1']]);
    expect(query.state.value.phase).toBe('done');
  });

  it('keeps a bounded number of rows and says that there are more', async () => {
    const many = Array.from({ length: 60_000 }, (_, n) => ['x', n]);
    const query = run(() => batches(schema, rows(...many), rows(...many)));
    await query.start();
    expect(query.state.value).toMatchObject({ phase: 'done', count: MOST_RESULT_ROWS, isCut: true });
  });
});
