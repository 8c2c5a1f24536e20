import { eraseMissed } from '#shell/erased-texts.ts';
import { listedState } from '#shell/vscode/stores.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { Accounts } from '#features/accounts/accounts.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Erases at the next start, and when the window gets the focus, what another window may have written about an account right after it was erased. */
export function leftoversContribution({ context, accounts }: LeftoversDeps): Contribution {
  return {
    id: 'eraseLeftovers',
    register: async (store) => {
      const { eraseLeftovers } = await import('#sync/disk/erase-account.ts');
      await eraseLeftovers(context.globalStorageUri.fsPath, (id) => accounts.get(id) !== undefined);
      const states = { user: listedState(context.globalState), workspace: listedState(context.workspaceState) };
      store.add(accounts.all.onDidChange(() => void eraseMissed(states)));
      // What another window noted may arrive here after its change of the accounts.
      store.add(vscode.window.onDidChangeWindowState(({ focused }) => void (focused && eraseMissed(states))));
      await eraseMissed(states);
    },
  };
}

interface LeftoversDeps {
  readonly context: Pick<vscode.ExtensionContext, 'globalState' | 'globalStorageUri' | 'workspaceState'>;
  readonly accounts: Pick<Accounts, 'all' | 'get'>;
}
