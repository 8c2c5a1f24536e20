import type { SqlBatch, SqlColumn } from '#api/data/sql-batches.ts';
import { CancelledError, asError, isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { arrangedRows, isArranged, type RowArrangement } from '#base/arranged-rows.ts';
import { movedArrangement } from '#base/moved-arrangement.ts';
import { cellText, type Row } from '#base/cells.ts';

/** The maximum number of rows stored; a larger result is truncated and marked so. */
export const MOST_RESULT_ROWS = 100_000;

export interface QueryState {
  readonly phase: 'running' | 'done' | 'failed' | 'cancelled';
  readonly columns: readonly SqlColumn[];
  /** The number of rows that have arrived. */
  readonly count: number;
  /** Whether the result has more rows than are stored. */
  readonly isCut: boolean;
  /** The platform's progress, or the error. */
  readonly message: string;
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  /** Changes whenever rows move to other positions: with each run, order and filter. */
  readonly version: number;
}

/** Opens the stream of a query; `onWait` gets the platform's progress. */
export type OpenQuery = (signal: AbortSignal, onWait: (what: string) => void) => AsyncIterable<SqlBatch>;

/** Runs a query: stores rows as they arrive, and returns them in pages and in any order. */
export class QueryRun {
  readonly #open: OpenQuery;
  readonly #clock: Clock;
  readonly #state: Store<QueryState>;
  #rows: Row[] = [];
  /** The columns of the latest run that has any. */
  #columns: readonly SqlColumn[] = [];
  #arrangement: RowArrangement = {};
  /** The arranged rows, and the number of rows from which they were computed. */
  #arranged: { readonly rows: readonly Row[]; readonly of: number } | undefined;
  #version = 0;
  #running = new AbortController();
  #isClosed = false;

  constructor(open: OpenQuery, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
    this.#state = new Store(this.#begun());
  }

  get state(): ReadonlyStore<QueryState> {
    return this.#state;
  }

  /** Runs the query (again); resolves when it has ended, whether successfully or not. */
  async start(): Promise<void> {
    if (this.#isClosed) return;
    this.#running.abort(new CancelledError());
    const running = new AbortController();
    this.#running = running;
    this.#rows = [];
    this.#arranged = undefined;
    this.#version += 1;
    this.#state.set(this.#begun());
    try {
      const onWait = (message: string): void => this.#patch(running, { message });
      for await (const batch of this.#open(running.signal, onWait)) {
        if (running.signal.aborted) return;
        if (batch.kind === 'schema') this.#begin(running, batch.columns);
        else if (!this.#take(running, batch.rows)) break;
      }
      this.#end(running, 'done', '');
    } catch (error) {
      const phase = isCancelled(error) ? 'cancelled' : 'failed';
      this.#end(running, phase, phase === 'failed' ? asError(error).message : '');
    }
  }

  /** Ends the query; the rows that have arrived stay. */
  cancel(): void {
    if (this.#state.value.phase !== 'running') return;
    this.#end(this.#running, 'cancelled', '');
    this.#running.abort(new CancelledError());
  }

  /** Ends the query for good: its view is closed, so the user could neither see nor cancel another run. */
  close(): void {
    this.#isClosed = true;
    this.cancel();
  }

  get arrangement(): RowArrangement {
    return this.#arrangement;
  }

  /** Changes the order or the filter of the rows, including those of later runs. */
  arrange(change: RowArrangement): void {
    this.#arrangement = { ...this.#arrangement, ...change };
    this.#arranged = undefined;
    this.#version += 1;
    this.#state.set({ ...this.#state.value, version: this.#version });
  }

  /** Returns a page of rows as text, in the current order. */
  page(offset: number, count: number): (string | null)[][] {
    const { columns } = this.#state.value;
    return this.all()
      .slice(offset, offset + count)
      .map((row) => columns.map((_, at) => cellText(row[at])));
  }

  /** Returns all rows that pass the filter, in the current order. */
  all(): readonly Row[] {
    if (!isArranged(this.#arrangement)) return this.#rows;
    this.#arranged ??= {
      rows: arrangedRows(this.#rows, this.#state.value.columns, this.#arrangement),
      of: this.#rows.length,
    };
    return this.#arranged.rows;
  }

  /** Takes the columns; the order and the filter follow theirs, which may have moved or be gone since the last run. */
  #begin(running: AbortController, columns: readonly SqlColumn[]): void {
    if (this.#columns.length > 0) this.#arrangement = movedArrangement(this.#arrangement, this.#columns, columns);
    this.#columns = columns;
    this.#patch(running, { columns, message: '' });
  }

  #take(running: AbortController, rows: readonly Row[]): boolean {
    const room = MOST_RESULT_ROWS - this.#rows.length;
    for (const row of rows.slice(0, room)) this.#rows.push(row);
    // Arranging all rows for each batch would be quadratic: do it when their number has doubled, and at the end.
    if (this.#arranged && this.#rows.length >= 2 * this.#arranged.of) this.#arrangeAgain();
    this.#patch(running, { count: this.#rows.length, isCut: rows.length > room, version: this.#version });
    return rows.length <= room;
  }

  #end(running: AbortController, phase: 'done' | 'failed' | 'cancelled', message: string): void {
    if (!this.#isNewest(running)) return;
    if (this.#arranged) this.#arrangeAgain();
    this.#patch(running, { phase, message, endedAt: this.#clock.now(), version: this.#version });
  }

  #arrangeAgain(): void {
    this.#arranged = undefined;
    this.#version += 1;
  }

  #begun(): QueryState {
    return {
      phase: 'running',
      columns: [],
      count: 0,
      isCut: false,
      message: '',
      startedAt: this.#clock.now(),
      version: this.#version,
    };
  }

  /** Changes the state, unless a newer run has started. */
  #patch(running: AbortController, change: Partial<QueryState>): void {
    if (this.#isNewest(running)) this.#state.set({ ...this.#state.value, ...change });
  }

  #isNewest(running: AbortController): boolean {
    return running === this.#running && !running.signal.aborted;
  }
}
