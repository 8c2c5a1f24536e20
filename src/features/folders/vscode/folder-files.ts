import type { FolderFiles } from '#features/folders/folder-files.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { fileUri } from './folder-uris.ts';
import { modelTexts } from './model-texts.ts';
import { exists } from '#shell/vscode/files-on-disk.ts';

/** Returns the files of a linked folder on this disk and in the editors of the window. */
export function openFolderFiles(folder: SyncSession['folder']): FolderFiles {
  const uriOf = (path: string): vscode.Uri => fileUri({ folderId: folder.folderId, path });
  return {
    read: async (path) => readExisting(uriOf(path)),
    isUnsaved: (path) => {
      const uri = uriOf(path).toString();
      return vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === uri);
    },
    modelsWithout: async (paths) => modelTexts(folder, paths),
  };
}

/** Resolves to the bytes of a file; `undefined` if there is none. */
export async function readExisting(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return (await exists(uri)) ? vscode.workspace.fs.readFile(uri) : undefined;
}
