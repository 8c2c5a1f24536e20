import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { TreeNode } from '#shell/tree-item.ts';
import type { ViewId } from '#shell/view-ids.ts';
import { ModelTreeProvider, type TreeElement, type TreeModel } from './model-tree.ts';

/** Creates the view of a model; it lives as long as `store`. */
export function registerTree<N extends TreeNode>(
  id: ViewId,
  model: TreeModel<N>,
  store: DisposableStore,
  options: Pick<
    vscode.TreeViewOptions<TreeElement<N>>,
    'canSelectMany' | 'manageCheckboxStateManually' | 'dragAndDropController'
  > = {},
): { readonly view: vscode.TreeView<TreeElement<N>>; readonly provider: ModelTreeProvider<N> } {
  const provider = store.add(new ModelTreeProvider(model));
  const view = store.add(
    vscode.window.createTreeView(id, { treeDataProvider: provider, showCollapseAll: true, ...options }),
  );
  return { view, provider };
}
