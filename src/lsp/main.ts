import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Connection, createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { isModelPath } from '#model/file.ts';
import { clientFiles } from './client-files.ts';
import type { LanguageHost } from './host.ts';
import { startServer } from './server.ts';

/** Folders that never hold models and can be huge. */
const SKIPPED = new Set(['node_modules', '.git', 'dist', 'dashboard-app', '.venv', 'venv', '__pycache__', 'target']);

/** Files of `file:` roots come from the disk, others from the client. */
function nodeHost(connection: Connection): LanguageHost {
  const client = clientFiles(connection);
  return {
    listFiles: (root) => (root.startsWith('file:') ? listFolder(fileURLToPath(root)) : client.listFiles(root)),
    readFile: (uri) => (uri.startsWith('file:') ? readText(uri) : client.readFile(uri)),
    yield: () => nextTurn(),
    now: () => performance.now(),
  };
}

async function listFolder(folder: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (path: string): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) await visit(join(path, entry.name));
      else if (entry.isFile() && isModelPath(entry.name)) found.push(pathToFileURL(join(path, entry.name)).href);
    }
  };
  await visit(folder);
  return found.sort();
}

async function readText(uri: string): Promise<string | undefined> {
  return readFile(fileURLToPath(uri), 'utf8').catch(() => undefined);
}

const connection = createConnection(ProposedFeatures.all);
startServer(connection, nodeHost(connection));
connection.listen();
