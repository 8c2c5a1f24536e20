import * as vscode from 'vscode';
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  TransportKind,
} from 'vscode-languageclient/node';
import { asError } from '#base/async.ts';
import type { Logger } from '#base/log.ts';
import type { ReadonlyStore } from '#base/store.ts';
import {
  languageCommands,
  type LanguageOptions,
  languageOptionsChanged,
  type LanguageStatus,
  languageStatus,
  listModelFiles,
  type ListModelFiles,
  type MemberTarget,
  readModelFile,
  type ReadModelFile,
} from '#protocol/lsp.ts';
import type { Contribution } from '../contribution.ts';
import { listFiles, readText } from './client-files.ts';
import { exportSchema, showReferences } from './commands.ts';
import { languageSettings } from './settings.ts';
import { StatusItem } from './status.ts';

export interface LanguageDependencies {
  /** Absolute path of the bundled server (`dist/language-server.js`). */
  readonly serverModule: string;
  /** URIs (as text) of the folders that hold a model: each linked folder joined with its model path. */
  readonly roots: ReadonlyStore<readonly string[]>;
  readonly logger: Logger;
  /** Folder of the extension's own files (`media/…`); without it problems have no links and the schema no export. */
  readonly media?: vscode.Uri;
  /** Shows rows of a cube, view or member; without it the lens is not offered. */
  readonly preview?: (target: MemberTarget) => Promise<void>;
  /** Shows the SQL of a cube, view or member; without it the lens is not offered. */
  readonly compiledSql?: (target: MemberTarget) => Promise<void>;
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
      const session = store.add(new LanguageSession(dependencies));
      const mayStart = (): void => {
        const { roots } = dependencies;
        if (roots.value.length > 0 || vscode.workspace.textDocuments.some(canBeModel)) session.start();
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
      for (const command of commands(dependencies, session)) store.add(command);
      mayStart();
    },
  };
}

function commands(
  { media, preview, compiledSql }: LanguageDependencies,
  session: LanguageSession,
): vscode.Disposable[] {
  const { registerCommand } = vscode.commands;
  return [
    registerCommand('modelbench.language.restart', () => session.restart()),
    registerCommand('modelbench.language.exportSchema', () => exportSchema(media)),
    registerCommand(languageCommands.showReferences, showReferences),
    ...(preview ? [registerCommand(languageCommands.previewMember, preview)] : []),
    ...(compiledSql ? [registerCommand(languageCommands.showCompiledSql, compiledSql)] : []),
  ];
}

/** The first part of a document is enough to see whether it holds a model. */
const HEAD = 20_000;

function canBeModel(document: vscode.TextDocument): boolean {
  if (document.languageId !== 'yaml' && document.languageId !== 'modelbench-yaml-jinja') return false;
  return /^(?:cubes|views|view_groups)\s*:/m.test(document.getText().slice(0, HEAD));
}

/** One run of the server and what belongs to it. */
class LanguageSession implements vscode.Disposable {
  readonly #dependencies: LanguageDependencies;
  readonly #status = new StatusItem(LANGUAGES);
  #watcher: vscode.Disposable | undefined;
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
    client.start().catch((error: unknown) => this.#failed(error));
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
    this.#watcher?.dispose();
    this.#status.dispose();
    // The window is closing or the extension goes: nobody is left to tell of a failure.
    void this.#client?.dispose().catch(() => undefined);
  }

  #create(): LanguageClient {
    const server: ServerOptions = { module: this.#dependencies.serverModule, transport: TransportKind.ipc };
    this.#watcher?.dispose();
    const watcher = vscode.workspace.createFileSystemWatcher(MODEL_FILES);
    this.#watcher = watcher;
    const options: LanguageClientOptions = {
      documentSelector: [...LANGUAGES.map((language) => ({ language })), { scheme: 'modelbench' }],
      initializationOptions: () => this.#options(),
      synchronize: { fileEvents: watcher },
      diagnosticCollectionName: 'modelbench',
    };
    return new LanguageClient('modelbench.language', 'Modelbench Language Server', server, options);
  }

  #options(): LanguageOptions {
    const { roots, media, preview, compiledSql } = this.#dependencies;
    const settings = { ...languageSettings(), preview: preview !== undefined, compiledSql: compiledSql !== undefined };
    const docs = media && vscode.Uri.joinPath(media, 'diagnostics').toString();
    return { roots: roots.value, settings, docs };
  }

  #failed(error: unknown): void {
    const { message } = asError(error);
    this.#dependencies.logger.error('The language server did not start.', { reason: message });
    this.#status.show({ state: 'problem', files: 0, cubes: 0, views: 0, reason: message });
  }
}
