import { openDiff } from '#shell/vscode/guarded/diff.ts';
import { text } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import { branchSides, sideOf } from '#features/changes/branch-change.ts';
import type { ChangeTarget } from '#shell/targets.ts';
import type { RemoteDocuments } from '#features/folders/vscode/index.ts';
import type { DeltaDeps } from './deps.ts';

/** Opens what a commit or a pull does to a file, if its row in the Changes view is about that; resolves to whether it is. */
export async function openBranchChange(
  {
    deltas,
    documents,
    remote,
    syncs,
  }: Pick<DeltaDeps, 'deltas' | 'remote' | 'syncs'> & { readonly documents: RemoteDocuments },
  file: ChangeTarget,
): Promise<boolean> {
  const side = sideOf(file);
  const session = side && syncs.ofFolder(file.folderId);
  const known = session && deltas.of(session.target);
  if (!side || !session || !known) return false;
  const { before, after } = branchSides(side, session.target, known, file.path);
  const uri = ({ branchName, exists, path }: typeof before): ReturnType<typeof documents.empty> =>
    exists ? remote.uri({ ...session.target, branchName }, path) : documents.empty(path);
  const title = text`${baseName(file.path)} (${before.branchName} ↔ ${after.branchName})`;
  await openDiff(uri(before), uri(after), title);
  return true;
}
