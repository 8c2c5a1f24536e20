import { unreachable } from '#base/result.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { Failure } from '#shell/error-texts.ts';
import type { Paged, WorkspaceFolder, WorkspaceItem } from '#features/platform/index.ts';
import {
  describeFailure,
  describeMore,
  type FailureNode,
  failureNode,
  type MoreNode,
  moreNode,
  type TreeItemSpec,
  type TreeNode,
} from '#shell/tree-item.ts';

export type WorkspaceSection = 'favourites' | 'folders' | 'reports' | 'workbooks';

export interface SectionNode extends TreeNode {
  readonly kind: 'section';
  readonly section: WorkspaceSection;
  /** The number of loaded rows; `undefined` if none could be loaded. */
  readonly count: number | undefined;
  readonly complete: boolean;
  readonly order?: string | undefined;
  readonly children: readonly WorkspaceNode[];
}

export interface FolderNode extends TreeNode, DeploymentTarget {
  readonly kind: 'folder';
  readonly itemId: string;
  readonly name: string;
  readonly children: readonly WorkspaceNode[] | undefined;
}

export interface ItemNode extends TreeNode, DeploymentTarget {
  readonly kind: 'item';
  readonly item: WorkspaceItem;
  /** The section or folder that contains this row: an item has a row in each. */
  readonly owner: string;
  readonly showPath: boolean;
  readonly isFavourite: boolean;
}

export type WorkspaceNode = SectionNode | FolderNode | ItemNode | FailureNode | MoreNode;

export interface ListInput<T> {
  readonly list: Paged<T> | undefined;
  readonly error: Failure | undefined;
}

export interface WorkspaceTreeInput extends DeploymentTarget {
  readonly favourites: readonly WorkspaceItem[];
  /** The label of the order of reports; `undefined` for the server's own order. */
  readonly order: string | undefined;
  readonly folders: ListInput<WorkspaceFolder>;
  readonly reports: ListInput<WorkspaceItem>;
  /** `undefined` if the platform's description does not list workbooks. */
  readonly workbooks: ListInput<WorkspaceItem> | undefined;
  /** The items of one folder; `undefined` until it was opened. */
  readonly contents: (folderId: string) => ListInput<WorkspaceItem> | undefined;
}

/** Builds the sections from what is loaded. Folders are nested; the items of a folder are loaded when it is opened. */
export function workspaceTree(input: WorkspaceTreeInput): readonly WorkspaceNode[] {
  const folders = input.folders.list?.items ?? [];
  const ids = new Set(folders.map((folder) => folder.id));
  const byParent = Map.groupBy(folders, (folder) =>
    folder.parentId !== undefined && ids.has(folder.parentId) ? folder.parentId : '',
  );
  const nodes: WorkspaceNode[] = [];
  if (input.favourites.length > 0) {
    const list = { list: { items: input.favourites, next: undefined }, error: undefined };
    nodes.push(section('favourites', list, itemNodes(input, 'favourites', input.favourites, true)));
  }
  if (folders.length > 0 || input.folders.error !== undefined) {
    nodes.push(section('folders', input.folders, folderNodes(input, byParent, '')));
  }
  const items = (name: 'reports' | 'workbooks', list: ListInput<WorkspaceItem>): void => {
    if (list.list !== undefined || list.error !== undefined) {
      const rows = itemNodes(input, name, list.list?.items ?? [], true);
      nodes.push({ ...section(name, list, rows), order: name === 'reports' ? input.order : undefined });
    }
  };
  if (input.workbooks) items('workbooks', input.workbooks);
  items('reports', input.reports);
  // Return no sections if all are empty, so that VS Code shows the view's welcome text.
  return nodes.some(({ children }) => children?.length !== 0) ? nodes : [];
}

function section(name: WorkspaceSection, list: ListInput<unknown>, rows: readonly WorkspaceNode[]): SectionNode {
  const id = `workspace/${name}`;
  return {
    kind: 'section',
    id,
    section: name,
    // Folders are nested, so count only the top-level rows.
    count: list.list && (name === 'folders' ? rows.filter(({ kind }) => kind === 'folder') : list.list.items).length,
    complete: list.list?.next === undefined,
    children: framed(id, name, list, rows),
  };
}

/** Adds a failure before the rows and *Load More* after them. */
function framed(
  id: string,
  retry: string,
  list: ListInput<unknown>,
  rows: readonly WorkspaceNode[],
): readonly WorkspaceNode[] {
  return [
    ...(list.error === undefined ? [] : [failureNode(id, list.error, `workspace:${retry}`)]),
    ...rows,
    ...(list.list?.next === undefined ? [] : [moreNode(id, `workspace:${retry}`)]),
  ];
}

function folderNodes(
  input: WorkspaceTreeInput,
  byParent: ReadonlyMap<string, readonly WorkspaceFolder[]>,
  parentId: string,
): readonly FolderNode[] {
  return (byParent.get(parentId) ?? []).map((folder) => {
    const id = `workspace/folder/${folder.id}`;
    const contents = input.contents(folder.id);
    return {
      kind: 'folder',
      id,
      accountId: input.accountId,
      deploymentId: input.deploymentId,
      itemId: folder.id,
      name: folder.name,
      children: contents && [
        ...folderNodes(input, byParent, folder.id),
        ...framed(id, `folder:${folder.id}`, contents, itemNodes(input, id, contents.list?.items ?? [], false)),
      ],
    };
  });
}

function itemNodes(
  input: WorkspaceTreeInput,
  owner: string,
  items: readonly WorkspaceItem[],
  showPath: boolean,
): readonly ItemNode[] {
  return items.map((item) => ({
    kind: 'item',
    id: `workspace/${owner}/${item.type}/${item.id}`,
    accountId: input.accountId,
    deploymentId: input.deploymentId,
    item,
    owner,
    showPath,
    isFavourite: input.favourites.some(({ type, id }) => type === item.type && id === item.id),
    children: [],
  }));
}

/** The target of rows that are dropped on a node: a folder (`undefined`: the top), the favourites, or nothing. */
export type DropTarget =
  | { readonly kind: 'folder'; readonly folderId: string | undefined }
  | { readonly kind: 'favourites' }
  | { readonly kind: 'nowhere' };

/** Returns the target of rows that are dropped on a node, or below the last one. */
export function dropTarget(node: WorkspaceNode | undefined): DropTarget {
  switch (node?.kind) {
    case undefined:
      return { kind: 'folder', folderId: undefined };
    case 'section':
      return node.section === 'favourites' ? { kind: 'favourites' } : { kind: 'folder', folderId: undefined };
    case 'folder':
      return { kind: 'folder', folderId: node.itemId };
    case 'item':
      return node.owner === 'favourites' ? { kind: 'favourites' } : { kind: 'folder', folderId: node.item.folderId };
    case 'failure':
    case 'more':
      return { kind: 'nowhere' };
    default:
      return unreachable(node);
  }
}

/** Describes the row of a node; its context value determines its menu. */
export function describeWorkspaceNode(node: WorkspaceNode): TreeItemSpec {
  switch (node.kind) {
    case 'failure':
      return describeFailure(node);
    case 'more':
      return describeMore();
    case 'section':
      return {
        label: sectionLabels[node.section],
        description: [countText(node), node.order ?? ''].filter((fact) => fact !== '').join(' · ') || undefined,
        contextValue: `section.${node.section}`,
        collapsible: node.children.length === 0 ? 'none' : 'expanded',
      };
    case 'folder':
      return { label: node.name, icon: { id: 'folder' }, contextValue: 'workspaceFolder', collapsible: 'collapsed' };
    case 'item':
      return describeItem(node);
    default:
      return unreachable(node);
  }
}

function countText({ count, complete }: SectionNode): string {
  if (count === undefined) return '';
  return complete ? String(count) : `${count}+`;
}

const sectionLabels: Readonly<Record<WorkspaceSection, string>> = {
  favourites: 'Favourites',
  folders: 'Folders',
  reports: 'Reports',
  workbooks: 'Workbooks',
};

function describeItem({ item, showPath, isFavourite }: ItemNode): TreeItemSpec {
  const what = item.type === 'REPORT' ? 'report' : 'workbook';
  const path = item.folderPath.join(' / ');
  const facts = [showPath ? path : '', item.canEdit ? '' : 'read-only'].filter((fact) => fact !== '');
  return {
    label: item.name,
    description: facts.join(' · ') || undefined,
    tooltip: [`${item.name} (${what})`, path, item.publicId, ...(item.facts ?? [])].filter(Boolean).join('\n'),
    icon: { id: item.type === 'REPORT' ? 'graph' : 'notebook' },
    contextValue: `item.${what}${item.canEdit ? '.canEdit' : ''}${item.canManage ? '.canManage' : ''}${isFavourite ? '.favourite' : ''}`,
    collapsible: 'none',
    command: { id: 'modelbench.workspace.open', title: 'Open' },
    spoken: `${what} ${item.name}${path === '' ? '' : `, in ${path}`}`,
  };
}
