import type { DataClient, DataQuery } from '#api/data/data.ts';
import { asError, CancelledError } from '#base/async.ts';
import type { Disposable } from '#base/disposable.ts';
import { sqlLines, statementOf, valueLines } from '#features/data/index.ts';
import type { PlaygroundMessage } from './messages.ts';

type SqlMessage = Extract<PlaygroundMessage, { readonly type: 'sql' }>;

/** The SQL that the query of a page is compiled to; drops the results of earlier compilations. */
export class QueryCompiler implements Disposable {
  readonly #post: (message: SqlMessage) => void;
  #compiling: AbortController | undefined;

  constructor(post: (message: SqlMessage) => void) {
    this.#post = post;
  }

  /** Resolves to the error message, unless another query is being compiled by then. */
  async compile(client: Pick<DataClient, 'sql'>, query: DataQuery): Promise<string | undefined> {
    this.#compiling?.abort(new CancelledError());
    const compiling = new AbortController();
    this.#compiling = compiling;
    this.#post({ type: 'sql', phase: 'loading', text: '' });
    try {
      const { sql, values } = await statementOf(client, query, { signal: compiling.signal });
      const text = [...valueLines(values), sqlLines(sql)].join('\n');
      if (!compiling.signal.aborted) this.#post({ type: 'sql', phase: 'ready', text });
      return undefined;
    } catch (error) {
      if (compiling.signal.aborted) return undefined;
      const { message } = asError(error);
      this.#post({ type: 'sql', phase: 'failed', text: message });
      return message;
    }
  }

  /** Clears the SQL, because the query has changed. */
  forget(): void {
    this.dispose();
    this.#post({ type: 'sql', phase: 'none', text: '' });
  }

  dispose(): void {
    this.#compiling?.abort(new CancelledError());
  }
}
