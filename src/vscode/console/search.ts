import * as vscode from 'vscode';
import type { CommandId } from '#protocol/commands.ts';
import type { WorkspaceItem } from '#features/workspace-items.ts';
import type { ConsoleServices } from './deps.ts';
import { searchItem } from './workspace-console.ts';

interface Action {
  readonly label: string;
  readonly command: CommandId;
  readonly fits?: (item: WorkspaceItem) => boolean;
}

const isWorkbook = ({ type }: WorkspaceItem): boolean => type === 'WORKBOOK';

/** What can be done with what was found, as its menu in the Workspace view has it. */
const actions: readonly Action[] = [
  { label: '$(edit) Edit Dashboard Draft', command: 'modelbench.dashboard.open', fits: isWorkbook },
  { label: '$(open-preview) Preview Dashboard Layout', command: 'modelbench.dashboard.preview', fits: isWorkbook },
  {
    label: '$(json) Edit as Document',
    command: 'modelbench.workspace.edit',
    fits: ({ canEdit, publicId }) => canEdit && publicId !== undefined,
  },
  { label: '$(copy) Copy Id', command: 'modelbench.workspace.copyId' },
  { label: '$(star) Add to Favourites', command: 'modelbench.workspace.addFavourite' },
  { label: '$(arrow-right) Move…', command: 'modelbench.workspace.move', fits: ({ canEdit }) => canEdit },
  { label: '$(trash) Delete…', command: 'modelbench.workspace.delete', fits: ({ canManage }) => canManage },
];

/** Searches on the platform and does something with what is found. */
export async function search(services: ConsoleServices): Promise<void> {
  const found = await searchItem(services, { question: 'Search reports and workbooks' });
  if (!found) return;
  const { target, item } = found;
  const picked = await vscode.window.showQuickPick(
    actions.filter(({ fits }) => fits?.(item) ?? true),
    { title: item.name, placeHolder: 'What with it?' },
  );
  if (picked) await vscode.commands.executeCommand(picked.command, { kind: 'item', ...target, item });
}
