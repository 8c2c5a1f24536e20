import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deleteDataModelFiles } from '#api/data-model.ts';
import { press, type User } from './user.ts';
import type { SuitePlatform } from './platform.ts';
import { it } from './runner.ts';

interface Desk {
  readonly platform: SuitePlatform;
  readonly user: User;
  readonly folder: vscode.Uri;
  readonly branchName: string;
}

type Row = vscode.QuickPickItem;

/** The box of the trash, and what the user does with its rows once it is shown. */
class TrashBox {
  items: readonly Row[] = [];
  selectedItems: readonly Row[] = [];
  activeItems: readonly Row[] = [];
  readonly #user: (box: TrashBox) => void;
  readonly #listeners = new Map<string, (event: unknown) => void>();

  constructor(user: (box: TrashBox) => void) {
    this.#user = user;
  }

  readonly onDidTriggerButton = this.#hear('button');
  readonly onDidTriggerItemButton = this.#hear('itemButton');
  readonly onDidAccept = this.#hear('accept');
  readonly onDidHide = this.#hear('hide');

  show(): void {
    this.activeItems = this.items.slice(0, 1);
    this.#user(this);
  }

  does(what: 'button' | 'itemButton' | 'accept' | 'hide', event?: unknown): void {
    this.#listeners.get(what)?.(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }

  #hear(what: string): (listen: (event: unknown) => void) => vscode.Disposable {
    return (listen) => {
      this.#listeners.set(what, listen);
      return { dispose: () => this.#listeners.delete(what) };
    };
  }
}

/** Opens the trash of one file; answers the rows that were shown. */
export async function openTrash(file: object, user: (box: TrashBox) => void): Promise<readonly Row[]> {
  const box = new TrashBox(user);
  const { createQuickPick } = vscode.window;
  Object.assign(vscode.window, { createQuickPick: () => box });
  try {
    await vscode.commands.executeCommand('modelbench.trash.restore', file);
  } finally {
    Object.assign(vscode.window, { createQuickPick });
  }
  return box.items;
}

/** Gives back what a pull deleted, and what restoring replaced; `at` a desk whose folder is in step with its branch. */
export function trashTests(at: () => Promise<Desk>, until: (isSo: () => Promise<boolean>) => Promise<void>): void {
  it('give back from the trash what a pull deleted, compared before, and what that replaced', async () => {
    const { platform, user, folder, branchName } = await at();
    const path = 'model/views/theirs.yml';
    const uri = vscode.Uri.joinPath(folder, path);
    const file = { folderId: folder.toString(), path };
    const text = async (): Promise<string> =>
      vscode.workspace.fs.readFile(uri).then(
        (bytes) => new TextDecoder().decode(bytes),
        () => '',
      );
    const before = await text();
    assert.notEqual(before, '');

    const body = { branchName, files: [{ path }] };
    await platform.client.call(deleteDataModelFiles, { params: { deploymentId: '1' }, body });
    await user.does('modelbench.pullFiles', undefined);
    const said = await user.does('modelbench.plan.apply', undefined, press('Restore'));
    assert.match(said, /Pulled 1 file\. 1 earlier version is in the trash\./);
    await until(async () => (await text()) === before);

    const opened = await openTrash(file, (box) => {
      box.does('itemButton', { item: box.items[0] });
      box.does('hide');
    });
    assert.match(opened[0]?.detail ?? '', /deleted on the platform · \d+ B$/);
    const tabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isCompared = ({ label }: vscode.Tab): boolean => label.startsWith('theirs.yml (Now ↔ Trash');
    await until(async () => tabs().some(isCompared));
    assert.equal(await text(), before);
    await vscode.window.tabGroups.close(tabs().filter(isCompared));

    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('# mine\n'));
    await openTrash(file, (box) => box.does('accept'));
    assert.equal(await text(), before);
    const rows = await openTrash(file, (box) => {
      box.selectedItems = box.items.slice(0, 1);
      box.does('accept');
    });
    assert.match(rows[0]?.detail ?? '', /replaced by a restored version · 7 B$/);
    assert.equal(await text(), '# mine\n');
    await vscode.workspace.fs.delete(uri);
  });
}
