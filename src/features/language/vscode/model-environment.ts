import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { EnvironmentChoice } from '#features/data/index.ts';
import { fileTargetOf } from '#features/folders/vscode/index.ts';
import type { ModelPlaceDeps } from './model-deps.ts';

/** Returns the deployment (and for a remote document the branch) that a document or root belongs to. */
export function environmentOfModel(uri: string, { session, remote }: ModelPlaceDeps): EnvironmentChoice | undefined {
  const parsed = vscode.Uri.parse(uri, true);
  const branch = remote.targetOf(parsed);
  if (branch) return branch;
  const file = fileTargetOf(parsed, session.links.value);
  const folder = file && session.folder(file.folderId);
  return folder && session.targetOf(folder);
}

/** Returns the path of the model in the branch that a root belongs to. */
export function modelPathOf(root: string, { session, remote }: ModelPlaceDeps): string {
  const parsed = vscode.Uri.parse(root, true);
  if (remote.targetOf(parsed)) return parsed.path.split('/').slice(2).join('/');
  // In a project that is linked as a whole, the model is a folder in it.
  return fileTargetOf(parsed, session.links.value)?.path ?? '';
}
