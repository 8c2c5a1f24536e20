import { eraseMissed } from '#shell/erased-texts.ts';
import { listedState } from '#shell/vscode/stores.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { Accounts } from '#features/accounts/accounts.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Closes the editors of accounts that are signed out. Erases at the next start, and when the window gets the focus, what another window may have written about an account right after it was erased. */
export function leftoversContribution({ context, accounts, closeEditors }: LeftoversDeps): Contribution {
  return {
    id: 'eraseLeftovers',
    register: async (store) => {
      const { eraseLeftovers } = await import('#sync/disk/erase-account.ts');
      await eraseLeftovers(context.globalStorageUri.fsPath, (id) => accounts.get(id) !== undefined);
      const states = { user: listedState(context.globalState), workspace: listedState(context.workspaceState) };
      let before = accounts.all.value;
      store.add(
        accounts.all.onDidChange((all) => {
          const gone = before.filter(({ id }) => all.every((other) => other.id !== id));
          before = all;
          if (gone.length > 0) void closeEditors(gone.map(({ id }) => id));
          void eraseMissed(states);
        }),
      );
      // What another window noted may arrive here after its change of the accounts.
      store.add(vscode.window.onDidChangeWindowState(({ focused }) => void (focused && eraseMissed(states))));
      await eraseMissed(states);
    },
  };
}

interface LeftoversDeps {
  readonly closeEditors: (accountIds: readonly string[]) => Promise<void>;
  readonly context: Pick<vscode.ExtensionContext, 'globalState' | 'globalStorageUri' | 'workspaceState'>;
  readonly accounts: Pick<Accounts, 'all' | 'get'>;
}
