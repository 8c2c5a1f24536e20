import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { LinkedFolder } from '#features/platform/link.ts';
import { remoteScheme } from '#shell/view-ids.ts';

/**
 * The URIs (as text) of the folders that hold a model each: linked folders joined with their model path, and the models of
 * branches of which a document is open.
 */
export function modelRoots(folders: readonly LinkedFolder[]): readonly string[] {
  const linked = folders.flatMap(({ folderId, link }) =>
    link ? [vscode.Uri.joinPath(vscode.Uri.parse(folderId, true), link.modelPath)] : [],
  );
  const remote = vscode.workspace.textDocuments.flatMap(({ uri }) =>
    uri.scheme === remoteScheme ? [branchModel(uri)] : [],
  );
  return [...new Set([...linked, ...remote].map((uri) => uri.toString()))];
}

/** `/branch/model` of `/branch/model/cubes/orders.yml`; the whole branch where the model lies elsewhere. */
function branchModel(uri: vscode.Uri): vscode.Uri {
  const [branch = '', first = ''] = uri.path.slice(1).split('/');
  const isModel = first === 'model' || first === 'schema';
  return uri.with({ path: isModel ? `/${branch}/${first}` : `/${branch}` });
}
