import type { Contribution } from '#shell/vscode/contribution.ts';
import type { Accounts } from '#features/accounts/accounts.ts';
import type * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Another window may have written something of an account right after it was erased: the next start erases that, too. */
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
