import type {
  Connection,
  DidChangeTextDocumentParams,
  TextDocumentContentChangeEvent,
  TextDocumentItem,
} from 'vscode-languageserver';
import { Emitter, type Event } from '#base/event.ts';
import type { TextChange } from '#base/text-change.ts';
import { EditedDocument } from './edited-document.ts';
import { FileAliases } from './file-aliases.ts';
import { normalizeUri } from './uris.ts';

export interface DocumentChange {
  readonly document: EditedDocument;
  /** The replaced ranges in order; `undefined` if the whole text is new. */
  readonly changes: readonly TextChange[] | undefined;
}

/** A file of which the client shows problems under another URI from now on. */
export interface ShownElsewhere {
  readonly uri: string;
  readonly from: string;
  readonly to: string;
}

/** The documents that are open in the editor. Unlike the library's own manager, it retains the ranges of each change. */
export class OpenDocuments {
  readonly #documents = new Map<string, EditedDocument>();
  readonly #aliases: FileAliases;
  /** The URIs as the client wrote them: some clients compare them as text. */
  readonly #written = new Map<string, string>();
  readonly #opened = new Emitter<EditedDocument>();
  readonly #changed = new Emitter<DocumentChange>();
  readonly #closed = new Emitter<string>();
  readonly #saved = new Emitter<string>();
  readonly #renamed = new Emitter<ShownElsewhere>();
  /** Returns the URI by which a model knows a file; set by what knows the models. */
  placed: (uri: string) => string = (uri) => uri;

  readonly onDidOpen: Event<EditedDocument> = this.#opened.event;
  readonly onDidChange: Event<DocumentChange> = this.#changed.event;
  readonly onDidClose: Event<string> = this.#closed.event;
  readonly onDidSave: Event<string> = this.#saved.event;
  /** Fires before a document is opened or closed that the client writes in another way than the server does, or than it did before. */
  readonly onDidRename: Event<ShownElsewhere> = this.#renamed.event;

  constructor(aliases = new FileAliases()) {
    this.#aliases = aliases;
  }

  get(uri: string): EditedDocument | undefined {
    return this.#documents.get(uri);
  }

  all(): Iterable<EditedDocument> {
    return this.#documents.values();
  }

  /** Returns the URI of a document as the client wrote it. */
  written(uri: string): string {
    return this.#written.get(uri) ?? uri;
  }

  listen(connection: Connection): void {
    connection.onDidOpenTextDocument(({ textDocument }) => this.open(textDocument));
    connection.onDidChangeTextDocument((change) => this.change(change));
    connection.onDidSaveTextDocument(({ textDocument }) => this.#saved.fire(normalizeUri(textDocument.uri)));
    connection.onDidCloseTextDocument(({ textDocument }) => this.close(textDocument.uri));
  }

  close(sent: string): void {
    this.#take(normalizeUri(sent));
  }

  open({ uri: sent, languageId, version, text }: TextDocumentItem): void {
    const uri = normalizeUri(sent);
    const other = this.#written.get(uri);
    // The client has the file open under two paths, each with a text of its own: only the usual path is that of the model.
    if (other !== undefined && normalizeUri(other) !== uri) this.#move(uri, normalizeUri(other));
    const known = this.placed(uri);
    const isTaken = this.#documents.has(known) && normalizeUri(this.written(known)) !== uri;
    this.#put(new EditedDocument(isTaken ? uri : known, languageId, version, text), sent);
  }

  /** Follows models that have appeared, moved or gone: each document is the file as which a model knows it. */
  realign(): void {
    for (const { uri } of [...this.#documents.values()]) {
      const known = this.placed(normalizeUri(this.written(uri)));
      if (known !== uri && !this.#documents.has(known)) this.#move(uri, known);
    }
  }

  #move(uri: string, known: string): void {
    const written = this.written(uri);
    const document = this.#take(uri);
    if (!document) return;
    const { languageId, version } = document;
    this.#put(new EditedDocument(known, languageId, version, document.getText()), written);
  }

  #put(document: EditedDocument, written: string): void {
    const { uri } = document;
    const before = this.written(uri);
    this.#documents.set(uri, document);
    this.#written.set(uri, written);
    const own = normalizeUri(written);
    if (own !== uri) this.#aliases.set(own, uri);
    if (written !== before) this.#renamed.fire({ uri, from: before, to: written });
    this.#opened.fire(document);
  }

  #take(uri: string): EditedDocument | undefined {
    const document = this.#documents.get(uri);
    if (!document) return undefined;
    const written = this.written(uri);
    this.#documents.delete(uri);
    this.#written.delete(uri);
    this.#aliases.delete(uri);
    if (written !== uri) this.#renamed.fire({ uri, from: written, to: uri });
    this.#closed.fire(uri);
    return document;
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
