import type { Contribution } from '#shell/vscode/contribution.ts';
import type { Accounts } from '#features/accounts/accounts.ts';
import type * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Erases at the next start what another window may have written about an account right after it was erased. */
export function leftoversContribution({ context, accounts }: LeftoversDeps): Contribution {
  return {
    id: 'eraseLeftovers',
    register: async () => {
      const { eraseLeftovers } = await import('#sync/disk/erase-account.ts');
      await eraseLeftovers(context.globalStorageUri.fsPath, (id) => accounts.get(id) !== undefined);
    },
  };
}

interface LeftoversDeps {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri'>;
  readonly accounts: Pick<Accounts, 'get'>;
}
