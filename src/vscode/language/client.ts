import * as vscode from 'vscode';
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  TransportKind,
} from 'vscode-languageclient/node';
import { asError } from '#base/async.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import type { ReadonlyStore } from '#base/store.ts';
import {
  type LanguageOptions,
  languageOptionsChanged,
  type LanguageStatus,
  languageStatus,
  listModelFiles,
  type ListModelFiles,
  readModelFile,
  type ReadModelFile,
} from '#protocol/lsp.ts';
import type { Contribution } from '../contribution.ts';
import { listFiles, readText } from './client-files.ts';
import { languageSettings } from './settings.ts';
import { StatusItem } from './status.ts';

export interface LanguageDependencies {
  /** Absolute path of the bundled server (`dist/language-server.js`). */
  readonly serverModule: string;
  /** URIs (as text) of the folders that hold a model: each linked folder joined with its model path. */
  readonly roots: ReadonlyStore<readonly string[]>;
  readonly logger: Logger;
}

/** Languages whose documents can be models; the server itself decides which of them are. */
const LANGUAGES = ['yaml', 'modelbench-yaml-jinja', 'javascript'] as const;
const MODEL_FILES = '**/*.{yml,yaml,jinja,js}';

/**
 * The language server for data models: starts with the first document that can be a model, or with the first linked
 * folder; a server that cannot start is told in a status item and in the log, and leaves everything else working.
 */
export function languageContribution(dependencies: LanguageDependencies): Contribution {
  return {
    id: 'language',
    register: (store) => {
      const session = new LanguageSession(dependencies);
      store.add(session);
      const mayStart = (): void => {
        if (dependencies.roots.value.length > 0 || vscode.workspace.textDocuments.some(canBeModel)) session.start();
      };
      store.add(vscode.workspace.onDidOpenTextDocument(mayStart));
      store.add(
        dependencies.roots.onDidChange(() => {
          mayStart();
          session.sendOptions();
        }),
      );
      store.add(
        vscode.workspace.onDidChangeConfiguration((event) => {
          if (event.affectsConfiguration('modelbench.language')) session.sendOptions();
        }),
      );
      registerCommands(store, session);
      mayStart();
    },
  };
}

function registerCommands(store: DisposableStore, session: LanguageSession): void {
  store.add(vscode.commands.registerCommand('modelbench.language.restart', () => session.restart()));
}

function canBeModel(document: vscode.TextDocument): boolean {
  return (
    (document.languageId === 'yaml' || document.languageId === 'modelbench-yaml-jinja') &&
    /^(?:cubes|views|view_groups)\s*:/m.test(document.getText().slice(0, 20_000))
  );
}

/** One run of the server and what belongs to it. */
class LanguageSession implements vscode.Disposable {
  readonly #dependencies: LanguageDependencies;
  readonly #status = new StatusItem(LANGUAGES);
  readonly #watchers: vscode.Disposable[] = [];
  #client: LanguageClient | undefined;

  constructor(dependencies: LanguageDependencies) {
    this.#dependencies = dependencies;
  }

  /** Starts the server unless it runs. */
  start(): void {
    if (this.#client) return;
    const client = this.#create();
    this.#client = client;
    client.onNotification(languageStatus, (status: LanguageStatus) => this.#status.show(status));
    client.onRequest(listModelFiles, ({ root }: ListModelFiles) => listFiles(root));
    client.onRequest(readModelFile, ({ uri }: ReadModelFile) => readText(uri));
    void client.start().catch((error: unknown) => this.#failed(error));
  }

  async restart(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.dispose().catch(() => undefined);
    this.start();
  }

  sendOptions(): void {
    const client = this.#client;
    if (!client) return;
    client.sendNotification(languageOptionsChanged, this.#options()).catch((error: unknown) => this.#failed(error));
  }

  dispose(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    this.#status.dispose();
    void this.#client?.dispose().catch(() => undefined);
  }

  #create(): LanguageClient {
    const server: ServerOptions = { module: this.#dependencies.serverModule, transport: TransportKind.ipc };
    const watcher = vscode.workspace.createFileSystemWatcher(MODEL_FILES);
    this.#watchers.push(watcher);
    const options: LanguageClientOptions = {
      documentSelector: [...LANGUAGES.map((language) => ({ language })), { scheme: 'modelbench' }],
      initializationOptions: () => this.#options(),
      synchronize: { fileEvents: watcher },
      diagnosticCollectionName: 'modelbench',
    };
    return new LanguageClient('modelbench.language', 'Modelbench Language Server', server, options);
  }

  #options(): LanguageOptions {
    return { roots: this.#dependencies.roots.value, settings: languageSettings() };
  }

  #failed(error: unknown): void {
    const { message } = asError(error);
    this.#dependencies.logger.error('The language server did not start.', { reason: message });
    this.#status.show({ state: 'problem', files: 0, cubes: 0, views: 0, reason: message });
  }
}
