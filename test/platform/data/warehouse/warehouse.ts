import { mkdirSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { DuckDBAppender, DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { abortReason } from '#base/async.ts';
import { generateShop } from './generate.ts';
import { finalSql, stagingSql, tables, type Cell, type Table } from './tables.ts';

export type Value = string | number | boolean | null;

interface ResultColumn {
  readonly name: string;
  /** DuckDB's own name: `BIGINT`, `DECIMAL(12,2)`, `VARCHAR`, `TIMESTAMP` … */
  readonly type: string;
}

export interface ResultTable {
  readonly columns: readonly ResultColumn[];
  /** Numbers that a double cannot hold exactly (BIGINT, DECIMAL) are strings, times `YYYY-MM-DDTHH:mm:ss.SSS`. */
  readonly rows: readonly (readonly Value[])[];
}

export interface Warehouse {
  /** Runs one read-only statement with positional parameters; an aborted signal interrupts it. */
  query(sql: string, params?: readonly Value[], signal?: AbortSignal): Promise<ResultTable>;
  close(): Promise<void>;
}

/** Rows of the biggest table by default; orders and items together pass 170,000. */
export const fullSize = 122_000;

/** Opens the sample warehouse, generating its file first where there is none of this size. `file` ends in `.duckdb`. */
export async function openWarehouse(file: string, rows: number = fullSize): Promise<Warehouse> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  if (!existsSync(file)) await generateOnce(file, rows);
  const instance = await DuckDBInstance.create(file, {
    access_mode: 'READ_ONLY',
    // A data model's SQL is someone's text: it reads these tables and nothing else on the machine.
    enable_external_access: 'false',
    threads: '2',
  });
  return {
    query: (sql, params, signal) => runQuery(instance, sql, params ?? [], signal),
    close: async () => instance.closeSync(),
  };
}

async function runQuery(
  instance: DuckDBInstance,
  sql: string,
  params: readonly Value[],
  signal: AbortSignal | undefined,
): Promise<ResultTable> {
  if (signal?.aborted) throw abortReason(signal);
  const connection = await instance.connect();
  // An interrupt that comes before the statement runs is lost, so it is repeated until the statement has ended.
  let again: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    again ??= setInterval(() => connection.interrupt(), 10);
  };
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted) interrupt();
  try {
    const reader = await connection.runAndReadAll(sql, [...params]);
    const columns = reader.columnNames().map((name, index) => ({ name, type: String(reader.columnType(index)) }));
    const rows = reader
      .getRowsJson()
      .map((row) => row.map((value, index) => toValue(value, columns[index]?.type ?? '')));
    return { columns, rows };
  } catch (error) {
    throw signal?.aborted ? abortReason(signal) : error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    clearInterval(again);
    connection.closeSync();
  }
}

function toValue(value: unknown, type: string): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value !== 'string') return JSON.stringify(value);
  if (type.startsWith('TIMESTAMP')) return isoTime(value);
  return type === 'DATE' ? `${value}T00:00:00.000` : value;
}

/** `2026-01-31 12:00:00[.123456]` as `2026-01-31T12:00:00.000`. */
function isoTime(text: string): string {
  const [, date, time, fraction] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(text) ?? [];
  return date && time ? `${date}T${time}.${(fraction ?? '').padEnd(3, '0').slice(0, 3)}` : text;
}

/** What this process generates at the moment, by file: platforms can share a warehouse. */
const generating = new Map<string, Promise<void>>();

async function generateOnce(file: string, rows: number): Promise<void> {
  const running = generating.get(file) ?? generateFile(file, rows).finally(() => generating.delete(file));
  generating.set(file, running);
  await running;
}

/** Writes beside the final name and moves at the end, so that a half-written warehouse is never opened. */
async function generateFile(file: string, rows: number): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  mkdirSync(dirname(file), { recursive: true });
  const building = `${file}.${String(process.pid)}.building`;
  rmSync(building, { force: true });
  const instance = await DuckDBInstance.create(building, { threads: '2' });
  const connection = await instance.connect();
  await fill(connection, rows);
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
  renameSync(building, file);
}

async function fill(connection: DuckDBConnection, rows: number): Promise<void> {
  const appenders = new Map<Table, DuckDBAppender>();
  for (const table of Object.values(tables)) {
    await connection.run(stagingSql(table));
    appenders.set(table, await connection.createAppender(`staged_${table.name}`));
  }
  let count = 0;
  for (const { table, row } of generateShop(rows)) {
    const appender = appenders.get(table);
    if (!appender) throw new Error(`The generator wrote to an unknown table ${table.name}.`);
    appendRow(appender, row);
    // The platform answers requests meanwhile.
    if (++count % 4000 === 0) await nextTick();
  }
  for (const appender of appenders.values()) appender.closeSync();
  for (const table of Object.values(tables)) await connection.run(finalSql(table));
}

function appendRow(appender: DuckDBAppender, row: readonly Cell[]): void {
  for (const cell of row) {
    if (cell === null) appender.appendNull();
    else if (typeof cell === 'string') appender.appendVarchar(cell);
    else appender.appendInteger(cell);
  }
  appender.endRow();
}
