import { describe, expect, it } from 'vitest';
import {
  describeWorkspaceNode,
  dropTarget,
  type WorkspaceNode,
  workspaceTree,
  type WorkspaceTreeInput,
} from '#features/workspace/workspace-tree.ts';
import { drawn } from '#support/drawn-tree.ts';

const report = {
  type: 'REPORT',
  id: '7',
  name: 'Margin',
  publicId: 'margin',
  folderId: '2',
  folderPath: ['Sales', 'Weekly'],
  canEdit: false,
  canManage: false,
} as const;
const all = <T>(...items: readonly T[]) => ({ list: { items, next: undefined }, error: undefined });
const input: WorkspaceTreeInput = {
  accountId: 'a',
  deploymentId: '1',
  favourites: [report],
  order: 'by name',
  folders: all({ id: '1', name: 'Sales', parentId: undefined }, { id: '2', name: 'Weekly', parentId: '1' }),
  reports: { list: { items: [report], next: 'cursor' }, error: undefined },
  workbooks: undefined,
  contents: (id) => (id === '1' ? all(report) : undefined),
};

const unreached = { title: 'Cannot be reached', message: 'Try again later.' };

describe('workspace tree', () => {
  it('nests folders, pages lists and keeps unopened folders unloaded', () => {
    expect(drawn(workspaceTree(input), describeWorkspaceNode)).toEqual([
      'Favourites (1) [section.favourites]',
      '  Margin (Sales / Weekly · read-only) [item.report.favourite]',
      'Folders (1) [section.folders]',
      '  Sales [workspaceFolder]',
      '    Weekly [workspaceFolder]',
      '    Margin (read-only) [item.report.favourite]',
      'Reports (1+ · by name) [section.reports]',
      '  Margin (Sales / Weekly · read-only) [item.report.favourite]',
      '  Load More… [more]',
    ]);
  });

  it('opens reports and workbooks with a click', () => {
    const items = [report, { ...report, type: 'WORKBOOK', id: '8', name: 'Board' }] as const;
    const rows = workspaceTree({ ...input, favourites: items }).find(({ id }) => id.includes('favourites'))?.children;
    const commands = (rows as readonly WorkspaceNode[]).map((row) => describeWorkspaceNode(row).command?.id);
    expect(commands).toEqual(['modelbench.workspace.open', 'modelbench.workspace.open']);
  });

  it('shows a failure above what is still known, in the list that failed', () => {
    const failed = { list: { items: [report], next: undefined }, error: unreached };
    const lines = drawn(workspaceTree({ ...input, favourites: [], reports: failed }), describeWorkspaceNode);
    expect(lines.slice(-3)).toEqual([
      'Reports (1 · by name) [section.reports]',
      '  Cannot be reached (Try again later.) [failure]',
      '  Margin (Sales / Weekly · read-only) [item.report]',
    ]);
  });

  it('does not count what could not be loaded', () => {
    const failed = { list: undefined, error: unreached };
    const lines = drawn(workspaceTree({ ...input, favourites: [], folders: failed }), describeWorkspaceNode);
    expect(lines.slice(0, 2)).toEqual([
      'Folders [section.folders]',
      '  Cannot be reached (Try again later.) [failure]',
    ]);
  });
});

describe('what is dropped on a row of the Workspace view', () => {
  const flat = (nodes: readonly WorkspaceNode[]): readonly WorkspaceNode[] =>
    nodes.flatMap((node) => [node, ...flat((node.children ?? []) as readonly WorkspaceNode[])]);

  it.each([
    ['workspace/folder/2', { kind: 'folder', folderId: '2' }],
    ['workspace/folders', { kind: 'folder', folderId: undefined }],
    ['workspace/reports/REPORT/7', { kind: 'folder', folderId: '2' }],
    ['workspace/favourites', { kind: 'favourites' }],
    ['workspace/favourites/REPORT/7', { kind: 'favourites' }],
    ['workspace/reports/more', { kind: 'nowhere' }],
  ])('goes from %s to %j', (id, place) => {
    const nodes = flat(workspaceTree(input)).filter((node) => node.id === id);
    expect(nodes.map((node) => dropTarget(node))).toEqual([place]);
  });

  it('goes to the top below the last row', () => {
    expect(dropTarget(undefined)).toEqual({ kind: 'folder', folderId: undefined });
  });
});
