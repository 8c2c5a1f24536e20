import type { EditedDocument } from './edited-document.ts';
import { asError } from '#base/async.ts';
import { Emitter, type Event } from '#base/event.ts';
import { editFile } from '#model/edit.ts';
import { type ModelFile, parseFile, unreadFile } from '#model/file.ts';
import { isModelPath } from '#model/model-path.ts';
import { templateGlobals } from '#model/globals.ts';
import { ModelIndex } from '#model/index.ts';
import { looksLikeModel } from '#model/looks-like-model.ts';
import { type ModelPlace, queryFolder } from '#model/query-files/query-folder.ts';
import { isQueryPath } from '#model/query-files/query-path.ts';
import { symbolsOf } from '#model/symbols.ts';
import type { DocumentChange, OpenDocuments } from './documents.ts';
import type { LanguageHost, NotedText } from './host.ts';
import { isLarge } from './large-files.ts';
import { type QueriedModel, QueryFiles } from './query-files.ts';
import { LineIndex } from '#base/line-index.ts';
import type { Positions } from './lines.ts';
import type { FileEvent, ModelRoot, Opened } from './model-root.ts';
import { NamedFiles } from './named-files.ts';
import { normalizeUri } from './uris.ts';

export type { DeployedModel, FileEvent, ModelRoot, Opened } from './model-root.ts';

/** How the server knows its roots, unless all of them are linked. */
export interface RootOrigin {
  /** The roots that were found in the folders of the client and are not linked. */
  readonly found?: readonly string[] | undefined;
  /** The roots that lie below their linked folder. */
  readonly nested?: readonly string[] | undefined;
  /** Whether the roots are the folders of the client, which may contain anything. */
  readonly guessed?: boolean | undefined;
}

/** How long one slice of reading may block incoming messages, in milliseconds. */
const SLICE_MS = 8;

/** All models that the server knows: files on disk overlaid by open documents. */
export class Workspace {
  readonly #host: LanguageHost;
  readonly #documents: OpenDocuments;
  readonly #changed = new Emitter<FileEvent>();
  readonly #removed = new Emitter<FileEvent>();
  readonly #positions = new WeakMap<ModelFile, LineIndex>();
  readonly #standalone = new Map<string, ModelRoot>();
  /** Identifies the last reading of each file that is being read. */
  readonly #readings = new Map<string, object>();
  /** Roots whose files have all been read: a root whose reading was interrupted is read again. */
  readonly #complete = new WeakSet<ModelRoot>();
  readonly #firstRead = Promise.withResolvers<void>();
  readonly #named = new NamedFiles();
  #roots: readonly ModelRoot[] = [];
  /** The queries of the models. */
  readonly queries: QueryFiles;

  constructor(host: LanguageHost, documents: OpenDocuments) {
    this.#host = host;
    this.#documents = documents;
    this.queries = new QueryFiles(host, documents, (uri) => this.#rootOfQuery(uri));
    documents.onDidOpen((document) => this.#open(document));
    documents.onDidChange((change) => this.#change(change));
    documents.onDidClose((uri) => void this.#close(uri));
  }

  /** Fires when a file was added or its text changed. */
  readonly onDidChangeFile: Event<FileEvent> = this.#changed.event;
  /** Fires when a file was removed. */
  readonly onDidRemoveFile: Event<FileEvent> = this.#removed.event;

  /** Resolves once every file of the first roots has been read. */
  get firstRead(): Promise<void> {
    return this.#firstRead.promise;
  }

  get roots(): readonly ModelRoot[] {
    return this.#roots;
  }

  allRoots(): readonly ModelRoot[] {
    return [...this.#roots, ...this.#standalone.values()];
  }

  /** Returns the model of a document or folder; also of a linked project whose model lies in a folder below. */
  modelOf(uri: string): ModelRoot | undefined {
    const wanted = uri.replace(/\/$/, '');
    return (
      this.#roots.find((root) => root.uri === wanted) ??
      this.rootOf(wanted) ??
      this.#roots.find((root) => root.uri.startsWith(`${wanted}/`))
    );
  }

  get(uri: string): Opened | undefined {
    const root = this.rootOf(uri);
    const file = root?.index.file(uri);
    return root && file ? { uri, root, file, positions: this.positionsOf(file) } : undefined;
  }

  /** Returns the innermost root that contains a URI, or the standalone document itself. */
  rootOf(uri: string): ModelRoot | undefined {
    let best: ModelRoot | undefined;
    for (const root of this.#roots) {
      if (uri.startsWith(`${root.uri}/`) && root.uri.length > (best?.uri.length ?? -1)) best = root;
    }
    return best ?? this.#standalone.get(uri);
  }

  positionsOf(file: ModelFile): Positions {
    const document = this.#documents.get(file.path);
    if (document && document.getText() === file.text) return document;
    let lines = this.#positions.get(file);
    if (!lines) {
      lines = new LineIndex(file.text);
      this.#positions.set(file, lines);
    }
    return lines;
  }

  /** Replaces the roots and indexes the new ones; resolves when every file has been read once, or after the signal aborts. */
  async setRoots(uris: readonly string[], signal: AbortSignal, origin: RootOrigin = {}): Promise<void> {
    const known = new Map(this.#roots.map((root) => [root.uri, root]));
    const found = new Set(origin.found?.map(rootUri));
    const nested = new Set(origin.nested?.map(rootUri));
    const guessed = origin.guessed ?? false;
    this.#roots = [...new Set(uris.map(rootUri))].map((uri) => {
      const mixed = guessed || found.has(uri);
      const before = known.get(uri);
      known.delete(uri);
      const queries = queryFolder(uri, nested.has(uri) ? 'inside' : placeOf(uri, mixed));
      if (!before) return { uri, index: new ModelIndex(`${uri}/`), isStandalone: false, mixed, queries, guessed };
      if (before.mixed !== mixed) this.#setMixed(before, mixed);
      if (before.queries !== queries) this.#complete.delete(before);
      before.queries = queries;
      return before;
    });
    for (const root of known.values())
      for (const file of root.index.files()) this.#removed.fire({ root, uri: file.path });
    this.#standalone.clear();
    for (const document of this.#documents.all()) this.#open(document);
    for (const root of this.#roots) {
      if (this.#complete.has(root)) continue;
      await this.#indexRoot(root, signal);
      if (signal.aborted) return;
      this.#complete.add(root);
    }
    this.#firstRead.resolve();
  }

  /** Notes that a model was linked or unlinked. Its index stays, so that no request finds it empty meanwhile. */
  #setMixed(root: ModelRoot, mixed: boolean): void {
    root.mixed = mixed;
    // In a linked folder, every file belongs to the model: `setRoots` reads them next.
    this.#complete.delete(root);
    if (!mixed) return;
    for (const { path, text } of [...root.index.files()]) if (!isModelText(path, text)) this.#remove(root, path);
  }

  /** Reads a file again after it changed on disk; the text of an open document takes precedence. */
  async refresh(given: string): Promise<void> {
    const uri = normalizeUri(given);
    if (isQueryPath(uri)) {
      await this.queries.read(uri);
      return;
    }
    const root = this.rootOf(uri);
    if (root && uri === globalsUri(root)) {
      await this.#readGlobals(root);
      for (const { jinja, path } of [...root.index.files()])
        if (jinja.length > 0) this.#changed.fire({ root, uri: path });
    }
    if (!root || root.isStandalone || !isModelPath(uri) || this.#documents.get(uri)) return;
    const read = await this.#read(uri);
    // It may have been opened, or its root unlinked, in the meantime.
    if (!read || this.#documents.get(uri) || this.rootOf(uri) !== root) return;
    if (read.text === undefined) this.#remove(root, uri);
    else this.#put(root, uri, read.text);
  }

  /**
   * Reads the text of a file; resolves to `undefined` if a later reading of the same file has begun meanwhile, because that one
   * is newer.
   */
  async #read(uri: string): Promise<{ readonly text: string | undefined } | undefined> {
    const turn = {};
    this.#readings.set(uri, turn);
    const text = await this.#host.readFile(uri);
    if (this.#readings.get(uri) !== turn) return undefined;
    this.#readings.delete(uri);
    return { text };
  }

  /** Reads a whole folder again after a folder was created, deleted or renamed. */
  async rescan(root: ModelRoot, signal: AbortSignal): Promise<void> {
    const listed = await this.#indexRoot(root, signal);
    await this.queries.readAll([...this.queries.all()]);
    for (const file of [...root.index.files()]) {
      // The file is gone, or was created while the folder was listed.
      if (!listed.has(file.path)) await this.refresh(file.path);
    }
  }

  async #indexRoot(root: ModelRoot, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const uris = (await this.#host.listFiles(root.uri)).map(normalizeUri);
    await this.#readGlobals(root);
    let since = this.#host.now();
    for (const uri of uris) {
      if (isQueryPath(uri) || uri === globalsUri(root)) continue;
      if (signal.aborted) break;
      if (this.rootOf(uri) !== root || this.#documents.get(uri)) continue;
      const { text } = (await this.#read(uri)) ?? {};
      if (text !== undefined && !this.#documents.get(uri)) this.#put(root, uri, text);
      if (this.#host.now() - since > SLICE_MS) {
        await this.#host.yield();
        since = this.#host.now();
      }
    }
    this.#named.forget(root);
    if (!signal.aborted) await this.#readNamed(root, root.index.files(), uris);
    if (!signal.aborted) await this.queries.readAll([...uris, ...(await this.#queriesBeside(root))]);
    return new Set(uris);
  }

  /**
   * Reads the files that templates of a mixed root name: macros and lines to include belong to the model, although they do not look
   * like one. `listed`: the files of the root, if they are known.
   */
  async #readNamed(root: ModelRoot, templates: Iterable<ModelFile>, listed?: readonly string[]): Promise<void> {
    const names = root.mixed && !root.isStandalone ? this.#named.unsought(root, templates) : [];
    if (names.length === 0) return;
    const uris = listed ?? (await this.#host.listFiles(root.uri)).map(normalizeUri);
    const added: ModelFile[] = [];
    for (const uri of uris.filter((each) => isModelPath(each) && names.some((name) => each.endsWith(`/${name}`)))) {
      if (root.index.file(uri) || this.rootOf(uri) !== root) continue;
      const text = this.#documents.get(uri)?.getText() ?? (await this.#read(uri))?.text;
      if (text !== undefined && this.#roots.includes(root)) this.#put(root, uri, text, true);
      added.push(...[root.index.file(uri) ?? []].flat());
    }
    // They may name further ones.
    await this.#readNamed(root, added, uris);
  }

  /** Resolves to the files beside a model, in the folder where queries about it may lie. */
  async #queriesBeside({ queries }: ModelRoot): Promise<readonly string[]> {
    return queries === undefined ? [] : (await this.#host.listFiles(queries)).map(normalizeUri);
  }

  /**
   * Returns the model of a query. The platform reads what lies in a linked model or in a folder with the usual name; elsewhere it
   * is unknown whether it does.
   */
  #rootOfQuery(uri: string): QueriedModel | undefined {
    const around = this.rootOf(uri);
    const isInside = around !== undefined && !around.isStandalone && (!around.mixed || around.queries !== undefined);
    const root = around ?? this.#besideQuery(uri);
    return root && { uri: root.uri, index: root.index, queries: root.queries, isInside };
  }

  /** Returns the root whose folder for queries contains a query; the innermost of several. */
  #besideQuery(uri: string): ModelRoot | undefined {
    const all = this.#roots.filter(({ queries }) => queries !== undefined && uri.startsWith(`${queries}/`));
    return all.sort((a, b) => (b.queries?.length ?? 0) - (a.queries?.length ?? 0))[0];
  }

  async #readGlobals(root: ModelRoot): Promise<void> {
    const uri = globalsUri(root);
    const text = await this.#host.readFile(uri);
    root.globals = text === undefined ? undefined : { uri, text, names: templateGlobals(text) };
    root.index.templateGlobals = {
      names: root.globals?.names.map(({ name }) => name) ?? [],
      // Where the file may be unreachable, it may exist.
      isPython: root.globals !== undefined || root.guessed === true || !root.uri.startsWith('file:'),
    };
  }

  #open(document: EditedDocument): void {
    const root = this.rootOf(document.uri) ?? {
      uri: document.uri,
      index: new ModelIndex(),
      isStandalone: true,
      mixed: true,
    };
    if (isQueryPath(document.uri)) return;
    // Other files in the folder of a model (modules, notes) do not concern the server.
    const isKnown = root.index.file(document.uri) !== undefined;
    const isModel = root.mixed ? isKnown || isModelText(document.uri, document.getText()) : isModelPath(document.uri);
    if (!isModel) return;
    if (root.isStandalone) this.#standalone.set(document.uri, root);
    if (root.index.file(document.uri)?.text === document.getText()) this.#changed.fire({ root, uri: document.uri });
    else this.#put(root, document.uri, document.getText());
  }

  #change({ document, changes }: DocumentChange): void {
    const root = this.rootOf(document.uri);
    const before = root?.index.file(document.uri);
    if (!root || !before) {
      this.#open(document);
      return;
    }
    const text = document.getText();
    const { uri } = document;
    root.index.set(this.#parsed(uri, text, () => (changes ? editFile(before, text, changes) : parseFile(uri, text))));
    this.#changed.fire({ root, uri: document.uri });
    void this.#readNamed(root, [root.index.file(uri) ?? before]);
  }

  async #close(uri: string): Promise<void> {
    const root = this.rootOf(uri);
    if (root?.isStandalone) {
      this.#standalone.delete(uri);
      this.#removed.fire({ root, uri });
    } else if (root) await this.refresh(uri);
  }

  #put(root: ModelRoot, uri: string, text: string, isNamed = false): void {
    const before = root.index.file(uri);
    if (before?.text === text) return;
    if (!before && !isNamed && root.mixed && !isModelText(uri, text)) return;
    const file = this.#parsed(uri, text, () => {
      const parsed = parseFile(uri, text);
      // Computes the symbols file by file here, rather than for all files at once at the first request.
      for (const { chunk } of parsed.chunks) symbolsOf(chunk);
      return parsed;
    });
    root.index.set(file);
    this.#changed.fire({ root, uri });
  }

  /** Runs work on a file; if the work ends the process, the next process skips the file. */
  during<T>({ uri, file }: Pick<Opened, 'uri' | 'file'>, work: () => T): T {
    const { notes } = this.#host;
    return notes ? notes.during(uri, this.#noted(uri, file.text), work) : work();
  }

  #noted(uri: string, text: string): NotedText {
    const document = isLarge(text.length) ? this.#documents.get(uri) : undefined;
    return document?.getText() === text ? { text, excerpt: document.excerpt } : { text };
  }

  /** Parses a text. If the parser fails, only this file is affected. */
  #parsed(uri: string, text: string, read: () => ModelFile): ModelFile {
    const { notes } = this.#host;
    if (notes?.isSkipped(uri, text)) return unreadFile(uri, text, STOPPED);
    try {
      return notes ? notes.during(uri, this.#noted(uri, text), read) : read();
    } catch (error) {
      return unreadFile(uri, text, `reading it failed (${asError(error).message})`);
    }
  }

  #remove(root: ModelRoot, uri: string): void {
    if (root.index.delete(uri)) this.#removed.fire({ root, uri });
  }
}

const STOPPED = 'the language server stopped while it worked on this text. It is read again once it changes';

/** Returns what is known of a model that does not lie in a folder of its project; nothing of one on a branch or one that was found. */
function placeOf(uri: string, mixed: boolean): ModelPlace | undefined {
  return mixed || uri.startsWith('modelbench') ? undefined : 'whole';
}

function globalsUri({ uri }: ModelRoot): string {
  return `${uri}/globals.py`;
}

/** Whether a file outside of every linked folder is nevertheless a model. */
function isModelText(uri: string, text: string): boolean {
  return uri.startsWith('modelbench:') ? isModelPath(uri) : looksLikeModel(uri, text);
}

function rootUri(uri: string): string {
  return normalizeUri(uri).replace(/\/$/, '');
}
