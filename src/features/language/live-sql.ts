import { CancelledError, asError } from '#base/async.ts';
import { sqlLines } from '#features/data/index.ts';
import type { Clock } from '#base/clock.ts';
import type { Disposable } from '#base/disposable.ts';
import { notCompiled } from '#model/pre-aggregations/explanation.ts';
import { type Database, defaultDialect } from './databases.ts';
import type { SqlAtPosition, SqlAtPositionParams } from './messages.ts';

/** The position of the cursor. */
export type CursorInFile = Pick<SqlAtPositionParams, 'uri' | 'position'>;

export interface LiveSqlPorts {
  readonly clock: Clock;
  readonly ask: (params: SqlAtPositionParams, signal: AbortSignal) => Promise<SqlAtPosition>;
  /** Resolves to the database of the model that a document belongs to, if it is known. */
  readonly database: (uri: string) => Promise<Database | undefined>;
  readonly show: (text: string) => void;
}

/** A keystroke within this time, in milliseconds, restarts the pause. */
export const pauseMs = 300;
/** A request that takes longer, in milliseconds, is cancelled for a newer one. */
export const answerTimeoutMs = 3_000;

/**
 * Shows the SQL of what is at the cursor when the user pauses. One request at a time: newer ones wait for the answer or, if that
 * takes long, end the engine's work on it.
 */
export class LiveSql implements Disposable {
  readonly #ports: LiveSqlPorts;
  #pause = new AbortController();
  #running: { readonly controller: AbortController; readonly since: number } | undefined;
  #next: CursorInFile | undefined;
  #followed: CursorInFile | undefined;
  #isOver = false;
  /** The last SQL, which stays visible while the model does not compile. */
  #last: { readonly name: string; readonly text: string } | undefined;

  constructor(ports: LiveSqlPorts) {
    this.#ports = ports;
  }

  /** Called when the cursor moved to a position, or the text at it changed. */
  follow(cursor: CursorInFile): void {
    this.#followed = cursor;
    this.#pause.abort(new CancelledError());
    this.#pause = new AbortController();
    this.#ports.clock.sleep(pauseMs, this.#pause.signal).then(
      () => this.#ask(cursor),
      () => undefined,
    );
  }

  /** Called when another file of the model changed, because the SQL at the same position may differ. */
  again(): void {
    if (this.#followed) this.follow(this.#followed);
  }

  dispose(): void {
    this.#isOver = true;
    this.#pause.abort(new CancelledError());
    this.#running?.controller.abort(new CancelledError());
  }

  #ask(cursor: CursorInFile): void {
    if (this.#isOver) return;
    if (!this.#running) {
      void this.#run(cursor);
      return;
    }
    this.#next = cursor;
    if (this.#ports.clock.now() - this.#running.since > answerTimeoutMs)
      this.#running.controller.abort(new CancelledError());
  }

  async #run(cursor: CursorInFile): Promise<void> {
    const { clock, show } = this.#ports;
    const controller = new AbortController();
    this.#running = { controller, since: clock.now() };
    try {
      const text = await this.#textAt(cursor, controller.signal);
      if (!this.#isOver && !controller.signal.aborted && text !== undefined) show(text);
    } catch (error) {
      if (!this.#isOver && !controller.signal.aborted) show(commented(asError(error).message));
    }
    this.#running = undefined;
    const next = this.#next;
    this.#next = undefined;
    if (next) this.#ask(next);
  }

  async #textAt(cursor: CursorInFile, signal: AbortSignal): Promise<string | undefined> {
    const { ask, clock, database } = this.#ports;
    const known = await database(cursor.uri);
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const answer = await ask({ ...cursor, dialect: known?.dialect ?? defaultDialect, today }, signal);
    // Between cubes, the SQL of the last one stays.
    if (!answer) return this.#last ? undefined : commented('Place the cursor in a cube, view, member or query.');
    const { name, explanation } = answer;
    if (explanation.state !== 'compiled') {
      const reason = commented([name, notCompiled(explanation)].filter((line) => line !== '').join('\n'));
      return this.#last?.name === name ? `${reason}\n${commented('SQL before that:')}${this.#last.text}` : reason;
    }
    const { sql, values, candidates } = explanation;
    const used = candidates.find(({ isUsed }) => isUsed);
    const text = `${[...values.map((value, at) => `-- $${at + 1} = ${value}`), sqlLines(sql)].join('\n')}\n`;
    this.#last = { name, text };
    const notes = [
      `${name}, for ${databaseText(known)}`,
      ...(used ? [`The pre-aggregation ${used.id} serves this query. The SQL without it:`] : []),
    ];
    return `${commented(notes.join('\n'))}${text}`;
  }
}

function databaseText(database: Database | undefined): string {
  if (!database) return 'PostgreSQL, because the database of this model is not known';
  return database.isExact
    ? database.name
    : `${database.name} as nearly as the engine on this machine can: its dialect comes with the driver`;
}

const commented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `-- ${line}\n`)
    .join('');
