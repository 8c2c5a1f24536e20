import type { EditedDocument } from '#language-server/documents/edited-document.ts';
import { Emitter, type Event } from '#base/event.ts';
import { editFile } from '#model/edit.ts';
import { type ModelFile, parseFile } from '#model/file.ts';
import { isModelPath, languageOf } from '#model/project/model-path.ts';
import { ModelIndex } from '#model/index.ts';
import { isQueryPath } from '#model/query-files/query-path.ts';
import { symbolsOf } from '#model/symbols.ts';
import type { DocumentChange, OpenDocuments } from '#language-server/documents/documents.ts';
import type { LanguageHost } from '#language-server/host.ts';
import { type QueriedModel, QueryFiles } from './query-files.ts';
import { FilePositions } from '#language-server/documents/file-positions.ts';
import type { Positions } from '#language-server/documents/lines.ts';
import type { FileEvent, ModelRoot, Opened } from './model-root.ts';
import { Membership } from './membership.ts';
import { NotedWork } from './noted-work.ts';
import { RealPaths } from './real-paths.ts';
import { globalsUri, readGlobals } from './read-globals.ts';
import { canBeCorrected, isModelText, languageOfDocument, RecognisedDocuments } from './recognised-documents.ts';
import { originOf, rootBesideQuery, type RootOrigin, rootUri } from './root-origin.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';

export type { DeployedModel, FileEvent, ModelRoot, Opened } from './model-root.ts';
export type { RootOrigin } from './root-origin.ts';

/** How long one slice of reading may block incoming messages, in milliseconds. */
const SLICE_MS = 8;

/** All models that the server knows: files on disk overlaid by open documents. */
export class Workspace {
  readonly #host: LanguageHost;
  readonly #documents: OpenDocuments;
  readonly #changed = new Emitter<FileEvent>();
  readonly #removed = new Emitter<FileEvent>();
  readonly #positions: FilePositions;
  readonly #standalone = new Map<string, ModelRoot>();
  /** Identifies the last reading of each file that is being read. */
  readonly #readings = new Map<string, object>();
  /** Roots whose files have all been read: a root whose reading was interrupted is read again. */
  readonly #complete = new WeakSet<ModelRoot>();
  readonly #firstRead = Promise.withResolvers<void>();
  readonly #members: Membership;
  readonly #work: NotedWork;
  readonly #recognised = new RecognisedDocuments();
  readonly #paths: RealPaths;
  #roots: readonly ModelRoot[] = [];
  /** The queries of the models. */
  readonly queries: QueryFiles;

  constructor(host: LanguageHost, documents: OpenDocuments) {
    this.#host = host;
    this.#documents = documents;
    this.#work = new NotedWork(host, documents);
    this.#positions = new FilePositions(documents);
    this.#paths = new RealPaths(host, () => this.#roots);
    documents.placed = (uri) => this.#paths.placed(uri);
    this.#members = new Membership({
      ...{ host, documents, recognised: this.#recognised },
      rootOf: (uri) => this.rootOf(uri),
      put: (root, uri, text) => this.#put(root, uri, text),
      readInto: async (root, uri) => this.#readInto(root, uri),
      remove: (root, uri) => this.#remove(root, uri),
    });
    this.queries = new QueryFiles(host, documents, (uri) => this.#rootOfQuery(uri));
    documents.onDidOpen((document) => {
      this.#recognised.note(document);
      this.#open(document);
    });
    documents.onDidChange((change) => {
      this.#recognised.note(change.document);
      this.#change(change);
    });
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
    return this.#modelOf(wanted) ?? this.#modelOf(this.#paths.placed(wanted));
  }

  #modelOf(wanted: string): ModelRoot | undefined {
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

  /** Whether problems are shown in a document. */
  showsProblems(uri: string): boolean {
    return canBeCorrected(uri, this.rootOf(uri), this.#roots);
  }

  positionsOf(file: ModelFile): Positions {
    return this.#positions.of(file);
  }

  /** Replaces the roots and indexes the new ones; resolves when every file has been read once, or after the signal aborts. */
  async setRoots(uris: readonly string[], signal: AbortSignal, origin: RootOrigin = {}): Promise<void> {
    this.#replaceRoots(uris, origin);
    this.#documents.realign();
    for (const root of this.#roots) this.#removeForeign(root);
    this.queries.retain((uri) => this.#rootOfQuery(uri) !== undefined);
    this.#reopen();
    for (const root of this.#roots) {
      if (!this.#complete.has(root)) await this.#readRoot(root, signal);
      if (signal.aborted) return;
    }
    this.#firstRead.resolve();
  }

  #replaceRoots(uris: readonly string[], origin: RootOrigin): void {
    const known = new Map(this.#roots.map((root) => [root.uri, root]));
    const describe = originOf(origin);
    this.#roots = this.#paths
      .distinct(uris.map(rootUri), (uri) => describe(uri).mixed)
      .map((uri) => {
        const now = describe(uri);
        const before = known.get(uri);
        known.delete(uri);
        if (!before) return { uri, index: new ModelIndex(`${uri}/`), isStandalone: false, ...now };
        if (before.mixed !== now.mixed) this.#setMixed(before, now.mixed);
        if (before.queries !== now.queries) this.#complete.delete(before);
        before.queries = now.queries;
        return before;
      });
    for (const root of known.values()) {
      for (const file of root.index.files()) this.#removed.fire({ root, uri: file.path });
      // Its files belong to the root around it now.
      const around = this.rootOf(`${root.uri}/`);
      if (around) this.#complete.delete(around);
    }
  }

  /** Gives each open document to the root around it; without one, a document is a model of its own. */
  #reopen(): void {
    const alone = [...this.#standalone.values()];
    this.#standalone.clear();
    for (const document of this.#documents.all()) this.#open(document);
    for (const root of alone) if (!this.get(root.uri)) this.#removed.fire({ root, uri: root.uri });
  }

  /** Removes the files that belong to a root inside of this one, which may be new. */
  #removeForeign(root: ModelRoot): void {
    for (const { path } of [...root.index.files()]) if (this.rootOf(path) !== root) this.#remove(root, path);
  }

  /** Notes that a model was linked or unlinked. Its index stays, so that no request finds it empty meanwhile. */
  #setMixed(root: ModelRoot, mixed: boolean): void {
    root.mixed = mixed;
    // In a linked folder, every file belongs to the model: `setRoots` reads them next.
    this.#complete.delete(root);
    if (!mixed) return;
    this.#members.removeUnnamed(root);
  }

  /** Reads a file again after it changed on disk; the text of an open document takes precedence. */
  async refresh(given: string): Promise<void> {
    const uri = this.#placed(normalizeUri(given));
    if (isQueryPath(uri)) {
      await this.queries.read(uri);
      return;
    }
    const root = this.rootOf(uri);
    if (root && uri === globalsUri(root)) {
      await readGlobals(root, this.#host);
      for (const { jinja, path } of [...root.index.files()])
        if (jinja.length > 0) this.#changed.fire({ root, uri: path });
    }
    if (!root || root.isStandalone || !isModelPath(uri) || this.#documents.get(uri)) return;
    await this.#readInto(root, uri);
    await this.#members.follow(root, uri);
  }

  /** Returns the URI of a file as its model knows it, and forgets a former spelling of its name. */
  #placed(given: string): string {
    const uri = this.#paths.placed(given);
    for (const name of this.#paths.formerNames(given, uri, this.rootOf(uri))) {
      if (this.#documents.get(name)) this.#documents.realign();
      const root = this.rootOf(name);
      if (root && !root.isStandalone) this.#remove(root, name);
    }
    return uri;
  }

  /** Reads a file that is not open into its root, or takes it out if it is gone. */
  async #readInto(root: ModelRoot, uri: string): Promise<void> {
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

  /** Reads all folders again after one was created, deleted or renamed. A root whose reading is interrupted is read by `setRoots`. */
  async rescan(signal: AbortSignal): Promise<void> {
    const roots = this.#roots;
    for (const root of roots) this.#complete.delete(root);
    for (const root of roots) await this.#readRoot(root, signal);
    await this.queries.readAll([...this.queries.all()]);
  }

  /** Reads a whole root, and forgets those of its files that are gone. */
  async #readRoot(root: ModelRoot, signal: AbortSignal): Promise<void> {
    const listed = await this.#indexRoot(root, signal);
    for (const file of [...root.index.files()]) {
      // The file is gone, or was created while the folder was listed.
      if (!signal.aborted && !listed.has(file.path)) await this.refresh(file.path);
    }
    this.#paths.forget();
    this.#documents.realign();
    if (!signal.aborted) this.#complete.add(root);
  }

  async #indexRoot(root: ModelRoot, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const uris = (await this.#host.listFiles(root.uri)).map(normalizeUri);
    await readGlobals(root, this.#host);
    let since = this.#host.now();
    for (const uri of uris) {
      if (isQueryPath(uri) || uri === globalsUri(root)) continue;
      if (signal.aborted) break;
      if (this.rootOf(uri) !== root || this.#documents.get(uri)) continue;
      // The folders of an editor may contain links to a model; those inside of a model are followed by the engine.
      if (root.guessed === true && this.#paths.isReadElsewhere(uri, root)) continue;
      await this.#readInto(root, uri);
      if (this.#host.now() - since > SLICE_MS) {
        await this.#host.yield();
        since = this.#host.now();
      }
    }
    this.#members.forget(root);
    if (signal.aborted) return new Set(uris);
    await this.#members.readNamed(root, root.index.files(), uris);
    this.#members.removeUnnamed(root);
    await this.queries.readAll([...uris, ...(await this.#queriesBeside(root))]);
    return new Set(uris);
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
    const root = around ?? rootBesideQuery(uri, this.#roots);
    return root && { uri: root.uri, index: root.index, queries: root.queries, isInside };
  }

  #open(document: EditedDocument): void {
    const { uri } = document;
    if (isQueryPath(uri)) return;
    const root = this.rootOf(uri) ?? { uri, index: new ModelIndex(), isStandalone: true, mixed: true };
    const text = document.getText();
    const language = languageOfDocument(document);
    // Other files in the folder of a model (modules, notes) do not concern the server.
    if (!this.#members.belongs(root, uri, () => isModelText(uri, text, language))) {
      this.#standalone.delete(uri);
      this.#remove(root, uri);
      return;
    }
    if (root.isStandalone) this.#standalone.set(uri, root);
    if (root.index.file(uri)?.text === text) this.#changed.fire({ root, uri });
    else this.#put(root, uri, text, language);
    void this.#members.follow(root, uri);
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
    root.index.set(
      this.#work.parsed(uri, text, before.language, () =>
        changes ? editFile(before, text, changes) : parseFile(uri, text, before.language),
      ),
    );
    this.#changed.fire({ root, uri });
    if (before.jinja.length > 0 || root.index.file(uri)?.jinja.length !== 0) void this.#members.follow(root, uri);
  }

  async #close(uri: string): Promise<void> {
    const root = this.rootOf(uri);
    if (root?.isStandalone) {
      this.#standalone.delete(uri);
      this.#removed.fire({ root, uri });
    } else if (root) await this.refresh(uri);
  }

  /** Puts the text of a file into its model, or takes the file out of a model to which it does not belong any more. */
  #put(root: ModelRoot, uri: string, text: string, language = languageOf(uri)): void {
    if (root.index.file(uri)?.text === text) return;
    if (!this.#members.belongs(root, uri, () => isModelText(uri, text, language))) {
      this.#remove(root, uri);
      return;
    }
    const file = this.#work.parsed(uri, text, language, () => {
      const parsed = parseFile(uri, text, language);
      // Computes the symbols file by file here, rather than for all files at once at the first request.
      for (const { chunk } of parsed.chunks) symbolsOf(chunk);
      return parsed;
    });
    root.index.set(file);
    this.#changed.fire({ root, uri });
  }

  /** Runs work on a file; if the work ends the process, the next process skips the file. */
  during<T>({ uri, file }: Pick<Opened, 'uri' | 'file'>, work: () => T): T {
    return this.#work.during(uri, file.text, work);
  }

  #remove(root: ModelRoot, uri: string): void {
    if (root.index.delete(uri)) this.#removed.fire({ root, uri });
  }
}
