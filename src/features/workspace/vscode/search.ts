import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import type { CommandsOn } from '#shell/commands/commands.ts';
import type { WorkspaceItem } from '#features/platform/index.ts';
import type { SearchDeps } from './deps.ts';
import type { TreeRow } from '#shell/targets.ts';
import { searchItem } from './choose-items.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';

interface Action {
  readonly label: UserText;
  readonly command: CommandsOn<TreeRow>;
  readonly fits?: (item: WorkspaceItem) => boolean;
}

const isWorkbook = ({ type }: WorkspaceItem): boolean => type === 'WORKBOOK';

/** The actions for a found item, as in its menu in the Workspace view. */
const actions: readonly Action[] = [
  { label: text`$(edit) Edit Dashboard Draft`, command: 'modelbench.dashboard.open', fits: isWorkbook },
  { label: text`$(open-preview) Preview Dashboard Layout`, command: 'modelbench.dashboard.preview', fits: isWorkbook },
  {
    label: text`$(json) Edit as Document`,
    command: 'modelbench.workspace.edit',
    fits: ({ canEdit, publicId }) => canEdit && publicId !== undefined,
  },
  { label: text`$(copy) Copy ID`, command: 'modelbench.workspace.copyId' },
  { label: text`$(star) Add to Favourites`, command: 'modelbench.workspace.addFavourite' },
  { label: text`$(arrow-right) Move…`, command: 'modelbench.workspace.move', fits: ({ canEdit }) => canEdit },
  { label: text`$(trash) Delete…`, command: 'modelbench.workspace.delete', fits: ({ canManage }) => canManage },
];

/** Searches for an item on the platform and asks what to do with it. */
export async function search(services: SearchDeps): Promise<void> {
  const found = await searchItem(services, { question: 'Search reports and workbooks' });
  if (!found) return;
  const { target, item } = found;
  const row = { kind: 'item', ...target, item };
  const picked = await vscode.window.showQuickPick(
    actions.filter(({ fits }) => fits?.(item) ?? true),
    { title: textOf(item.name), placeHolder: text`What do you want to do with it?` },
  );
  if (picked) await execute(picked.command, row);
}
