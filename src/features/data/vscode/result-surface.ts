import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import type { QueryRun } from '#chat-core/query-run.ts';
import { csv, tsv } from '#chat-core/table.ts';
import { type HostToResults, type ResultsToHost, parseResultsToHost } from '#features/data/messages.ts';

export interface ResultSurfaceDeps {
  readonly title: string;
  readonly place: string;
  readonly sql: string;
  readonly run: QueryRun;
  readonly logger: Logger;
  readonly post: (message: HostToResults) => void;
  readonly copy: (text: string) => Promise<void>;
  readonly saveCsv: (text: string) => Promise<void>;
  readonly openSql: () => Promise<void>;
}

/** The most rows that a view may ask for at once. */
const MOST_AT_ONCE = 1_000;

/** The host's side of a result view: keeps it in step with the run and gives it rows. */
export class ResultSurface implements Disposable {
  readonly #deps: ResultSurfaceDeps;
  readonly #store = new DisposableStore();
  #version = 0;

  constructor(deps: ResultSurfaceDeps) {
    this.#deps = deps;
    this.#store.add(deps.run.state.onDidChange(() => this.#tell()));
  }

  /** A message of the webview, unchecked. */
  async receive(value: unknown): Promise<void> {
    const message = parseResultsToHost(value);
    if (message) await this.#handle(message);
    else this.#deps.logger.warn('A message of a result view was not understood');
  }

  dispose(): void {
    this.#deps.run.cancel();
    this.#store.dispose();
  }

  async #handle(message: ResultsToHost): Promise<void> {
    const { run, copy, saveCsv, openSql } = this.#deps;
    const { columns } = run.state.value;
    switch (message.type) {
      case 'ready':
        this.#tell();
        break;
      case 'rows': {
        const rows = run.page(message.offset, Math.min(message.count, MOST_AT_ONCE));
        this.#deps.post({ type: 'rows', version: this.#version, offset: message.offset, rows });
        break;
      }
      case 'sort':
        run.sort(message.column, message.descending);
        this.#version += 1;
        this.#tell();
        break;
      case 'cancel':
        run.cancel();
        break;
      case 'again':
        this.#version += 1;
        await run.start();
        break;
      case 'copy':
        await copy(tsv({ columns, rows: run.all() }));
        break;
      case 'csv':
        await saveCsv(csv({ columns, rows: run.all() }));
        break;
      default:
        await openSql();
    }
  }

  #tell(): void {
    const { title, place, sql, run, post } = this.#deps;
    const { phase, columns, count, isCut, message, startedAt, endedAt } = run.state.value;
    post({
      type: 'state',
      title,
      place,
      sql,
      phase,
      columns: [...columns],
      count,
      isCut,
      message,
      milliseconds: endedAt === undefined ? undefined : endedAt - startedAt,
      version: this.#version,
    });
  }
}
