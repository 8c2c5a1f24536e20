import { asError } from '#base/async.ts';
import { checkChunk, uncheckedSize } from '#model/checks/check.ts';
import { releaseChunk } from '#model/symbols.ts';
import type { Activity } from '#language-server/activity.ts';
import type { OpenDocuments } from '#language-server/documents/documents.ts';
import type { LanguageHost } from '#language-server/host.ts';
import { type DiagnosticOptions, diagnostics } from '#language-server/ide/diagnostics.ts';
import { queryDiagnostics } from '#language-server/ide/queries/query-diagnostics.ts';
import { isLarge } from '#language-server/documents/large-files.ts';
import { type DiagnosticsConnection, DiagnosticsPublisher } from './publisher.ts';
import type { FileEvent, ModelRoot, Workspace } from '#language-server/workspace/workspace.ts';

/** How long one slice of background work may block incoming messages, in milliseconds. */
const SLICE_MS = 4;

/**
 * Keeps diagnostics up to date. It checks a changed document at once (chunks that did not change with what is already known).
 * When the change affects other files, it checks the whole model again in slices, open documents first; a newer change starts
 * over.
 */
export class Diagnoser {
  readonly #connection: DiagnosticsConnection;
  readonly #workspace: Workspace;
  readonly #documents: OpenDocuments;
  readonly #host: LanguageHost;
  readonly #activity: Activity;
  readonly #publisher: DiagnosticsPublisher;
  readonly #structures = new WeakMap<ModelRoot, number>();
  #generation = 0;
  #sweeping: Promise<void> = Promise.resolve();
  options: DiagnosticOptions;
  /** While all files are read for the first time, no name can be reported as missing. */
  paused = true;

  constructor(
    connection: DiagnosticsConnection,
    workspace: Workspace,
    documents: OpenDocuments,
    host: LanguageHost,
    activity: Activity,
    options: DiagnosticOptions,
  ) {
    this.#connection = connection;
    this.#workspace = workspace;
    this.#documents = documents;
    this.#host = host;
    this.#activity = activity;
    this.options = options;
    this.#publisher = new DiagnosticsPublisher(connection, documents);
    workspace.onDidChangeFile((event) => this.#changed(event));
    workspace.queries.onDidChange((uri) => this.#publish(uri, false));
    workspace.queries.onDidRemove((uri) => this.#publisher.clear(uri));
    workspace.onDidRemoveFile(({ root, uri }) => {
      this.#publisher.clear(uri);
      this.#sweepIfNeeded(root);
    });
  }

  /** Checks everything again, for example after settings changed. */
  sweep(): void {
    this.#generation++;
    const generation = this.#generation;
    this.#sweeping = this.#sweeping
      .then(() => this.#sweep(generation))
      .catch((error: unknown) => {
        this.#connection.console.error(`Checking the model failed: ${asError(error).stack ?? ''}`);
      });
  }

  /** Resolves when nothing is left to check. */
  async rest(): Promise<void> {
    let last;
    do {
      last = this.#sweeping;
      await last;
    } while (last !== this.#sweeping);
  }

  #changed({ root, uri }: FileEvent): void {
    const isOpen = this.#documents.get(uri) !== undefined;
    // Files that are read for the first time are checked together, after all of them have been read.
    if (this.paused && !root.isStandalone) {
      if (isOpen) this.#publish(uri, true);
      return;
    }
    // A keystroke changes one item; a large document that was just opened is checked item by item.
    const isLong = isLarge(uncheckedSize(root.index.file(uri)));
    if (isOpen && (this.paused || !isLong)) this.#publish(uri, true);
    this.#sweepIfNeeded(root);
    if (!isOpen || (isLong && !this.paused) || this.#publisher.isPointedAt(uri)) this.sweep();
  }

  #sweepIfNeeded(root: ModelRoot): void {
    if (this.paused || this.#structures.get(root) === root.index.structure) return;
    this.#structures.set(root, root.index.structure);
    this.sweep();
  }

  async #sweep(generation: number): Promise<void> {
    // Yields before the first step, so that the problems of the change itself are sent before anything else is checked.
    let since = -Infinity;
    for (const step of this.#steps()) {
      if (this.#host.now() - since > SLICE_MS) {
        await this.#host.yield();
        await this.#activity.calm();
        since = this.#host.now();
      }
      if (generation !== this.#generation || this.paused) return;
      step();
    }
  }

  /** Yields the work of a sweep in small steps, so that a large file is not checked in one go. */
  *#steps(): Iterable<() => void> {
    for (const uri of this.#order()) {
      const opened = this.#workspace.get(uri);
      if (!opened) {
        if (this.#workspace.queries.get(uri)) yield () => this.#publish(uri, false);
        continue;
      }
      const { file, root } = opened;
      if (isLarge(file.text.length))
        for (const placed of file.chunks)
          yield () =>
            this.#isolate(uri, () => checkChunk(placed.chunk, root.index, root.isStandalone || file.conflicted));
      yield () => this.#publish(uri, false);
    }
  }

  /** Yields open documents first, because the user sees them. */
  *#order(): Iterable<string> {
    const open = [...this.#documents.all()].map(({ uri }) => uri);
    yield* open;
    const first = new Set(open);
    for (const { index } of this.#workspace.allRoots())
      for (const { path } of [...index.files()]) if (!first.has(path)) yield path;
    for (const uri of [...this.#workspace.queries.all()]) if (!first.has(uri)) yield uri;
  }

  #publish(uri: string, stale: boolean): void {
    if (!this.#workspace.showsProblems(uri)) {
      this.#publisher.clear(uri);
      return;
    }
    const query = this.#workspace.queries.get(uri);
    if (query) {
      // Until all files of the model have been read, no name can be reported as missing.
      const known = this.paused ? { ...query, root: undefined } : query;
      this.#isolate(uri, () => this.#publisher.publish(uri, queryDiagnostics(known, this.options)));
      return;
    }
    const opened = this.#workspace.get(uri);
    if (!opened) return;
    this.#isolate(uri, () => {
      const known =
        this.paused && !opened.root.isStandalone ? { ...opened, root: { ...opened.root, isStandalone: true } } : opened;
      this.#publisher.publish(uri, diagnostics(known, this.options, this.#workspace, stale));
      // The user sees no closed file, and only a few lines of a large one: their trees are released, their problems stay.
      if (this.#documents.get(uri) === undefined || isLarge(opened.file.text.length))
        for (const { chunk } of opened.file.chunks) releaseChunk(chunk);
    });
  }

  /** Runs a check of one file, so that a file whose check fails does not keep the others from being checked. */
  #isolate(uri: string, work: () => void): void {
    const opened = this.#workspace.get(uri);
    try {
      if (opened) this.#workspace.during(opened, work);
      else work();
    } catch (error) {
      this.#connection.console.error(`Checking ${uri} failed: ${asError(error).stack ?? ''}`);
    }
  }
}
