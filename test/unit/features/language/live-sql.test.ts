import { describe, expect, it } from 'vitest';
import { type Database, databaseOfType, databaseTypeIn } from '#features/language/databases.ts';
import { type CursorInFile, LiveSql, answerTimeoutMs, pauseMs } from '#features/language/live-sql.ts';
import type { SqlAtPosition } from '#features/language/messages.ts';
import { ManualClock, settled } from '#support/manual-clock.ts';

const compiled = (name: string, sql: string): SqlAtPosition => ({
  name,
  explanation: { state: 'compiled', sql, values: [], candidates: [], proposed: [], obstacles: [] },
});
const at = (line: number): CursorInFile => ({ uri: 'file:///m/orders.yml', position: { line, character: 0 } });

/** A pane whose questions the test answers, in the order in which they were asked. */
function open(database?: Database) {
  const clock = new ManualClock();
  const asked: { line: number; dialect: string; signal: AbortSignal; answer: (found: SqlAtPosition) => void }[] = [];
  const shown: string[] = [];
  const live = new LiveSql({
    clock,
    ask: ({ position, dialect }, signal) =>
      new Promise((resolve) => asked.push({ line: position.line, dialect, signal, answer: resolve })),
    database: () => Promise.resolve(database),
    show: (text) => shown.push(text),
  });
  return { clock, asked, shown, live };
}

describe('LiveSql', () => {
  it('asks once the user pauses, about where the cursor is then', async () => {
    const { clock, asked, shown, live } = open(databaseOfType('snowflake'));
    live.follow(at(1));
    await clock.advance(pauseMs - 1);
    live.follow(at(2));
    await clock.advance(pauseMs - 1);
    expect(asked).toEqual([]);
    await clock.advance(1);
    expect(asked.map(({ line, dialect }) => ({ line, dialect }))).toEqual([{ line: 2, dialect: 'snowflake' }]);
    asked[0]?.answer(compiled('orders.count', 'SELECT count(*) FROM orders'));
    await settled();
    expect(shown).toEqual(['-- orders.count, for Snowflake\nSELECT count(*)\nFROM orders\n']);
  });

  it('has one question under way, and then asks the last of the newer ones', async () => {
    const { clock, asked, live } = open();
    for (const line of [1, 2, 3]) {
      live.follow(at(line));
      await clock.advance(pauseMs);
    }
    expect(asked.map(({ line }) => line)).toEqual([1]);
    asked[0]?.answer(null);
    await settled();
    expect(asked.map(({ line }) => line)).toEqual([1, 3]);
  });

  it('asks again about the same position when another file changes, once for changes together', async () => {
    const { clock, asked, shown, live } = open();
    live.again();
    await clock.advance(pauseMs);
    expect(asked).toEqual([]);
    live.follow(at(4));
    await clock.advance(pauseMs);
    asked[0]?.answer(compiled('orders.count', 'SELECT 1'));
    await settled();
    for (const each of ['SELECT 1', 'SELECT 2']) {
      live.again();
      live.again();
      await clock.advance(pauseMs);
      asked.at(-1)?.answer(compiled('orders.count', each));
      await settled();
    }
    expect(asked.map(({ line }) => line)).toEqual([4, 4, 4]);
    expect(shown).toMatchInlineSnapshot(`
      [
        "-- orders.count, for PostgreSQL, because the database of this model is not known
      SELECT 1
      ",
        "-- orders.count, for PostgreSQL, because the database of this model is not known
      SELECT 1
      ",
        "-- orders.count, for PostgreSQL, because the database of this model is not known
      SELECT 2
      ",
      ]
    `);
  });

  it('shows the newest text when it changes while an answer is under way', async () => {
    const { clock, asked, shown, live } = open();
    live.follow(at(1));
    await clock.advance(pauseMs);
    live.again();
    await clock.advance(pauseMs);
    asked[0]?.answer(compiled('orders', 'SELECT 1'));
    await settled();
    asked[1]?.answer(compiled('orders', 'SELECT 2'));
    await settled();
    expect(asked).toHaveLength(2);
    expect(shown).toMatchInlineSnapshot(`
      [
        "-- orders, for PostgreSQL, because the database of this model is not known
      SELECT 1
      ",
        "-- orders, for PostgreSQL, because the database of this model is not known
      SELECT 2
      ",
      ]
    `);
  });

  it('ends work that takes long when the cursor moves on, and all work when it is closed', async () => {
    const { clock, asked, shown, live } = open();
    live.follow(at(1));
    await clock.advance(pauseMs + answerTimeoutMs);
    expect(asked[0]?.signal.aborted).toBe(false);
    live.follow(at(2));
    await clock.advance(pauseMs);
    expect(asked[0]?.signal.aborted).toBe(true);
    asked[0]?.answer(compiled('orders', 'SELECT 1'));
    await settled();
    expect(asked.map(({ line }) => line)).toEqual([1, 2]);
    live.dispose();
    expect(asked[1]?.signal.aborted).toBe(true);
    asked[1]?.answer(compiled('orders', 'SELECT 2'));
    await settled();
    expect(shown).toEqual([]);
  });

  it('keeps the SQL in sight while the model does not compile', async () => {
    const { clock, asked, shown, live } = open();
    const next = async (answer: SqlAtPosition): Promise<void> => {
      live.follow(at(1));
      await clock.advance(pauseMs);
      asked.at(-1)?.answer(answer);
      await settled();
    };
    await next(compiled('orders.count', 'SELECT 1'));
    await next({ name: 'orders.count', explanation: { state: 'refused', errors: ['orders cube: type is required'] } });
    expect(shown.at(-1)).toBe(
      '-- orders.count\n-- The model does not compile.\n-- orders cube: type is required\n\n-- SQL before that:\nSELECT 1\n',
    );
    await next(null);
    expect(shown).toHaveLength(2);
  });

  it.each([
    [undefined, 'PostgreSQL, because the database of this model is not known'],
    ['postgres', 'PostgreSQL'],
    ['duckdb', 'DuckDB as nearly as the engine on this machine can: its dialect comes with the driver'],
  ])('says for which database it is, with %s', async (type, name) => {
    const { clock, asked, shown, live } = open(type === undefined ? undefined : databaseOfType(type));
    live.follow(at(1));
    await clock.advance(pauseMs);
    asked[0]?.answer(compiled('orders', 'SELECT 1'));
    await settled();
    expect(shown[0]?.split('\n')[0]).toBe(`-- orders, for ${name}`);
  });
});

describe('the type of a database', () => {
  it.each([
    ['CUBEJS_DB_TYPE=bigquery\n', 'bigquery'],
    ['A=1\n export CUBEJS_DB_TYPE = "mysql" # local\n', 'mysql'],
    ['# CUBEJS_DB_TYPE=mysql\nMY_CUBEJS_DB_TYPE=x\n', undefined],
  ])('is read from %j', (text, type) => {
    expect(databaseTypeIn(text)).toBe(type);
  });

  it('is nothing where the name is not known', () => {
    expect(databaseOfType('toString')).toBeUndefined();
  });
});
