import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { FileTarget } from '#shell/targets.ts';
import type { LinkedFolder } from '#features/platform/index.ts';
import { isInside } from '#base/path.ts';

/** The file on this disk; paths are the platform's, which are the same inside the linked folder. */
export function fileUri({ folderId, path }: FileTarget): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.parse(folderId, true), path);
}

/** Which linked folder's model holds a document, and under which path; the innermost link wins. */
export function fileTargetOf(uri: vscode.Uri, folders: readonly LinkedFolder[]): FileTarget | undefined {
  return linkedFileAt(uri, folders, isInside);
}

/** The linked folder that a file lies in, inside of the model folder or not, with its path there. */
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
