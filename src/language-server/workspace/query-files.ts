import type { EditedDocument } from '#language-server/documents/edited-document.ts';
import { Emitter, type Event } from '#base/event.ts';
import { LineIndex } from '#base/line-index.ts';
import type { ModelIndex } from '#model/index.ts';
import { parseQueryFile, type QueryFile } from '#model/query-files/query-file.ts';
import { isQueryPath } from '#model/query-files/query-path.ts';
import type { OpenDocuments } from '#language-server/documents/documents.ts';
import type { LanguageHost } from '#language-server/host.ts';
import type { Positions } from '#language-server/documents/lines.ts';

/** The model that a query is about. */
export interface QueriedModel {
  readonly uri: string;
  readonly index: ModelIndex;
  /** The folder where queries about it belong, where it is known. */
  readonly queries: string | undefined;
  /** Whether the query lies in the folder of the model, so that the platform reads it with the model. */
  readonly isInside: boolean;
}

/** A query file with its URI, positions and model. */
export interface OpenedQuery {
  readonly uri: string;
  readonly file: QueryFile;
  readonly positions: Positions;
  readonly root: QueriedModel | undefined;
}

/** The query files of all models: those on disk, overlaid by open documents (docs/query-files.md). */
export class QueryFiles {
  readonly #host: LanguageHost;
  readonly #documents: OpenDocuments;
  readonly #rootOf: (uri: string) => QueriedModel | undefined;
  readonly #files = new Map<string, QueryFile>();
  readonly #changed = new Emitter<string>();
  readonly #removed = new Emitter<string>();
  readonly onDidChange: Event<string> = this.#changed.event;
  readonly onDidRemove: Event<string> = this.#removed.event;

  constructor(host: LanguageHost, documents: OpenDocuments, rootOf: (uri: string) => QueriedModel | undefined) {
    this.#host = host;
    this.#documents = documents;
    this.#rootOf = rootOf;
    const put = (document: EditedDocument): void => {
      if (isQueryPath(document.uri)) this.#put(document.uri, document.getText());
    };
    documents.onDidOpen(put);
    documents.onDidChange(({ document }) => put(document));
    documents.onDidClose((uri) => {
      if (isQueryPath(uri)) void this.read(uri);
    });
  }

  all(): Iterable<string> {
    return this.#files.keys();
  }

  get(uri: string): OpenedQuery | undefined {
    const file = this.#files.get(uri);
    if (!file) return undefined;
    return { uri, file, positions: this.#documents.get(uri) ?? new LineIndex(file.text), root: this.#rootOf(uri) };
  }

  /** Returns the queries about a model. */
  about(index: ModelIndex): readonly OpenedQuery[] {
    return [...this.#files.keys()].flatMap((uri) => {
      const opened = this.get(uri);
      return opened?.root?.index === index ? [opened] : [];
    });
  }

  /** Reads those of the files that are queries. */
  async readAll(uris: readonly string[]): Promise<void> {
    for (const uri of new Set(uris)) if (isQueryPath(uri)) await this.read(uri);
  }

  /**
   * Reads a file that was created, changed or deleted; the text of an open document takes precedence over the disk. A file that is
   * about no model is not kept.
   */
  async read(uri: string): Promise<void> {
    const text = await this.#host.readFile(uri);
    if (this.#documents.get(uri)) return;
    if (text !== undefined && this.#rootOf(uri)) this.#put(uri, text);
    else if (this.#files.delete(uri)) this.#removed.fire(uri);
  }

  /** Forgets the files on disk that are about no model any more. */
  retain(isWanted: (uri: string) => boolean): void {
    for (const uri of [...this.#files.keys()])
      if (!this.#documents.get(uri) && !isWanted(uri) && this.#files.delete(uri)) this.#removed.fire(uri);
  }

  #put(uri: string, text: string): void {
    if (this.#files.get(uri)?.text !== text) this.#files.set(uri, parseQueryFile(text));
    this.#changed.fire(uri);
  }
}
