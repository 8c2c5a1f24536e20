import { describe, expect, it } from 'vitest';
import type { SqlBatch } from '#api/data/sql-batches.ts';
import { silentLogger } from '#base/log.ts';
import { QueryRun } from '#chat-core/query-run.ts';
import type { HostToResults } from '#features/data/messages.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { environmentOf } from '#features/data/environments.ts';
import { ResultSurface } from '#features/data/result-surface.ts';

const environment = (id: string, name: string, type: string, restUrl?: string) => ({
  id,
  name,
  type,
  restUrl,
  sqlHost: undefined,
  sqlPort: undefined,
});
const environments = [
  environment('1', 'Production', 'production', 'https://x/1'),
  environment('2', 'dev-ann', 'development', 'https://x/2'),
  environment('3', 'Production', 'development'),
];

describe('environmentOf', () => {
  it.each([
    [undefined, '1'],
    [{ name: 'main', isDefault: true }, '1'],
    [{ name: 'dev-ann', isDefault: false }, '2'],
  ])('%j runs in environment %s', (branch, id) => {
    expect(environmentOf(environments, branch)).toMatchObject({ ok: true, value: { id } });
  });

  it.each([
    [{ name: 'dev-bob', isDefault: false }, /start dev mode/],
    [{ name: 'Production', isDefault: false }, /no REST address/],
  ])('%j cannot run, and it says why', (branch, words) => {
    expect(environmentOf(environments, branch)).toMatchObject({
      ok: false,
      error: expect.stringMatching(words) as string,
    });
  });

  it('says when there is no production environment', () => {
    expect(environmentOf([], undefined)).toMatchObject({ ok: false });
  });
});

/** Opens a result of these rows; `more` comes once `gate` has resolved. */
function open(rows: readonly (readonly unknown[])[], more: typeof rows = [], gate: Promise<void> = Promise.resolve()) {
  async function* batches(): AsyncGenerator<SqlBatch> {
    yield { kind: 'schema', columns: [{ name: 'n', type: 'number' }] };
    yield { kind: 'rows', rows };
    if (more.length === 0) return;
    await gate;
    yield { kind: 'rows', rows: more };
  }
  const posted: HostToResults[] = [];
  const done: string[] = [];
  const run = new QueryRun(batches, new ManualClock());
  const surface = new ResultSurface({
    query: { title: 'T', source: 'P', sql: 'SELECT 1' },
    run,
    logger: { ...silentLogger, warn: (message) => done.push(message) },
    post: (message) => posted.push(message),
    outputs: {
      copy: (text) => Promise.resolve(void done.push(text)),
      saveCsv: (text) => Promise.resolve(void done.push(text)),
      openSql: () => Promise.resolve(void done.push('sql')),
      ask: ({ ask, names }) => Promise.resolve(void done.push(`${ask} ${String(names)}`)),
    },
  });
  return { run, surface, posted, done };
}

describe('ResultSurface', () => {
  it('gives rows in the order asked for, and marks older ones as stale', async () => {
    const { run, surface, posted } = open([[2], [1], [3]]);
    await run.start();
    await surface.receive({ type: 'rows', offset: 0, count: 2 });
    expect(posted.at(-1)).toEqual({ type: 'rows', version: 1, offset: 0, rows: [['2'], ['1']] });
    await surface.receive({ type: 'sort', order: { column: 0, descending: true } });
    expect(posted.at(-1)).toMatchObject({ type: 'state', version: 2, count: 3, phase: 'done' });
    await surface.receive({ type: 'rows', offset: 0, count: 2 });
    expect(posted.at(-1)).toEqual({ type: 'rows', version: 2, offset: 0, rows: [['3'], ['2']] });
  });

  it('shows what a filter leaves of all rows, and copies just that', async () => {
    const { run, surface, posted, done } = open([[2], [1], [3]]);
    await run.start();
    await surface.receive({ type: 'filter', filter: { condition: 'above', value: '1' } });
    expect(posted.at(-1)).toMatchObject({ type: 'state', count: 2, loaded: 3 });
    await surface.receive({ type: 'copy', format: 'markdown' });
    expect(done).toEqual(['| n |\n| --- |\n| 2 |\n| 3 |']);
  });

  it('copies and saves what is shown, and refuses what it does not know', async () => {
    const { run, surface, done } = open([[1], [null]]);
    await run.start();
    await surface.receive({ type: 'copy', format: 'tsv' });
    await surface.receive({ type: 'csv' });
    await surface.receive({ type: 'openSql' });
    await surface.receive({ type: 'quit' });
    expect(done).toEqual(['n\n1\n', '\u{feff}n\r\n1\r\n\r\n', 'sql', 'A message of a result view was not understood']);
  });

  it.each([
    ['as they came', undefined],
    ['sorted', { column: 0, descending: true }],
  ])('saves exactly the rows that are loaded, %s, while more arrive, and all of them afterwards', async (_, order) => {
    const gate = Promise.withResolvers<void>();
    const numbers = Array.from({ length: 10_000 }, (__, at) => [at]);
    const { run, surface, posted, done } = open(numbers.slice(0, 4_000), numbers.slice(4_000), gate.promise);
    const running = run.start();
    await expect.poll(() => run.state.value.count).toBe(4_000);
    if (order) await surface.receive({ type: 'sort', order });
    await surface.receive({ type: 'csv' });
    expect(posted.at(-1)).toMatchObject({ phase: 'running', count: 4_000, loaded: 4_000 });
    gate.resolve();
    await running;
    await surface.receive({ type: 'csv' });
    const csvOf = (count: number): string => {
      const rows = numbers.slice(0, count).map(String);
      return `\u{feff}${['n', ...(order ? rows.toReversed() : rows), ''].join('\r\n')}`;
    };
    expect(done.map((text) => text.split('\r\n').length)).toEqual([4_002, 10_002]);
    expect(done).toEqual([csvOf(4_000), csvOf(10_000)]);
  });

  it('asks the agent about a value of a column that is there', async () => {
    const { run, surface, done } = open([[1]]);
    await run.start();
    await surface.receive({ type: 'ask', column: 0, cells: ['1'] });
    await surface.receive({ type: 'ask', column: 9, cells: ['1'] });
    expect(done).toEqual(['/explain Why is n 1? ']);
  });

  it('runs again as a new version and cancels when it is closed', async () => {
    const { run, surface, posted } = open([[1]]);
    await run.start();
    await surface.receive({ type: 'again' });
    expect(posted.at(-1)).toMatchObject({ type: 'state', version: 2, phase: 'done', count: 1, loaded: 1 });
    const again = run.start();
    surface.dispose();
    expect(run.state.value.phase).toBe('cancelled');
    await again;
  });
});
