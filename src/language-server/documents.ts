import { TextDocument } from 'vscode-languageserver-textdocument';
import type {
  Connection,
  DidChangeTextDocumentParams,
  TextDocumentContentChangeEvent,
  TextDocumentItem,
} from 'vscode-languageserver';
import { Emitter, type Event } from '#base/event.ts';
import type { TextChange } from '#model/text-change.ts';
import { normalizeUri } from './uris.ts';

export interface DocumentChange {
  readonly document: TextDocument;
  /** The replaced ranges in order; `undefined` if the whole text is new. */
  readonly changes: readonly TextChange[] | undefined;
}

/** The documents that are open in the editor. Unlike the library's own manager, it retains the ranges of each change. */
export class OpenDocuments {
  readonly #documents = new Map<string, TextDocument>();
  readonly #opened = new Emitter<TextDocument>();
  readonly #changed = new Emitter<DocumentChange>();
  readonly #closed = new Emitter<string>();
  readonly #saved = new Emitter<string>();

  readonly onDidOpen: Event<TextDocument> = this.#opened.event;
  readonly onDidChange: Event<DocumentChange> = this.#changed.event;
  readonly onDidClose: Event<string> = this.#closed.event;
  readonly onDidSave: Event<string> = this.#saved.event;

  get(uri: string): TextDocument | undefined {
    return this.#documents.get(uri);
  }

  all(): Iterable<TextDocument> {
    return this.#documents.values();
  }

  listen(connection: Connection): void {
    connection.onDidOpenTextDocument(({ textDocument }) => this.open(textDocument));
    connection.onDidChangeTextDocument((change) => this.change(change));
    connection.onDidSaveTextDocument(({ textDocument }) => this.#saved.fire(normalizeUri(textDocument.uri)));
    connection.onDidCloseTextDocument(({ textDocument }) => {
      const uri = normalizeUri(textDocument.uri);
      if (this.#documents.delete(uri)) this.#closed.fire(uri);
    });
  }

  open({ uri: sent, languageId, version, text }: TextDocumentItem): void {
    const uri = normalizeUri(sent);
    const document = TextDocument.create(uri, languageId, version, text);
    this.#documents.set(uri, document);
    this.#opened.fire(document);
  }

  change({ textDocument: { uri, version }, contentChanges }: DidChangeTextDocumentParams): void {
    const document = this.#documents.get(normalizeUri(uri));
    if (!document) return;
    const changes = offsetsOf(document, contentChanges);
    TextDocument.update(document, contentChanges, version ?? document.version + 1);
    this.#changed.fire({ document, changes });
  }
}

/**
 * Returns the one replaced range in offsets; `undefined` for several changes at once, which are rare: the text then counts as
 * new.
 */
function offsetsOf(
  document: TextDocument,
  changes: readonly TextDocumentContentChangeEvent[],
): TextChange[] | undefined {
  const [change] = changes;
  if (!change || changes.length > 1 || !('range' in change)) return undefined;
  return [
    { start: document.offsetAt(change.range.start), end: document.offsetAt(change.range.end), text: change.text },
  ];
}
