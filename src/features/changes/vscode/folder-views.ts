import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { FolderTarget } from '#shell/targets.ts';
import { textOf } from '#base/user-text.ts';
import { derived } from '#base/derived.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { observe, type Store } from '#base/store.ts';
import { badgeOf } from '#features/changes/badge.ts';
import { changeInputs } from '#features/changes/change-inputs.ts';
import type { ChangesNode, ChangeTreeInput } from '#features/changes/change-nodes.ts';
import { changeTree } from '#features/changes/change-tree.ts';
import { watchDeltas } from '#features/changes/watch-deltas.ts';
import { type OpenPlan, planRows, type PlanView } from '#features/folders/index.ts';
import { decorateChanges } from './decorations.ts';
import type { FolderViewDeps } from './deps.ts';
import { showSourceControl } from './source-control.ts';

export { describeChangesNode } from '#features/changes/describe-changes.ts';

/** Shows the changes of linked folders in all views. Loaded with the first linked folder, as a bundle of its own. */
export function openFolderViews(
  deps: FolderViewDeps,
  plan: PlanView,
  nodes: Store<readonly ChangesNode[]>,
  view: Pick<vscode.TreeView<unknown>, 'badge'>,
): Disposable {
  const { inputs, sourceControl } = deps;
  const { data, deltas, syncs, remote } = sourceControl;
  const store = new DisposableStore();
  // The open plan comes first, as a row: a view of its own would take the space of five rows.
  const rows = store.add(
    derived(() => {
      const open = plan.open.value;
      const folders = changeInputs(inputs, timeText).map((input) => ({ ...input, reviewed: reviewedIn(input, open) }));
      return [...planRows(open), ...changeTree(folders)];
    }),
  );
  store.add(observe(rows, (next) => nodes.set(next)));
  // The only badge: Source Control, which does not exist for a folder in a Git working tree, has none.
  const counts = store.add(derived(() => badgeOf(rows.value)));
  store.add(
    observe(counts, (badge) => {
      view.badge = badge && { value: badge.value, tooltip: textOf(badge.tooltip) };
    }),
  );
  // A plan belongs to one folder and branch, so it ends with their session.
  store.add(syncs.all.onDidChange((all) => plan.keepOnly(all)));
  store.add(watchDeltas({ data, deltas, syncs, onDidWrite: remote.onDidWrite }));
  decorateChanges(sourceControl, store);
  showSourceControl(sourceControl, store);
  return store;
}

/** Returns the direction of the open plan if it has the same button as a row of the folder; a deploy goes to another branch. */
function reviewedIn({ folderId }: FolderTarget, open: OpenPlan | undefined): ChangeTreeInput['reviewed'] {
  return open?.session.folder.folderId === folderId && open.purpose !== 'deploy' ? open.direction : undefined;
}

/** Returns the local time, with the date if it is not today. */
function timeText(time: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString([], isToday ? { timeStyle: 'short' } : { dateStyle: 'short', timeStyle: 'short' });
}
