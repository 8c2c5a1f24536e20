import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { FileTarget } from '#shell/targets.ts';
import type { LinkedFolder } from '#features/platform/index.ts';
import { isInside } from '#base/path.ts';

/** Returns the URI of a file on this disk; inside the linked folder, paths are the same as on the platform. */
export function fileUri({ folderId, path }: FileTarget): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.parse(folderId, true), path);
}

/** Returns the linked folder whose model contains a document, and the path there; the innermost link wins. */
export function fileTargetOf(uri: vscode.Uri, folders: readonly LinkedFolder[]): FileTarget | undefined {
  return linkedFileAt(uri, folders, isInside);
}

/** Returns the linked folder that contains a file, inside the model folder or not, and the path there. */
export function linkedFileAt(
  uri: vscode.Uri,
  folders: readonly LinkedFolder[],
  isOurs: (path: string, modelPath: string) => boolean = () => true,
): FileTarget | undefined {
  let best: FileTarget | undefined;
  let depth = -1;
  for (const folder of folders) {
    if (!folder.link) continue;
    const root = vscode.Uri.parse(folder.folderId, true);
    if (root.scheme !== uri.scheme || root.authority !== uri.authority) continue;
    const base = root.path.replace(/\/$/, '');
    if (!uri.path.startsWith(`${base}/`) || base.length <= depth) continue;
    const path = uri.path.slice(base.length + 1);
    if (!isOurs(path, folder.link.modelPath)) continue;
    best = { folderId: folder.folderId, path };
    depth = base.length;
  }
  return best;
}
