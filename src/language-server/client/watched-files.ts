import { type Connection, DidChangeWatchedFilesNotification } from 'vscode-languageserver';
import { asError } from '#base/async.ts';
import type { OpenDocuments } from '#language-server/documents/documents.ts';

/**
 * Checks for changes of files whenever the user opens or saves one, for a client that watches no files. What is asked for meanwhile is
 * done once, after the scan that is under way.
 */
export function rescanOften(
  documents: Pick<OpenDocuments, 'onDidOpen' | 'onDidSave'>,
  firstRead: Promise<void>,
  scan: () => Promise<void>,
): void {
  let isDue = false;
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    await firstRead;
    while (isDue) {
      isDue = false;
      await scan();
    }
    isRunning = false;
  };
  const ask = (): void => {
    isDue = true;
    if (!isRunning) void run();
  };
  documents.onDidOpen(ask);
  documents.onDidSave(ask);
}

const WATCHED =
  '**/{*.yml,*.yaml,*.jinja,*.js,globals.py,modelbench.tables.json,target/manifest.json,target/catalog.json,agents/**/*.md,agents/**/*.markdown}';

/** Asks the client to watch files: editors other than VS Code do so only on request. */
export function watchFiles(connection: Connection): void {
  const watchers = [{ globPattern: WATCHED }];
  connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch((error: unknown) => {
    connection.console.warn(`Files are not watched: ${asError(error).message}`);
  });
}
