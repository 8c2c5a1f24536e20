import type {
  Connection,
  DidChangeTextDocumentParams,
  TextDocumentContentChangeEvent,
  TextDocumentItem,
} from 'vscode-languageserver';
import { Emitter, type Event } from '#base/event.ts';
import type { TextChange } from '#base/text-change.ts';
import { EditedDocument } from './edited-document.ts';
import { normalizeUri } from './uris.ts';

export interface DocumentChange {
  readonly document: EditedDocument;
  /** The replaced ranges in order; `undefined` if the whole text is new. */
  readonly changes: readonly TextChange[] | undefined;
}

/** The documents that are open in the editor. Unlike the library's own manager, it retains the ranges of each change. */
export class OpenDocuments {
  readonly #documents = new Map<string, EditedDocument>();
  readonly #opened = new Emitter<EditedDocument>();
  readonly #changed = new Emitter<DocumentChange>();
  readonly #closed = new Emitter<string>();
  readonly #saved = new Emitter<string>();

  readonly onDidOpen: Event<EditedDocument> = this.#opened.event;
  readonly onDidChange: Event<DocumentChange> = this.#changed.event;
  readonly onDidClose: Event<string> = this.#closed.event;
  readonly onDidSave: Event<string> = this.#saved.event;

  get(uri: string): EditedDocument | undefined {
    return this.#documents.get(uri);
  }

  all(): Iterable<EditedDocument> {
    return this.#documents.values();
  }

  listen(connection: Connection): void {
    connection.onDidOpenTextDocument(({ textDocument }) => this.open(textDocument));
    connection.onDidChangeTextDocument((change) => this.change(change));
    connection.onDidSaveTextDocument(({ textDocument }) => this.#saved.fire(normalizeUri(textDocument.uri)));
    connection.onDidCloseTextDocument(({ textDocument }) => this.close(textDocument.uri));
  }

  close(sent: string): void {
    const uri = normalizeUri(sent);
    if (this.#documents.delete(uri)) this.#closed.fire(uri);
  }

  open({ uri: sent, languageId, version, text }: TextDocumentItem): void {
    const uri = normalizeUri(sent);
    const document = new EditedDocument(uri, languageId, version, text);
    this.#documents.set(uri, document);
    this.#opened.fire(document);
  }

  change({ textDocument: { uri, version }, contentChanges }: DidChangeTextDocumentParams): void {
    const document = this.#documents.get(normalizeUri(uri));
    if (!document) return;
    const changes = applied(document, contentChanges, version ?? document.version + 1);
    this.#changed.fire({ document, changes });
  }
}

/**
 * Applies changes to a document; returns the replaced ranges in offsets, each in the text after those before it, or `undefined` if the
 * whole text is new.
 */
function applied(
  document: EditedDocument,
  changes: readonly TextDocumentContentChangeEvent[],
  version: number,
): TextChange[] | undefined {
  const ranges: TextChange[] = [];
  let isWhole = changes.length > MOST_CHANGES;
  for (const change of changes) {
    if ('range' in change) {
      const [start, end] = [document.offsetAt(change.range.start), document.offsetAt(change.range.end)];
      ranges.push({ start: Math.min(start, end), end: Math.max(start, end), text: change.text });
    } else isWhole = true;
    document.update([change], version);
  }
  return isWhole ? undefined : ranges;
}

/** Above as many changes at once, reading the whole text is faster than reading each changed item. */
const MOST_CHANGES = 50;
