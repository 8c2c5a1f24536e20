import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { Queries } from '#features/data/queries.ts';
import type { QueryTarget } from '#features/data/query-service.ts';
import { parseServerAddress } from '#features/data/server-address.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';

interface Choice extends vscode.QuickPickItem {
  /** Stores the choice; resolves to `false` if the user cancels. */
  readonly choose: (folder: string) => Promise<boolean>;
}

/** Asks for the target of queries in the active editor's folder, and stores it for this workspace. */
export async function chooseTarget(queries: Queries): Promise<void> {
  const { choices } = queries;
  const folder = activeFolder();
  const store = async (target: QueryTarget | undefined): Promise<boolean> => {
    await choices.choose(folder, target);
    return true;
  };
  const items = choices.refresh().then((all): Choice[] => [
    {
      label: text`$(git-branch) Environment of the Branch`,
      description: text`follows the active branch`,
      choose: () => store(undefined),
    },
    ...all.map(({ target, name }) => ({ label: textOf(name), choose: () => store(target) })),
    {
      label: text`$(add) Add Cube Core Server…`,
      choose: async () => {
        const restUrl = await askServer(queries);
        return restUrl !== undefined && store(await choices.add(restUrl));
      },
    },
  ]);
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Choose Where Queries Run`,
    placeHolder: text`Preview Data and the playground run there from now on`,
  });
  if (!picked || !(await picked.choose(folder))) return;
  const chosen = choices.chosen(folder);
  const name = chosen ? await queries.nameOf(chosen) : 'the environment of the branch';
  void vscode.window.showInformationMessage(text`Queries now run on ${name}.`);
}

/** Returns the workspace folder of a document, as the key of stored choices; empty (the window) if it is in none. */
export function folderOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() ?? '';
}

/** Returns the workspace folder of the active editor, as the key of stored choices; without an editor, the first folder. */
export function activeFolder(): string {
  const uri = vscode.window.activeTextEditor?.document.uri ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  return uri ? folderOf(uri) : '';
}

async function askServer(queries: Queries): Promise<string | undefined> {
  const problemOf = (typed: string): string | undefined => {
    const address = parseServerAddress(typed);
    return address.ok ? undefined : address.error;
  };
  let found: string | undefined;
  await askChecked({
    title: text`Add Cube Core Server`,
    prompt: text`The address of the server. It must be https://, or a server on this machine.`,
    placeholder: text`https://cube.example.com`,
    validate: problemOf,
    check: async (value, signal) => {
      const address = parseServerAddress(value);
      if (!address.ok) return address.error;
      const server = await queries.find(address.value, signal);
      found = server.ok ? server.value : undefined;
      return server.ok ? undefined : server.error;
    },
  });
  return found;
}
