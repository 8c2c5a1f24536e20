import { textOf } from '#base/user-text.ts';
import { DisposableStore } from '#base/disposable.ts';
import { titleCase } from '#base/words.ts';
import { AdminTable } from '#features/administration/admin-table.ts';
import { type HostToTable, parseTableToHost, type TableAction } from '#features/administration/messages.ts';
import { type AdminList, listKey, listLabels } from '#features/administration/rows.ts';
import { listView } from '#shell/view-ids.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { requireTrust } from '#shell/trust.ts';
import { closeWith, pageIn } from '#shell/vscode/webview.ts';
import * as changes from './changes.ts';
import type { ChosenRows } from './choose.ts';
import type { AdminHandlerDeps } from './deps.ts';
import * as embedding from './embedding.ts';
import * as objects from './objects.ts';

/** The open tables of administration lists, one editor each. */
export class AdminTables {
  readonly #deps: AdminHandlerDeps;
  readonly #boundary: ErrorBoundary;
  readonly #owned = new DisposableStore();
  readonly #open = new Map<string, { readonly accountId: string; readonly panel: vscode.WebviewPanel }>();

  constructor(deps: AdminHandlerDeps, boundary: ErrorBoundary) {
    this.#deps = deps;
    this.#boundary = boundary;
    this.#owned.add(
      deps.accounts.all.onDidChange((all) => {
        const left = [...this.#open.values()].filter(({ accountId }) => !all.some(({ id }) => id === accountId));
        for (const { panel } of left) panel.dispose();
      }),
    );
  }

  /** Shows a list as a table, or reveals the one that is already open. */
  show(accountId: string, list: AdminList): void {
    const key = JSON.stringify([accountId, listKey(list)]);
    const present = this.#open.get(key);
    if (present) {
      present.panel.reveal();
      return;
    }
    const title = textOf(titleCase(listLabels[list.list]));
    const panel = vscode.window.createWebviewPanel(listView, title, vscode.ViewColumn.Active, {
      // The host stores the rows, but the filter, the order and the active cell would be lost with the page.
      retainContextWhenHidden: true,
    });
    this.#open.set(key, { accountId, panel });
    const shown = this.#fill(panel, accountId, list);
    closeWith(this.#owned, panel, () => {
      this.#open.delete(key);
      shown.dispose();
    });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #fill(panel: vscode.WebviewPanel, accountId: string, list: AdminList): DisposableStore {
    const { admin, context } = this.#deps;
    const store = new DisposableStore();
    const page = pageIn<HostToTable>(panel.webview, context.extensionUri, 'list');
    const owner = objects.accountOf(this.#deps, accountId).label;
    const table = store.add(
      new AdminTable(
        { list, owner },
        {
          load: admin.tableRows(accountId, list),
          post: page.post,
          act: async (action, rows) => this.#act(action, { accountId, list, rows }),
          create: async () => objects.create(this.#deps, { accountId, list }),
        },
      ),
    );
    const failed = (error: unknown): void => void this.#boundary('Administration', error);
    store.add(
      admin.onDidRefresh((isMeant) => {
        if (isMeant(accountId, list)) table.refresh().catch(failed);
      }),
    );
    page.show(async (raw) => {
      const message = parseTableToHost(raw);
      if (message?.type === 'create') requireTrust(this.#deps);
      if (message) await table.receive(message);
    }, failed);
    return store;
  }

  async #act(action: TableAction, chosen: ChosenRows): Promise<void> {
    if (action !== 'open' && action !== 'editValues') requireTrust(this.#deps);
    await acts[action](this.#deps, chosen);
  }
}

const acts: Readonly<Record<TableAction, (deps: AdminHandlerDeps, chosen: ChosenRows) => Promise<void>>> = {
  open: objects.openRows,
  editValues: objects.openValues,
  activate: async (deps, chosen) => changes.setActive(deps, chosen, true),
  deactivate: async (deps, chosen) => changes.setActive(deps, chosen, false),
  connect: objects.connect,
  removeMembers: embedding.takeOut,
  delete: changes.remove,
};
