import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import type { MovedFile, ResolvedTarget } from '#features/history/resolved-pull.ts';
import type { SyncSession } from '#features/folders/index.ts';
import { fileUri } from '#features/folders/vscode/index.ts';
import type { MovedFilesDeps, PutBackDeps } from './deps.ts';

/** Puts resolved files back on the branch after an interrupted pull; asks about those that someone has changed since. */
export async function putBack(deps: PutBackDeps, { folder, target, sync }: SyncSession): Promise<void> {
  const folderTarget = { ...target, folderId: folder.folderId };
  if (deps.resolvedPulls.waiting(folderTarget).length === 0) {
    void vscode.window.showInformationMessage(text`All resolved files are on “${target.branchName}”.`);
    return;
  }
  const moved = await deps.operations.run({
    label: text`Putting resolved files back`,
    key: folder.folderId,
    run: async () => deps.resolvedPulls.recover(folderTarget),
  });
  if (moved.length > 0) await askAboutMoved(deps, folderTarget, moved);
  else await sync.plan();
}

/** Asks about files that someone changed on the branch before an interrupted pull could put the resolved versions back. */
export async function askAboutMoved(
  deps: MovedFilesDeps,
  target: ResolvedTarget,
  changed: readonly MovedFile[],
): Promise<void> {
  const [compare, mine, theirs] = [text`Compare`, text`Put My Version Back`, text`Keep the Branch’s Version`];
  let moved = changed;
  while (moved.length > 0) {
    const answer = await vscode.window.showWarningMessage(textOf(movedText(target, moved)), compare, mine, theirs);
    if (answer === mine) {
      // Those that have changed again are asked about again.
      moved = await deps.resolvedPulls.insist(target, moved);
      for (const { sync } of deps.syncs.ofBranch(target)) await sync.plan();
    } else if (answer === compare) await compareMoved(deps, target, moved);
    else {
      if (answer === theirs) await deps.resolvedPulls.forget(target, moved);
      return;
    }
  }
}

function movedText({ branchName }: ResolvedTarget, moved: readonly MovedFile[]): string {
  const paths = moved.map(({ path }) => path).join(', ');
  return `A pull was interrupted, and ${plural(moved.length, 'file')} changed on “${branchName}” before your resolved version could be put back: ${paths}. Both versions are kept.`;
}

async function compareMoved(
  { remote }: MovedFilesDeps,
  target: ResolvedTarget,
  moved: readonly MovedFile[],
): Promise<void> {
  for (const { path } of moved) {
    const title = text`${path} (${target.branchName} ↔ Local)`;
    const local = fileUri({ folderId: target.folderId, path });
    await openDiff(remote.uri(target, path), local, title);
  }
}
