import type { FolderFiles } from '#features/folders/folder-files.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { fileUri } from './folder-uris.ts';
import { modelTexts } from './model-texts.ts';
import { bytesIfThere } from '#shell/vscode/files-on-disk.ts';

/** Returns the files of a linked folder on this disk and in the editors of the window. */
export function openFolderFiles(folder: SyncSession['folder']): FolderFiles {
  const uriOf = (path: string): vscode.Uri => fileUri({ folderId: folder.folderId, path });
  return {
    read: async (path) => bytesIfThere(uriOf(path)),
    isUnsaved: (path) => {
      const uri = uriOf(path).toString();
      return vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === uri);
    },
    modelsWithout: async (paths) => modelTexts(folder, paths),
  };
}
