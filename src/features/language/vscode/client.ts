import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import {
  FileChangeType,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import { asError } from '#base/async.ts';
import { systemClock } from '#base/clock.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { derived } from '#base/derived.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { ModelRoots } from '#features/language/model-roots.ts';
import {
  alive,
  checkWithEngine,
  type CompileAnswer,
  type CompileQuestion,
  type CheckWithEngineParams,
  type CubeOfTable,
  cubeOfTable,
  type EngineReport,
  joinGraph,
  type JoinGraphParams,
  type JoinGraphResult,
  knownTables,
  type KnownTablesResult,
  type LanguageOptions,
  languageOptionsChanged,
  type LanguageStatus,
  languageStatus,
  listModelFiles,
  mayCompile,
  type ListModelFiles,
  type PlatformChange,
  platformChanged,
  type PlacedError,
  placeEngineErrors,
  type PlaceEngineErrorsParams,
  readModelFile,
  type ReadModelFile,
} from '#features/language/messages.ts';
import { Heartbeat, silenceMs } from '#features/language/heartbeat.ts';
import { listFiles, readFileText } from './client-files.ts';
import { removeOlderThan } from './compiled-code.ts';
import { checkModel, explainProblem, exportSchema } from './commands.ts';
import { queryAtCursor } from './query-at-cursor.ts';
import { ConsentDesk } from './consent.ts';
import type { LanguageDependencies } from './dependencies.ts';
import { type CubeSource, generateCube } from './generate-cube.ts';
import { watchFolderMoves } from './folder-moves.ts';
import { canBeModel, LANGUAGES } from './can-be-model.ts';
import { EngineRequests } from './engine-requests.ts';
import { LiveSqlPane } from './live-sql.ts';
import { registerLensCommands } from './lens-commands.ts';
import { Hint } from '#shell/user-error.ts';
import { queryHover } from './query-hover.ts';
import { registerHover } from '#shell/vscode/guarded/hovers.ts';
import { modelOfWindow } from './model-of-window.ts';
import { PlatformQuestions } from './platform-questions.ts';
import { followRoots } from './roots.ts';
import { serverProcess } from '#features/language/server-process.ts';
import { languageSettings, yieldToYaml } from './settings.ts';
import { shownText } from './shown-text.ts';
import { StatusItem } from './status.ts';
import { SyntaxDoubles } from './syntax-doubles.ts';
import type { OpenedLanguage } from '#features/language/opened-language.ts';

const selector = [...LANGUAGES.map((language) => ({ language })), { scheme: 'modelbench' }];
const MODEL_FILES =
  '**/{*.yml,*.yaml,*.jinja,*.js,globals.py,modelbench.tables.json,target/manifest.json,target/catalog.json,agents/**/*.md,agents/**/*.markdown}';

/**
 * Opens the client of the language server for data models. The server starts with the first document that can be a model, or with
 * the first folder that contains one. If it cannot start, a status item and the log report that, and everything else works.
 */
export function openLanguage(dependencies: LanguageDependencies, store: DisposableStore): OpenedLanguage {
  const { media, compiled } = dependencies;
  const roots = followRoots(dependencies, store);
  // The folder may not exist yet, or another window may be removing the same ones.
  removeOlderThan(compiled).then(undefined, () => undefined);
  const desk = store.add(new ConsentDesk(dependencies, store.add(derived(() => roots.value.roots))));
  const session = store.add(new LanguageSession(dependencies, roots, desk));
  if (dependencies.platform) store.add(dependencies.platform.onDidChange(session.tellPlatformChanged));
  store.add(dependencies.onDidChangeFiles((uris) => session.reportFiles(uris)));
  const pane = store.add(
    new LiveSqlPane({
      ask: (params, signal) => session.engine.sqlAt(params, signal),
      databaseType: (uri) => session.platform.databaseType(uri),
    }),
  );
  const mayStart = (): void => {
    if (roots.value.roots.length > 0 || vscode.workspace.textDocuments.some(canBeModel)) session.start();
  };
  store.add(vscode.workspace.onDidOpenTextDocument(mayStart));
  store.add(
    roots.onDidChange(() => {
      mayStart();
      session.sendOptions();
    }),
  );
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('modelbench.language')) session.sendOptions();
      if (event.affectsConfiguration('yaml')) session.besideYaml();
      if (event.affectsConfiguration('modelbench.language.compareWithDeployBranch')) session.tellPlatformChanged();
    }),
  );
  store.add(vscode.extensions.onDidChange(() => session.besideYaml()));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => session.sendOptions()));
  for (const command of registerLensCommands(dependencies)) store.add(command);
  if (dependencies.platform) store.add(registerHover(selector, queryHover));
  mayStart();
  const model = async (): Promise<string | undefined> => modelOfWindow(roots.value.roots);
  return {
    restart: () => session.restart(),
    exportSchema: () => exportSchema(media),
    generateCube: async (uri, reviews) => generateCube(session.cubes, uri ?? (await model()), reviews),
    explainProblem,
    queryAtCursor: async () => queryAtCursor(dependencies.platform),
    joinGraph: async () => session.joinGraph(await model()),
    checkModel: async () =>
      checkModel(
        await model(),
        (uri) => session.checkWithEngine(uri),
        (uri) => session.platform.engineVersion(uri),
      ),
    checkProposal: (files, signal) => session.engine.checkProposal(files, signal),
    showSqlAtCursor: () => pane.open(),
    membersAsWritten: (uri) => session.engine.membersAsWritten(uri),
    explainQuery: (uri, query, signal) => session.engine.explainQuery(uri, query, signal),
    proposePreAggregation: (uri, query, signal) => session.engine.proposePreAggregation(uri, query, signal),
    renderTemplates: (questions) => session.engine.renderTemplates(questions),
    chooseScripts: (choice) => desk.chooseScripts(choice),
    locateErrors: (errors) => session.locateErrors(errors),
  };
}

/** Manages the server's process and everything that belongs to it. */
class LanguageSession implements vscode.Disposable {
  readonly #dependencies: LanguageDependencies;
  readonly #roots: ReadonlyStore<ModelRoots>;
  readonly #desk: ConsentDesk;
  /** Sends requests to the engine; starts the server if it does not run. */
  readonly engine = new EngineRequests(() => {
    this.start();
    return this.#client;
  });
  /** Provides tables and generated cubes; starts the server if it does not run. */
  readonly cubes: CubeSource = {
    tables: (params) => this.#ask<KnownTablesResult>(knownTables, params),
    cube: (params) => this.#ask<CubeOfTable | null>(cubeOfTable, params),
  };
  readonly #status = new StatusItem(LANGUAGES);
  readonly platform: PlatformQuestions;
  readonly #doubles = new SyntaxDoubles();
  readonly #folders = watchFolderMoves(() => this.#rescan());
  /** Outlives the server's processes and is deleted with the window. */
  readonly #notes = mkdtempSync(join(tmpdir(), 'modelbench-language-'));
  /** Whether another extension formatted YAML when the server started. */
  #formatsElsewhere = false;
  #watcher: vscode.Disposable | undefined;
  #heartbeat: Heartbeat | undefined;
  #client: LanguageClient | undefined;
  /** The last status of the server. */
  #shown: LanguageStatus | undefined;

  constructor(dependencies: LanguageDependencies, roots: ReadonlyStore<ModelRoots>, desk: ConsentDesk) {
    this.#dependencies = dependencies;
    this.#roots = roots;
    this.#desk = desk;
    this.platform = new PlatformQuestions(dependencies);
  }

  /** Shows a status. It looks up the version that the deployment runs only after the engine has checked a model. */
  async #showStatus(status: LanguageStatus): Promise<void> {
    this.#shown = status;
    this.#status.show(status);
    if (status.engineRoot === undefined) return;
    const deployed = await this.platform.engineVersion(status.engineRoot);
    if (deployed !== undefined && this.#shown === status) this.#status.show(status, deployed);
  }

  /** Starts the server unless it runs. */
  start(): void {
    if (this.#client) return;
    const client = this.#create();
    this.#client = client;
    client.onDidChangeState(({ newState }) => {
      if (this.#client === client) this.#followProcess(client, newState);
    });
    client.onNotification(languageStatus, (status: LanguageStatus) => void this.#showStatus(status));
    client.onRequest(listModelFiles, ({ root, kind }: ListModelFiles) => listFiles(root, kind));
    client.onRequest(readModelFile, ({ uri }: ReadModelFile) => readFileText(uri));
    client.onRequest<CompileAnswer, void>(mayCompile, (question: CompileQuestion) => this.#desk.answer(question));
    this.platform.serve(client);
    client.start().catch((error: unknown) => this.#failed(error));
  }

  /** Restarts the server. The file that it was working on did not crash it, so no file is skipped. */
  async restart(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#heartbeat?.dispose();
    await client?.dispose().catch(() => undefined);
    rmSync(this.#notes, { recursive: true, force: true });
    this.start();
  }

  /**
   * Called when another YAML extension was added, removed or reconfigured: which of the two formats is decided when the server
   * starts.
   */
  besideYaml(): void {
    if (this.#client && this.#formatsElsewhere !== yieldToYaml().formatting) void this.restart();
    else this.sendOptions();
  }

  sendOptions(): void {
    const client = this.#client;
    if (!client) return;
    client.sendNotification(languageOptionsChanged, this.#options()).catch((error: unknown) => this.#failed(error));
  }

  async locateErrors(errors: PlaceEngineErrorsParams): Promise<readonly (PlacedError | null)[] | undefined> {
    return this.#client?.isRunning() ? this.#client.sendRequest(placeEngineErrors, errors) : undefined;
  }

  async #ask<T>(method: string, params: object): Promise<T | undefined> {
    this.start();
    return this.#client?.sendRequest<T>(method, params);
  }

  async joinGraph(uri: string | undefined): Promise<JoinGraphResult | undefined> {
    if (uri === undefined) return undefined;
    const graph = await this.#ask<JoinGraphResult>(joinGraph, { uri } satisfies JoinGraphParams);
    if (!graph) throw new Hint('The language server is not running.');
    return graph;
  }

  async checkWithEngine(uri: string): Promise<EngineReport> {
    this.start();
    const params: CheckWithEngineParams = { uri };
    return this.#client
      ? this.#client.sendRequest<EngineReport>(checkWithEngine, params)
      : { state: 'skipped', reason: 'The language server is not running.' };
  }

  readonly tellPlatformChanged = (change: PlatformChange = {}): void => {
    this.#client?.sendNotification(platformChanged, change).catch((error: unknown) => this.#failed(error));
  };

  /** Reports changes that VS Code's own watcher reports too, unless it misses them. */
  reportFiles(uris: readonly vscode.Uri[]): void {
    const changes = uris.map((uri) => ({ uri: uri.toString(), type: FileChangeType.Changed }));
    this.#client?.sendNotification('workspace/didChangeWatchedFiles', { changes }).catch(() => undefined);
  }

  dispose(): void {
    const client = this.#client;
    this.#client = undefined;
    this.#heartbeat?.dispose();
    this.#watcher?.dispose();
    this.#folders.dispose();
    this.#status.dispose();
    this.#doubles.dispose();
    // The window is closing or the extension is being deactivated: a failure can no longer be shown.
    void Promise.resolve(client?.dispose())
      .catch(() => undefined)
      .finally(() => rmSync(this.#notes, { recursive: true, force: true }));
  }

  #create(): LanguageClient {
    const { serverModule, compiled } = this.#dependencies;
    const server: ServerOptions = {
      module: serverModule,
      transport: TransportKind.ipc,
      options: serverProcess(compiled.scheme === 'file' ? compiled.fsPath : undefined, this.#notes),
    };
    this.#watcher?.dispose();
    const watcher = vscode.workspace.createFileSystemWatcher(MODEL_FILES);
    this.#watcher = watcher;
    this.#formatsElsewhere = yieldToYaml().formatting;
    const options: LanguageClientOptions = {
      documentSelector: [...selector],
      initializationOptions: () => this.#options(),
      synchronize: { fileEvents: watcher },
      diagnosticCollectionName: 'modelbench',
      middleware: { ...shownText, handleDiagnostics: this.#doubles.handle },
      markdown: { isTrusted: false, supportHtml: false },
    };
    return new LanguageClient('modelbench.language', 'Modelbench Language Server', server, options);
  }

  #options(): LanguageOptions {
    const { media, platform } = this.#dependencies;
    const offered = platform !== undefined;
    const settings = { ...languageSettings(), preview: offered, compiledSql: offered, reviewEdits: true };
    const docs = media && vscode.Uri.joinPath(media, 'diagnostics').toString();
    // In a folder that the user does not trust, files of other programs are not read.
    const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
    return { ...this.#roots.value, settings, docs, tableFolders: folders.map(({ uri }) => uri.toString()) };
  }

  /** Makes the server rescan by reporting a deletion, as VS Code does when it deletes something itself. */
  #rescan(): void {
    this.#client?.sendNotification('workspace/didDeleteFiles', { files: [] }).catch(() => undefined);
  }

  /** Shows in the status item that the process has stopped or is starting: it cannot report that itself. */
  #followProcess(client: LanguageClient, state: State): void {
    this.#heartbeat?.dispose();
    if (state === State.Running) this.#heartbeat = this.#heartbeatOf(client);
    const nothing = { files: 0, cubes: 0, views: 0 };
    if (state === State.Starting) this.#status.show({ state: 'indexing', ...nothing });
    if (state === State.Stopped) this.#status.show({ state: 'problem', ...nothing });
  }

  /** Kills a process that hangs; the client then starts another one, as after a crash. */
  #heartbeatOf(client: LanguageClient): Heartbeat {
    return new Heartbeat({
      ask: () => client.sendRequest(alive),
      onSilent: () => {
        const reason = `no answer for ${silenceMs / 1000} s`;
        this.#dependencies.logger.error('The language server was stopped and is restarting.', { reason });
        client.serverProcess?.kill('SIGKILL');
      },
      clock: systemClock,
    });
  }

  #failed(error: unknown): void {
    const { message } = asError(error);
    this.#dependencies.logger.error('The language server did not start.', { reason: message });
    this.#status.show({ state: 'problem', files: 0, cubes: 0, views: 0, reason: message });
  }
}
