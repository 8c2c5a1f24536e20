import { decodedText } from '#base/decoded-text.ts';
import { textsOf } from '#features/folders/branch-compare.ts';
import type { BranchTree } from '#features/folders/branch-files.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Plan } from '#sync/core/planning/plan.ts';
import { fileUri } from './folder-uris.ts';

/** Resolves to the texts of a branch after a push: its current texts, overlaid with the ticked changes. */
export async function textsAfter(
  folderId: string,
  shown: Plan,
  selection: ReadonlySet<string>,
  before: BranchTree,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map(textsOf(before));
  for (const entry of shown.entries) {
    if (!selection.has(entry.path)) continue;
    if (entry.kind === 'deleteRemote') texts.delete(entry.path);
    if (entry.kind === 'renameRemote') texts.delete(entry.from);
    if (entry.kind !== 'upload' && entry.kind !== 'renameRemote') continue;
    const bytes = await vscode.workspace.fs.readFile(fileUri({ folderId, path: entry.path }));
    texts.set(entry.path, decodedText(bytes));
  }
  return texts;
}
