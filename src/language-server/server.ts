import {
  type ClientCapabilities,
  type Connection,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { asError } from '#base/async.ts';
import {
  defaultLanguageSettings,
  type LanguageOptions,
  languageOptionsChanged,
  type LanguageStatus,
  languageStatus,
  renderTemplates,
  type RenderTemplatesParams,
} from '#features/language/messages.ts';
import { Activity } from './activity.ts';
import { AgentFiles } from '#language-server/workspace/agent-files.ts';
import { termsOf } from '#language-server/client/client-terms.ts';
import { Diagnoser } from '#language-server/diagnostics/diagnoser.ts';
import { DiagnosticsOutput } from '#language-server/client/diagnostics-output.ts';
import { OpenDocuments } from '#language-server/documents/documents.ts';
import { FileAliases } from '#language-server/documents/file-aliases.ts';
import { capabilities, registerFeatures } from '#language-server/requests/features.ts';
import { guardedConnection } from '#language-server/client/guarded-connection.ts';
import type { LanguageHost } from './host.ts';
import { EngineChecks } from '#language-server/engine-requests/engine-checks.ts';
import { EngineQueries } from '#language-server/engine-requests/engine-queries.ts';
import { GeneratedCubes } from '#language-server/workspace/generated-cubes.ts';
import { folderAtPath, guessedRoots, withFolders } from '#language-server/workspace/guessed-roots.ts';
import { PlatformChecks } from '#language-server/diagnostics/platform-checks.ts';
import { PlatformState } from '#language-server/diagnostics/platform.ts';
import { canBeFolder } from '#language-server/workspace/root-origin.ts';
import { refreshViews } from '#language-server/client/refresh.ts';
import { rescanOften, watchFiles } from '#language-server/client/watched-files.ts';
import { TableFiles } from '#language-server/workspace/table-files.ts';
import { TemplateRenderer } from '#language-server/engine-requests/template-renderer.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';
import { warmUp } from './warm-up.ts';
import { Workspace } from '#language-server/workspace/workspace.ts';

/** Starts a language server for data models on a connection; `host` gives it files and time. The caller calls `listen`. */
export function startServer(connection: Connection, host: LanguageHost): void {
  const aliases = new FileAliases();
  const server = new Server(guardedConnection(connection, aliases), host, aliases);
  server.register();
}

/** The last reports of both compilers about a model. */
type Checked = Pick<LanguageStatus, 'engine' | 'engineRoot'>;

class Server {
  readonly #connection: Connection;
  readonly #documents: OpenDocuments;
  readonly #workspace: Workspace;
  readonly #activity: Activity;
  readonly #diagnoser: Diagnoser;
  readonly #output: DiagnosticsOutput;
  readonly #agents: AgentFiles;
  readonly #host: LanguageHost;
  readonly #platform: PlatformState;
  readonly #engine: EngineChecks;
  readonly #validation: PlatformChecks;
  readonly #queries: EngineQueries;
  readonly #templates: TemplateRenderer;
  readonly #tables: TableFiles;
  #checked: Checked = {};
  #options: LanguageOptions = { roots: [], settings: defaultLanguageSettings };
  #indexing = new AbortController();
  #hasRested = false;
  /** No setting names the folders of models, so the folders of the workspace are searched. */
  #isGuess = false;
  #clientWorkspace: ClientCapabilities['workspace'];
  #terms = termsOf({});

  constructor(connection: Connection, host: LanguageHost, aliases: FileAliases) {
    this.#connection = connection;
    this.#host = host;
    this.#documents = new OpenDocuments(aliases);
    this.#activity = new Activity(() => host.now());
    this.#workspace = new Workspace(host, this.#documents);
    const shared = { connection, workspace: this.#workspace, documents: this.#documents };
    const warn = (message: string): void => connection.console.warn(message);
    this.#output = new DiagnosticsOutput({ ...shared, host, aliases, terms: () => this.#terms });
    this.#diagnoser = new Diagnoser(this.#output, this.#workspace, this.#documents, host, this.#activity, {
      settings: defaultLanguageSettings,
      docs: undefined,
    });
    this.#agents = new AgentFiles({
      ...shared,
      ...{ connection: this.#output, host, activity: this.#activity, warn },
      options: () => this.#diagnoser.options,
    });
    this.#templates = new TemplateRenderer({
      ...{ workspace: this.#workspace, host, activity: this.#activity, warn },
      isAllowed: () => this.#diagnoser.options.settings.renderTemplates,
      onDidRender: () => {
        this.#diagnoser.sweep();
        this.#status('ready');
      },
    });
    this.#tables = new TableFiles({ workspace: this.#workspace, host, warn });
    this.#platform = new PlatformState({
      ...shared,
      onDidLearn: () => this.#diagnoser.sweep(),
      validation: () => this.#validation,
    });
    const settings = (): LanguageOptions['settings'] => this.#options.settings;
    this.#queries = new EngineQueries({ connection, workspace: this.#workspace, engine: host.queryEngine, settings });
    this.#engine = new EngineChecks({
      ...shared,
      engine: host.engine,
      settings,
      onDidCheck: (engine, { uri }) => this.#onChecked({ engine, engineRoot: uri }),
    });
    this.#validation = new PlatformChecks({ ...shared, onDidCheck: () => this.#onChecked({}) });
  }

  register(): void {
    const connection = this.#connection;
    this.#documents.listen(connection);
    this.#platform.listen();
    this.#engine.listen();
    this.#queries.listen();
    this.#validation.listen();
    connection.onRequest(renderTemplates, ({ questions }: RenderTemplatesParams) => this.#templates.answer(questions));
    new GeneratedCubes({ connection, workspace: this.#workspace, host: this.#host }).listen();
    registerFeatures(connection, {
      workspace: this.#workspace,
      documents: this.#documents,
      agents: this.#agents,
      host: this.#host,
      activity: this.#activity,
      rendered: (uri) => this.#templates.rendered(uri),
      options: () => ({
        settings: this.#options.settings,
        preview: this.#options.settings.reviewEdits ? 'page' : this.#terms.hasAnnotations ? 'annotated' : 'none',
        terms: this.#terms,
        hasOwnCommands: !this.#isGuess,
      }),
    });
    connection.languages.diagnostics.on(({ textDocument }) => this.#pulled(normalizeUri(textDocument.uri)));
    const reopen = (options: LanguageOptions): void => {
      this.#apply(options);
      void this.#index();
    };
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => {
      // VS Code's own client has a file watcher.
      if (this.#isGuess && this.#terms.watchesFiles) watchFiles(connection);
      else if (this.#isGuess) rescanOften(this.#documents, this.#workspace.firstRead, () => this.#rescan());
      void this.#index();
      if (!this.#isGuess || !this.#clientWorkspace?.workspaceFolders) return;
      connection.workspace.onDidChangeWorkspaceFolders((change) => reopen(withFolders(this.#options, change)));
    });
    connection.onNotification(languageOptionsChanged, reopen);
    const rescan = (): void => void this.#rescan();
    connection.workspace.onDidDeleteFiles(rescan);
    connection.workspace.onDidRenameFiles(rescan);
    connection.workspace.onDidCreateFiles(rescan);
    connection.onDidChangeWatchedFiles(async ({ changes }) => {
      for (const { uri } of changes) {
        await this.#workspace.refresh(uri);
        await this.#agents.refresh(uri);
      }
      // Some editors report only the folder when one appears, moves or disappears.
      if (changes.some(({ uri }) => canBeFolder(uri, this.#workspace.roots))) await this.#rescan();
      if (changes.some(({ uri }) => TableFiles.has(uri))) {
        await this.#readTables();
        // Which SQL is refused can depend on the database.
        this.#diagnoser.sweep();
      }
      this.#status('ready');
    });
  }

  #initialize({
    initializationOptions,
    workspaceFolders,
    rootUri,
    rootPath,
    capabilities: client,
  }: InitializeParams): InitializeResult {
    const given = (initializationOptions ?? {}) as Partial<LanguageOptions>;
    const open = workspaceFolders?.map(({ uri }) => uri) ?? [];
    const root = rootUri ?? (rootPath ? folderAtPath(rootPath) : undefined);
    const folders = open.length === 0 && root ? [root] : open;
    this.#apply({
      ...given,
      roots: given.roots ?? folders,
      tableFolders: given.tableFolders ?? folders,
      settings: { ...defaultLanguageSettings, ...given.settings },
    });
    // Some editors write null for what is not set.
    this.#isGuess = (given.roots ?? undefined) === undefined;
    this.#terms = termsOf(client);
    this.#clientWorkspace = client.workspace;
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        ...capabilities(this.#options.settings, this.#terms.watchesFiles),
        ...(this.#terms.pullsDiagnostics
          ? { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false } }
          : {}),
      },
      serverInfo: { name: 'modelbench' },
    };
  }

  /** Resolves to the diagnostics of a document for a client that asks for them, as they are once its model has been read. */
  async #pulled(uri: string): Promise<DocumentDiagnosticReport> {
    await this.#workspace.firstRead;
    // A client that does not learn of later changes waits until there are none.
    if (!this.#terms.repeatsPulls) await this.#diagnoser.rest();
    return { kind: DocumentDiagnosticReportKind.Full, items: this.#output.stored(uri) };
  }

  #apply(options: LanguageOptions): void {
    this.#options = options;
    this.#diagnoser.options = { settings: { ...defaultLanguageSettings, ...options.settings }, docs: options.docs };
  }

  /** Handles a compiler's report about a model. */
  #onChecked(report: Checked): void {
    this.#checked = { ...this.#checked, ...report };
    this.#status('ready');
    this.#diagnoser.sweep();
  }

  async #rescan(): Promise<void> {
    try {
      await this.#workspace.rescan(this.#indexing.signal);
      await this.#agents.readAll();
      this.#status('ready');
    } catch (error) {
      this.#connection.console.error(`Reading the model again failed: ${asError(error).message}`);
    }
  }

  async #readTables(): Promise<void> {
    await this.#tables.readAll(this.#options.tableFolders ?? []);
  }

  async #index(): Promise<void> {
    this.#indexing.abort();
    this.#indexing = new AbortController();
    const { signal } = this.#indexing;
    this.#status('indexing');
    this.#diagnoser.paused = true;
    this.#host.reading?.(true);
    try {
      const { roots: given, found, nested } = this.#options;
      const roots = this.#isGuess ? await guessedRoots(this.#host, given) : given;
      if (signal.aborted) return;
      await this.#workspace.setRoots(roots, signal, { found, nested, guessed: this.#isGuess });
      await this.#readTables();
      if (signal.aborted) return;
      this.#diagnoser.paused = false;
      this.#status('ready');
      // These views were shown while files were missing.
      refreshViews(this.#connection, this.#clientWorkspace);
      this.#platform.askAgain();
    } catch (error) {
      if (signal.aborted) return;
      const { message } = asError(error);
      this.#connection.console.error(`Indexing failed: ${message}`);
      this.#diagnoser.paused = false;
      this.#status('problem', `The model could not be read: ${message}`);
    }
    this.#host.reading?.(false);
    this.#templates.start();
    this.#diagnoser.sweep();
    await this.#agents.readAll();
    await this.#diagnoser.rest();
    if (!signal.aborted) await this.#rest(signal);
  }

  /** Warms up once, while no request waits; stops if the user types, because that warms the server up better. */
  async #rest(signal: AbortSignal): Promise<void> {
    if (this.#hasRested || this.#host.isShortLived) return;
    let isOver = false;
    const typing = this.#documents.onDidChange(() => (isOver = true));
    try {
      for await (const _ of warmUp(this.#diagnoser.options, this.#connection.console)) {
        await this.#host.yield();
        await this.#activity.calm();
        if (signal.aborted) return;
        if (isOver) break;
      }
      this.#hasRested = true;
      this.#host.onIdle?.();
    } catch (error) {
      this.#connection.console.error(`Warming up failed: ${asError(error).stack ?? ''}`);
    } finally {
      typing.dispose();
    }
  }

  #status(state: LanguageStatus['state'], reason?: string): void {
    const { reports } = this.#validation;
    const entities = state === 'indexing' ? [] : this.#workspace.roots.flatMap(({ index }) => index.entities());
    const count = (kind: 'cube' | 'view'): number => entities.filter((entity) => entity.kind === kind).length;
    const files = this.#workspace.roots.reduce((sum, { index }) => sum + index.size, 0);
    void this.#connection.sendNotification(languageStatus, {
      state,
      files,
      cubes: count('cube'),
      views: count('view'),
      reason,
      ...this.#checked,
      platform: reports.length === 0 ? undefined : reports,
    } satisfies LanguageStatus);
  }
}
