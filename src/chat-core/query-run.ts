import type { SqlBatch, SqlColumn } from '#api/data.ts';
import { CancelledError, asError, isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { cellText } from './table.ts';

/** Rows that are kept; a result beyond is cut, and says so. */
export const MOST_RESULT_ROWS = 100_000;

export interface QueryState {
  readonly phase: 'running' | 'done' | 'failed' | 'cancelled';
  readonly columns: readonly SqlColumn[];
  /** Rows that have arrived. */
  readonly count: number;
  /** Whether the result has more rows than are kept. */
  readonly isCut: boolean;
  /** What the platform is doing, or what went wrong. */
  readonly message: string;
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
}

/** Opens the stream of a query; `onWait` hears what the platform is doing meanwhile. */
export type OpenQuery = (signal: AbortSignal, onWait: (what: string) => void) => AsyncIterable<SqlBatch>;

type Row = readonly unknown[];

/** One run of a query: takes rows in as they come, keeps them, and gives them out in pages and in any order. */
export class QueryRun {
  readonly #open: OpenQuery;
  readonly #clock: Clock;
  readonly #state: Store<QueryState>;
  #rows: Row[] = [];
  #sorted: Row[] | undefined;
  #running = new AbortController();

  constructor(open: OpenQuery, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
    this.#state = new Store(this.#begun());
  }

  get state(): ReadonlyStore<QueryState> {
    return this.#state;
  }

  /** Runs the query (again); resolves when it has ended, whatever the end. */
  async start(): Promise<void> {
    this.#running.abort(new CancelledError());
    const running = new AbortController();
    this.#running = running;
    this.#rows = [];
    this.#sorted = undefined;
    this.#state.set(this.#begun());
    try {
      const onWait = (message: string): void => this.#patch(running, { message });
      for await (const batch of this.#open(running.signal, onWait)) {
        if (running.signal.aborted) return;
        if (batch.kind === 'schema') this.#patch(running, { columns: batch.columns, message: '' });
        else if (!this.#take(running, batch.rows)) break;
      }
      this.#patch(running, { phase: 'done', message: '', endedAt: this.#clock.now() });
    } catch (error) {
      const phase = isCancelled(error) ? 'cancelled' : 'failed';
      this.#patch(running, {
        phase,
        message: phase === 'failed' ? asError(error).message : '',
        endedAt: this.#clock.now(),
      });
    }
  }

  /** Ends the query; what has arrived stays. */
  cancel(): void {
    if (this.#state.value.phase !== 'running') return;
    this.#patch(this.#running, { phase: 'cancelled', message: '', endedAt: this.#clock.now() });
    this.#running.abort(new CancelledError());
  }

  /** Orders the rows by a column, NULL last; without one as they came. */
  sort(column: number | undefined, descending: boolean): void {
    const { columns } = this.#state.value;
    const by = column === undefined ? undefined : columns[column];
    this.#sorted =
      by && column !== undefined ? this.#rows.toSorted(comparison(column, by.type, descending)) : undefined;
  }

  /** A page of rows as text, in the present order. */
  page(offset: number, count: number): (string | null)[][] {
    const { columns } = this.#state.value;
    return this.all()
      .slice(offset, offset + count)
      .map((row) => columns.map((_, at) => cellText(row[at])));
  }

  /** All rows in the present order. */
  all(): readonly Row[] {
    return this.#sorted ?? this.#rows;
  }

  #take(running: AbortController, rows: readonly Row[]): boolean {
    const room = MOST_RESULT_ROWS - this.#rows.length;
    for (const row of rows.slice(0, room)) this.#rows.push(row);
    this.#patch(running, { count: this.#rows.length, isCut: rows.length > room });
    return rows.length <= room;
  }

  #begun(): QueryState {
    return { phase: 'running', columns: [], count: 0, isCut: false, message: '', startedAt: this.#clock.now() };
  }

  /** Only the newest run may speak. */
  #patch(running: AbortController, change: Partial<QueryState>): void {
    if (running !== this.#running || running.signal.aborted) return;
    this.#state.set({ ...this.#state.value, ...change });
  }
}

function comparison(column: number, type: string, descending: boolean): (a: Row, b: Row) => number {
  const sign = descending ? -1 : 1;
  const isNumber = /int|num|dec|float|double|real/i.test(type);
  const collator = new Intl.Collator();
  return (a, b) => {
    const [x, y] = [cellText(a[column]), cellText(b[column])];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return sign * (isNumber ? Number(x) - Number(y) : collator.compare(x, y));
  };
}
