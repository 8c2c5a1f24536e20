import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { type SearchHit, searchTree } from '#features/branches/branch-search.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { BranchFilesDeps } from './deps.ts';

/** The maximum number of listed hits; a longer text narrows them down. */
const mostHits = 200;

interface HitItem extends vscode.QuickPickItem {
  readonly hit: SearchHit;
}

/** Searches the files of a branch without a local copy while the user types; opens the chosen hit. */
export async function searchBranch({ remote, branchFiles }: BranchFilesDeps, target: BranchTarget): Promise<void> {
  await remote.refresh(target);
  const tree = await branchFiles.tree(target);
  const pick = vscode.window.createQuickPick<HitItem>();
  pick.title = text`Search in ${target.branchName}`;
  pick.placeholder = text`Text in the ${tree.size} files of this branch`;
  try {
    const hit = await new Promise<SearchHit | undefined>((resolve) => {
      pick.onDidChangeValue((typed) => {
        pick.items = searchTree(tree, typed, mostHits).map((found) => ({
          label: textOf(found.text),
          description: text`${found.path}:${found.line + 1}`,
          // The list is already filtered; VS Code would filter it again by its own rules.
          alwaysShow: true,
          hit: found,
        }));
      });
      pick.onDidAccept(() => resolve(pick.selectedItems[0]?.hit));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
    if (!hit) return;
    const selection = new vscode.Range(hit.line, hit.start, hit.line, hit.end);
    await vscode.window.showTextDocument(remote.uri(target, hit.path), { selection, preview: true });
  } finally {
    pick.dispose();
  }
}
