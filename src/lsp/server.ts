import { type Connection, type InitializeResult, TextDocumentSyncKind } from 'vscode-languageserver';
import { asError } from '#base/async.ts';
import {
  defaultLanguageSettings,
  type LanguageOptions,
  languageOptionsChanged,
  type LanguageStatus,
  languageStatus,
} from '#protocol/lsp.ts';
import { OpenDocuments } from './documents.ts';
import { capabilities, registerFeatures } from './features.ts';
import type { LanguageHost } from './host.ts';
import { syntaxDiagnostics } from './ide/diagnostics.ts';
import { DiagnosticsPublisher } from './publisher.ts';
import { Workspace } from './workspace.ts';

/** Starts a language server for data models on a connection; `host` gives it files and time. The caller listens. */
export function startServer(connection: Connection, host: LanguageHost): void {
  const documents = new OpenDocuments();
  const workspace = new Workspace(host, documents);
  const publisher = new DiagnosticsPublisher(connection, documents);
  let options: LanguageOptions = { roots: [], settings: defaultLanguageSettings };
  let indexing = new AbortController();

  const status = (state: LanguageStatus['state'], reason?: string): void => {
    const files = workspace.roots.reduce((sum, { index }) => sum + index.size, 0);
    void connection.sendNotification(languageStatus, {
      state,
      files,
      cubes: 0,
      views: 0,
      reason,
    } satisfies LanguageStatus);
  };
  const index = async (): Promise<void> => {
    indexing.abort();
    indexing = new AbortController();
    const { signal } = indexing;
    status('indexing');
    try {
      await workspace.setRoots(options.roots, signal);
      if (!signal.aborted) status('ready');
    } catch (error) {
      const { message } = asError(error);
      connection.console.error(`Indexing failed: ${message}`);
      status('problem', `The model could not be read: ${message}`);
    }
  };

  documents.listen(connection);
  workspace.onDidChangeFile(({ uri }) => {
    const opened = workspace.get(uri);
    if (opened) publisher.publish(uri, syntaxDiagnostics(opened.file, opened.positions));
  });
  workspace.onDidRemoveFile(({ uri }) => publisher.clear(uri));
  registerFeatures(connection, workspace);

  connection.onInitialize((params): InitializeResult => {
    const given = params.initializationOptions as Partial<LanguageOptions> | undefined;
    const folders = params.workspaceFolders?.map(({ uri }) => uri) ?? [];
    options = { roots: given?.roots ?? folders, settings: { ...defaultLanguageSettings, ...given?.settings } };
    return {
      capabilities: { textDocumentSync: TextDocumentSyncKind.Incremental, ...capabilities() },
      serverInfo: { name: 'modelbench' },
    };
  });
  connection.onInitialized(() => void index());
  connection.onNotification(languageOptionsChanged, (changed: LanguageOptions) => {
    options = changed;
    void index();
  });
  connection.onDidChangeWatchedFiles(async ({ changes }) => {
    for (const { uri } of changes) await workspace.refresh(uri);
  });
}
