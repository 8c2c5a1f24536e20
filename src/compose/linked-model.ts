import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { FolderWithModel } from '#features/data/vscode/query-saving.ts';
import type { LinkedFolder } from '#features/platform/link.ts';

/** Returns a folder with the path of its model; `undefined` if it is not linked. */
export function linkedModel(folder: LinkedFolder | undefined): FolderWithModel | undefined {
  return folder?.link && { uri: vscode.Uri.parse(folder.folderId, true), modelPath: folder.link.modelPath };
}
