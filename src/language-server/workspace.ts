import type { TextDocument } from 'vscode-languageserver-textdocument';
import { asError } from '#base/async.ts';
import { Emitter, type Event } from '#base/event.ts';
import { editFile } from '#model/edit.ts';
import { isModelPath, type ModelFile, parseFile, unreadFile } from '#model/file.ts';
import { type TemplateGlobal, templateGlobals } from '#model/globals.ts';
import { ModelIndex } from '#model/index.ts';
import type { DeployedVerdict, Verdict } from '#model/judges.ts';
import { looksLikeModel } from '#model/looks-like-model.ts';
import { queryFolder } from '#model/query-files/query-folder.ts';
import { isQueryPath } from '#model/query-files/query-path.ts';
import { symbolsOf } from '#model/symbols.ts';
import type { KnownTables } from '#model/tables/read-tables.ts';
import type { Vocabulary } from '#model/vocabulary.ts';
import type { PlatformModel, WorkspaceUse } from '#features/language/messages.ts';
import type { DocumentChange, OpenDocuments } from './documents.ts';
import type { LanguageHost } from './host.ts';
import { type QueriedModel, QueryFiles } from './query-files.ts';
import { LineIndex } from '#base/line-index.ts';
import type { Positions } from './lines.ts';
import { normalizeUri } from './uris.ts';

/** One namespace: a linked model folder, or a document that belongs to none. */
export interface ModelRoot {
  /** The folder's URI; the document's own for a loose one. */
  readonly uri: string;
  readonly index: ModelIndex;
  /** Its other files are unknown: nothing may be called missing. */
  readonly loose: boolean;
  /** A folder that is not linked: other YAML and scripts may lie in it and are left alone. */
  mixed: boolean;
  /** A folder of which not even that is known whether it is the model’s own. */
  readonly guessed?: boolean | undefined;
  /** What the root's environment runs, once the client has said so. */
  platform?: PlatformModel | undefined;
  /** The deploy branch's vocabulary, when members are to be compared with it. */
  deployBranch?: DeployBranch | undefined;
  /** What of the workspace names members that are gone. */
  workspaceUses?: readonly WorkspaceUse[] | undefined;
  /** What `globals.py` gives to templates. */
  globals?: Globals | undefined;
  /** What files of its project say of the database; undefined where there are none. */
  tables?: KnownTables | undefined;
  /** Of the last check by the engine on this machine. */
  compiled?: Verdict | undefined;
  /** Of the last check of its branch by the platform. */
  deployed?: DeployedVerdict | undefined;
}

/** The `globals.py` of a model. */
export interface Globals {
  readonly uri: string;
  readonly text: string;
  readonly names: readonly TemplateGlobal[];
}

/** The deploy branch as it was read last. */
export interface DeployBranch {
  readonly branch: string;
  readonly cubes: ReadonlyMap<string, Vocabulary>;
}

/** A file together with its model and a way to talk about positions. */
export interface Opened {
  readonly uri: string;
  readonly root: ModelRoot;
  readonly file: ModelFile;
  readonly positions: Positions;
}

export interface FileEvent {
  readonly root: ModelRoot;
  readonly uri: string;
}

/** Where the server knows its roots from, unless all of them are linked. */
export interface RootOrigin {
  /** Those of them that were found in the folders of the client, and that are not linked. */
  readonly found?: readonly string[] | undefined;
  /** They are the folders of the client, which may hold anything. */
  readonly guessed?: boolean | undefined;
}

/** How long one turn of background work may be before messages are let in. */
const SLICE_MS = 8;

/** All models the server knows: files on disk overlaid by open documents. */
export class Workspace {
  readonly #host: LanguageHost;
  readonly #documents: OpenDocuments;
  readonly #changed = new Emitter<FileEvent>();
  readonly #removed = new Emitter<FileEvent>();
  readonly #positions = new WeakMap<ModelFile, LineIndex>();
  readonly #loose = new Map<string, ModelRoot>();
  /** The last reading of each file that is being read. */
  readonly #readings = new Map<string, object>();
  /** Roots whose every file was read: one whose reading was cut off is read again. */
  readonly #complete = new WeakSet<ModelRoot>();
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

  /** A file was added or its text changed. */
  readonly onDidChangeFile: Event<FileEvent> = this.#changed.event;
  /** A file is gone. */
  readonly onDidRemoveFile: Event<FileEvent> = this.#removed.event;

  get roots(): readonly ModelRoot[] {
    return this.#roots;
  }

  allRoots(): readonly ModelRoot[] {
    return [...this.#roots, ...this.#loose.values()];
  }

  /** The model of a document or a folder, also of a project that is linked whole with its model in a folder. */
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

  /** The innermost root that holds a URI, or the loose document itself. */
  rootOf(uri: string): ModelRoot | undefined {
    let best: ModelRoot | undefined;
    for (const root of this.#roots) {
      if (uri.startsWith(`${root.uri}/`) && root.uri.length > (best?.uri.length ?? -1)) best = root;
    }
    return best ?? this.#loose.get(uri);
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

  /** Replaces the roots and indexes the new ones; resolves when every file was read once, or at the signal. */
  async setRoots(uris: readonly string[], signal: AbortSignal, origin: RootOrigin = {}): Promise<void> {
    const known = new Map(this.#roots.map((root) => [root.uri, root]));
    const found = new Set(origin.found?.map(rootUri));
    const guessed = origin.guessed ?? false;
    this.#roots = [...new Set(uris.map(rootUri))].map((uri) => {
      const mixed = guessed || found.has(uri);
      const before = known.get(uri);
      known.delete(uri);
      if (before && before.mixed !== mixed) this.#setMixed(before, mixed);
      return before ?? { uri, index: new ModelIndex(`${uri}/`), loose: false, mixed, guessed };
    });
    for (const root of known.values())
      for (const file of root.index.files()) this.#removed.fire({ root, uri: file.path });
    this.#loose.clear();
    for (const document of this.#documents.all()) this.#open(document);
    for (const root of this.#roots) {
      if (this.#complete.has(root)) continue;
      await this.#indexRoot(root, signal);
      if (signal.aborted) return;
      this.#complete.add(root);
    }
  }

  /** A model that was linked, or is no longer. What is known of it stays, so that no request finds it empty meanwhile. */
  #setMixed(root: ModelRoot, mixed: boolean): void {
    root.mixed = mixed;
    // Every file of a linked folder is a model: they are read next.
    this.#complete.delete(root);
    if (!mixed) return;
    for (const { path, text } of [...root.index.files()]) if (!isModelText(path, text)) this.#remove(root, path);
  }

  /** Reads a file again after it changed on disk; an open document wins over the disk. */
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
    if (!root || root.loose || !isModelPath(uri) || this.#documents.get(uri)) return;
    const read = await this.#read(uri);
    // It may have been opened, or its root unlinked, in the meantime.
    if (!read || this.#documents.get(uri) || this.rootOf(uri) !== root) return;
    if (read.text === undefined) this.#remove(root, uri);
    else this.#put(root, uri, read.text);
  }

  /** The text of a file; `undefined` where it is being read again meanwhile: the later of two readings is the newer one. */
  async #read(uri: string): Promise<{ readonly text: string | undefined } | undefined> {
    const turn = {};
    this.#readings.set(uri, turn);
    const text = await this.#host.readFile(uri);
    if (this.#readings.get(uri) !== turn) return undefined;
    this.#readings.delete(uri);
    return { text };
  }

  /** Reads a whole folder again (a folder was created, deleted or renamed). */
  async rescan(root: ModelRoot, signal: AbortSignal): Promise<void> {
    const listed = await this.#indexRoot(root, signal);
    await this.queries.readAll([...this.queries.all()]);
    for (const file of [...root.index.files()]) {
      // It is gone, or it came while the folder was listed.
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
    if (!signal.aborted) await this.queries.readAll([...uris, ...(await this.#queriesBeside(root))]);
    return new Set(uris);
  }

  /** Queries about a model may lie in a folder beside it. */
  async #queriesBeside({ uri }: ModelRoot): Promise<readonly string[]> {
    const folder = queryFolder(uri);
    return folder === undefined ? [] : (await this.#host.listFiles(folder)).map(normalizeUri);
  }

  /** The platform reads what lies in a linked model or in a folder of the usual name; elsewhere it is not known what it reads. */
  #rootOfQuery(uri: string): QueriedModel | undefined {
    const around = this.rootOf(uri);
    const isInside = around !== undefined && !around.loose && (!around.mixed || queryFolder(around.uri) !== undefined);
    const root = around ?? this.#roots.find((each) => uri.startsWith(`${queryFolder(each.uri) ?? each.uri}/`));
    return root && { uri: root.uri, index: root.index, isInside };
  }

  async #readGlobals(root: ModelRoot): Promise<void> {
    const uri = globalsUri(root);
    const text = await this.#host.readFile(uri);
    root.globals = text === undefined ? undefined : { uri, text, names: templateGlobals(text) };
    root.index.templateGlobals = {
      names: root.globals?.names.map(({ name }) => name) ?? [],
      // Where the file may be out of reach, it may be there.
      isPython: root.globals !== undefined || root.guessed === true || !root.uri.startsWith('file:'),
    };
  }

  #open(document: TextDocument): void {
    const root = this.rootOf(document.uri) ?? { uri: document.uri, index: new ModelIndex(), loose: true, mixed: true };
    if (isQueryPath(document.uri)) return;
    // Whatever else lies in a model (modules, notes) is none of the engine's business.
    if (root.mixed ? !isModelText(document.uri, document.getText()) : !isModelPath(document.uri)) return;
    if (root.loose) this.#loose.set(document.uri, root);
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
  }

  async #close(uri: string): Promise<void> {
    const root = this.rootOf(uri);
    if (root?.loose) {
      this.#loose.delete(uri);
      this.#removed.fire({ root, uri });
    } else if (root) await this.refresh(uri);
  }

  #put(root: ModelRoot, uri: string, text: string): void {
    const before = root.index.file(uri);
    if (before?.text === text) return;
    if (!before && root.mixed && !isModelText(uri, text)) return;
    const file = this.#parsed(uri, text, () => {
      const parsed = parseFile(uri, text);
      // Here, file by file, rather than for all files at once when the first question comes.
      for (const { part } of parsed.parts) symbolsOf(part);
      return parsed;
    });
    root.index.set(file);
    this.#changed.fire({ root, uri });
  }

  /** Does some work on a file; one that ends the process by it is skipped by the next one. */
  during<T>({ uri, file }: Pick<Opened, 'uri' | 'file'>, work: () => T): T {
    const { notes } = this.#host;
    return notes ? notes.during(uri, file.text, work) : work();
  }

  /** What a reader makes of a text; whatever goes wrong with it stays with this file. */
  #parsed(uri: string, text: string, read: () => ModelFile): ModelFile {
    const { notes } = this.#host;
    if (notes?.isSkipped(uri, text)) return unreadFile(uri, text, STOPPED);
    try {
      return notes ? notes.during(uri, text, read) : read();
    } catch (error) {
      return unreadFile(uri, text, `reading it failed (${asError(error).message})`);
    }
  }

  #remove(root: ModelRoot, uri: string): void {
    if (root.index.delete(uri)) this.#removed.fire({ root, uri });
  }
}

const STOPPED = 'the language server stopped while it worked on this text. It is read again once it changes';

function globalsUri({ uri }: ModelRoot): string {
  return `${uri}/globals.py`;
}

/** Whether a file outside of every linked folder is a model all the same. */
function isModelText(uri: string, text: string): boolean {
  return uri.startsWith('modelbench:') ? isModelPath(uri) : looksLikeModel(uri, text);
}

function rootUri(uri: string): string {
  return normalizeUri(uri).replace(/\/$/, '');
}
