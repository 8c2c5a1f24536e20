import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import type { ShownQuery } from '#shell/shown-query.ts';
import type { QueryRun } from '#chat-core/query-run.ts';
import { cellAttachment, cellNames, cellQuestion } from '#chat-core/asked-cell.ts';
import type { AskTarget } from '#shell/targets.ts';
import { csv, rowsAs } from '#base/row-text.ts';
import { type HostToResults, type ResultsToHost, parseResultsToHost } from '#features/data/messages.ts';

/** The destinations of what a result view shows. */
export interface ResultOutputs {
  readonly copy: (text: string) => Promise<void>;
  readonly saveCsv: (text: string) => Promise<void>;
  readonly openSql: () => Promise<void>;
  /** Puts a question about a value into the chat. */
  readonly ask: (question: AskTarget) => Promise<void>;
}

export interface ResultSurfaceDeps {
  readonly query: Omit<ShownQuery, 'client'>;
  readonly run: QueryRun;
  readonly logger: Logger;
  readonly post: (message: HostToResults) => void;
  readonly outputs: ResultOutputs;
}

/** The most rows that a view may request at once. */
const MOST_AT_ONCE = 1_000;

/** The host side of a result view: keeps it up to date with the run and sends it rows. */
export class ResultSurface implements Disposable {
  readonly #deps: ResultSurfaceDeps;
  readonly #store = new DisposableStore();

  constructor(deps: ResultSurfaceDeps) {
    this.#deps = deps;
    this.#store.add(deps.run.state.onDidChange(() => this.#postState()));
  }

  /** Handles a message of the webview, which is not validated yet. */
  async receive(value: unknown): Promise<void> {
    const message = parseResultsToHost(value);
    if (message) await this.#handle(message);
    else this.#deps.logger.warn('A message of a result view was not understood');
  }

  dispose(): void {
    this.#deps.run.close();
    this.#store.dispose();
  }

  async #handle(message: ResultsToHost): Promise<void> {
    const { run, query, outputs } = this.#deps;
    const { columns } = run.state.value;
    switch (message.type) {
      case 'ready':
        this.#postState();
        break;
      case 'rows': {
        const rows = run.page(message.offset, Math.min(message.count, MOST_AT_ONCE));
        this.#deps.post({ type: 'rows', version: run.state.value.version, offset: message.offset, rows });
        break;
      }
      case 'sort':
        run.arrange({ order: message.order });
        break;
      case 'filter':
        run.arrange({ filter: message.filter });
        break;
      case 'cancel':
        run.cancel();
        break;
      case 'again':
        await run.start();
        break;
      case 'choose':
        if (await query.choices?.choose(message.id)) await run.start();
        break;
      case 'ask':
        await this.#ask(message.column, message.cells);
        break;
      case 'copy':
        await outputs.copy(rowsAs(message.format, { columns, rows: run.all() }));
        break;
      case 'csv':
        await outputs.saveCsv(csv({ columns, rows: run.all() }));
        break;
      default:
        await outputs.openSql();
    }
  }

  async #ask(column: number, cells: readonly (string | null)[]): Promise<void> {
    const { query, run, outputs } = this.#deps;
    const { title, sql } = query;
    const { columns } = run.state.value;
    const cell = { result: { title, sql, columns }, column, cells };
    if (columns[column])
      await outputs.ask({ ask: cellQuestion(cell), attached: [cellAttachment(cell)], names: cellNames(cell) });
  }

  #postState(): void {
    const { query, run, post } = this.#deps;
    const { title, source, sql, choices } = query;
    const { phase, columns, count, isCut, message, startedAt, endedAt, version } = run.state.value;
    post({
      type: 'state',
      title,
      source,
      sql,
      ...(choices ? { choices: [...choices.all()], note: choices.note?.() ?? '' } : {}),
      phase,
      columns: [...columns],
      ...run.arrangement,
      count: run.all().length,
      loaded: count,
      isCut,
      message,
      milliseconds: endedAt === undefined ? undefined : endedAt - startedAt,
      version,
    });
  }
}
