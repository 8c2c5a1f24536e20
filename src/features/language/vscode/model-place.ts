import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { EnvironmentTarget } from '#features/data/index.ts';
import { fileTargetOf } from '#features/folders/vscode/index.ts';
import type { ModelPlaceDeps } from './model-deps.ts';

/** The deployment (and branch, for a remote document) that a document or root belongs to. */
export function placeOf(uri: string, { session, remote }: ModelPlaceDeps): EnvironmentTarget | undefined {
  const parsed = vscode.Uri.parse(uri, true);
  const branch = remote.targetOf(parsed);
  if (branch) return branch;
  const file = fileTargetOf(parsed, session.links.value);
  const folder = file && session.folder(file.folderId);
  return folder && session.targetOf(folder);
}

/** Where the model lies in the branch that a root belongs to. */
export function modelPathOf(root: string, { session, remote }: ModelPlaceDeps): string {
  const parsed = vscode.Uri.parse(root, true);
  if (remote.targetOf(parsed)) return parsed.path.split('/').slice(2).join('/');
  // Of a project that is linked whole, the model is a folder in it.
  return fileTargetOf(parsed, session.links.value)?.path ?? '';
}
