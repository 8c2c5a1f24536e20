import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { migrations } from './migrations.ts';

export type Row = Readonly<Record<string, unknown>>;

/**
 * The platform's rows. Every acknowledged change is in the write-ahead log before the answer leaves, so that a killed
 * process loses none of them.
 */
export class Database {
  readonly raw: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;

  private constructor(raw: DatabaseSync) {
    this.raw = raw;
  }

  /** Opens (or creates) `platform.sqlite` in the data folder and brings its schema up to date. */
  static open(dataDir: string): Database {
    mkdirSync(dataDir, { recursive: true });
    const raw = new DatabaseSync(join(dataDir, 'platform.sqlite'));
    raw.exec('PRAGMA busy_timeout = 2000; PRAGMA locking_mode = EXCLUSIVE; PRAGMA foreign_keys = ON;');
    try {
      raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; COMMIT;');
    } catch (error) {
      raw.close();
      if (!String(error).includes('locked')) throw error;
      throw new Error(
        `The data folder ${dataDir} is used by another platform: end that one or choose another folder.`,
        { cause: error },
      );
    }
    const database = new Database(raw);
    database.#migrate();
    return database;
  }

  all<T = Row>(sql: string, ...values: readonly SQLInputValue[]): T[] {
    return this.#prepare(sql).all(...values) as T[];
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the shape of the rows it selects
  get<T = Row>(sql: string, ...values: readonly SQLInputValue[]): T | undefined {
    return this.#prepare(sql).get(...values) as T | undefined;
  }

  /** Changes rows; answers the id of an inserted one and how many were touched. */
  run(sql: string, ...values: readonly SQLInputValue[]): { readonly id: number; readonly changes: number } {
    const { lastInsertRowid, changes } = this.#prepare(sql).run(...values);
    return { id: Number(lastInsertRowid), changes: Number(changes) };
  }

  /** All or nothing; may be nested. `work` must not be asynchronous. */
  transaction<T>(work: () => T): T {
    const name = `level${this.#depth}`;
    this.raw.exec(this.#depth === 0 ? 'BEGIN IMMEDIATE' : `SAVEPOINT ${name}`);
    this.#depth++;
    try {
      const result = work();
      this.#depth--;
      this.raw.exec(this.#depth === 0 ? 'COMMIT' : `RELEASE ${name}`);
      return result;
    } catch (error) {
      if (this.#depth > 0) this.#depth--;
      this.raw.exec(this.#depth === 0 ? 'ROLLBACK' : `ROLLBACK TO ${name}; RELEASE ${name}`);
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.raw.isOpen) this.raw.close();
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.raw.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #migrate(): void {
    const version = this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
    if (version > migrations.length) {
      throw new Error(`The data folder was written by a newer platform (schema ${version}): use an empty one.`);
    }
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      this.transaction(() => {
        this.raw.exec(migration);
        this.raw.exec(`PRAGMA user_version = ${index + 1}`);
      });
    }
  }
}

/** Whether an error says that a unique or foreign key was violated. */
export function isConstraintError(error: unknown): boolean {
  return error instanceof Error && /constraint failed/i.test(error.message);
}
