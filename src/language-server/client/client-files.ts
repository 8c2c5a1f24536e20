import type { Connection } from 'vscode-languageserver';
import { listModelFiles, type ListModelFiles, readModelFile, type ReadModelFile } from '#features/language/messages.ts';
import type { LanguageHost } from '#language-server/host.ts';

/** Files that only the client can reach: remote documents, and everything in a browser. */
export function clientFiles(connection: Connection): Pick<LanguageHost, 'listFiles' | 'readFile'> {
  return {
    listFiles: async (root, kind) => {
      const uris = await connection
        .sendRequest<readonly string[]>(listModelFiles, { root, kind } satisfies ListModelFiles)
        .catch(() => []);
      return [...uris].sort();
    },
    readFile: async (uri) => {
      const text = await connection
        .sendRequest<string | null>(readModelFile, { uri } satisfies ReadModelFile)
        .catch(() => null);
      return text ?? undefined;
    },
  };
}
