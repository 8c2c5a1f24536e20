import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { derived } from '#base/derived.ts';
import { observe } from '#base/store.ts';
import type { Loadable, Paged } from '#features/platform/index.ts';
import { failureOf } from '#shell/error-texts.ts';
import {
  describeWorkspaceNode,
  type ListInput,
  type WorkspaceNode,
  workspaceTree,
} from '#features/workspace/workspace-tree.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { views } from '#shell/view-ids.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { DraggingDeps, WorkspaceViewDeps } from './deps.ts';
import type { TreeElement } from '#shell/vscode/model-tree.ts';
import { registerTree } from '#shell/vscode/register-tree.ts';

/** Contributes the view of the shown deployment's folders, workbooks and reports, loaded page by page. */
export function workspaceView(services: WorkspaceViewDeps): Contribution {
  const { data, session } = services;
  return {
    id: views.workspace,
    register: (store) => {
      const nodes = store.add(
        derived<readonly WorkspaceNode[]>(() => {
          const target = session.active.value;
          return target ? nodesOf(services, target) : [];
        }),
      );
      const ensure = async (): Promise<void> => {
        const target = session.active.value;
        if (target) await loadWorkspace(services, target);
      };
      const { view } = registerTree(
        views.workspace,
        {
          nodes,
          describe: describeWorkspaceNode,
          ensure,
          expand: async (node) => {
            if (node.kind === 'folder') await openFolder(services, node, node.itemId);
          },
        },
        store,
        { canSelectMany: true, dragAndDropController: new MoveByDragging(services) },
      );
      const start = (): void => {
        const target = session.active.value;
        // Request nothing while the view is hidden.
        if (target && view.visible) void loadWorkspace(services, target);
      };
      store.add(observe(session.active, start));
      store.add(data.onDidChange(start));
      store.add(view.onDidChangeVisibility(start));
    },
  };
}

const mime = 'application/vnd.code.tree.modelbench.workspace';

/** Passes dragged rows to the `drop` of its dependencies. */
export class MoveByDragging implements vscode.TreeDragAndDropController<TreeElement<WorkspaceNode>> {
  readonly dragMimeTypes = [mime];
  readonly dropMimeTypes = [mime];
  readonly #services: DraggingDeps;

  constructor(services: DraggingDeps) {
    this.#services = services;
  }

  handleDrag(source: readonly TreeElement<WorkspaceNode>[], data: vscode.DataTransfer): void {
    data.set(mime, new vscode.DataTransferItem(source.map(({ node }) => node)));
  }

  async handleDrop(onto: TreeElement<WorkspaceNode> | undefined, data: vscode.DataTransfer): Promise<void> {
    const rows: unknown = data.get(mime)?.value;
    if (!Array.isArray(rows) || rows.length === 0) return;
    try {
      await this.#services.drop(rows, onto?.node);
    } catch (error) {
      void this.#services.boundary('drop', error);
    }
  }
}

function nodesOf(services: WorkspaceViewDeps, target: DeploymentTarget): readonly WorkspaceNode[] {
  const known = services.data.known(target);
  if (!known) return [];
  return workspaceTree({
    ...target,
    favourites: services.favourites.of(target),
    order: services.reportOrder.label,
    folders: listOf(known.folders.state.value),
    reports: listOf(known.reports.state.value),
    workbooks: services.offers(target.accountId, 'listWorkbooks') ? listOf(known.workbooks.state.value) : undefined,
    contents: (folderId) => {
      const contents = known.contents.get(folderId);
      if (!contents) return undefined;
      const [reports, workbooks] = [contents.reports.state.value, contents.workbooks.state.value];
      if (reports.value === undefined && reports.error === undefined) return undefined;
      const items = [...(workbooks.value?.items ?? []), ...(reports.value?.items ?? [])];
      return {
        list: { items, next: workbooks.value?.next ?? reports.value?.next },
        error: failureOf(reports.error ?? workbooks.error),
      };
    },
  });
}

function listOf<T>(state: Loadable<Paged<T>>): ListInput<T> {
  return { list: state.value, error: failureOf(state.error) };
}

async function loadWorkspace({ data, offers }: WorkspaceViewDeps, target: DeploymentTarget): Promise<void> {
  const known = data.of(target);
  await Promise.all([
    known.folders.start(),
    known.reports.start(),
    offers(target.accountId, 'listWorkbooks') ? known.workbooks.start() : undefined,
  ]);
}

async function openFolder(
  { data, offers }: WorkspaceViewDeps,
  target: DeploymentTarget,
  folderId: string,
): Promise<void> {
  const contents = data.of(target).openFolder(folderId);
  await Promise.all([
    contents.reports.ensure(),
    offers(target.accountId, 'listWorkbooks') ? contents.workbooks.ensure() : undefined,
  ]);
}
