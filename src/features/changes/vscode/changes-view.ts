import { asError } from '#base/async.ts';
import { Store } from '#base/store.ts';
import type { ChangesNode } from '#features/changes/change-nodes.ts';
import type { PlanView } from '#features/folders/index.ts';
import { fileUri } from '#features/folders/vscode/index.ts';
import { views } from '#shell/view-ids.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { registerTree } from '#shell/vscode/register-tree.ts';
import type { TreeItemSpec } from '#shell/tree-item.ts';
import type { FolderViewDeps } from './deps.ts';

/**
 * Shows the changes of the linked folders, with their number on the activity bar. A window without a linked folder has the empty
 * view; the rows, Source Control and marks on files are loaded with the first one.
 */
export function changesView(deps: FolderViewDeps, plan: PlanView): Contribution {
  const { logger } = deps.sourceControl;
  const { session } = deps.inputs;
  return {
    id: views.changes,
    register: (store) => {
      const nodes = store.add(new Store<readonly ChangesNode[]>([]));
      let describe = (node: ChangesNode): TreeItemSpec => ({ label: node.id, collapsible: 'none' });
      const model = { nodes, describe: (node: ChangesNode) => describe(node), fileUri };
      const { view } = registerTree(views.changes, model, store, { canSelectMany: true });
      let isOpening = false;
      const open = async (): Promise<void> => {
        if (isOpening || session.links.value.length === 0) return;
        isOpening = true;
        const { describeChangesNode, openFolderViews } = await import('#features/changes/vscode/folder-views.ts');
        describe = describeChangesNode;
        store.add(openFolderViews(deps, plan, nodes, view));
      };
      const opened = (): void =>
        void open().catch((error: unknown) =>
          logger.error('Changes could not be shown', { stack: asError(error).stack }),
        );
      store.add(session.links.onDidChange(opened));
      opened();
    },
  };
}
