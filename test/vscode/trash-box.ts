import * as vscode from 'vscode';

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
