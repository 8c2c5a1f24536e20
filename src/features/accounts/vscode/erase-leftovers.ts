import type { Contribution } from '#shell/vscode/contribution.ts';
import type { Services } from '#compose/services.ts';

/** Another window may have written something of an account right after it was erased: the next start erases that, too. */
export function leftoversContribution({ context, accounts }: Services): Contribution {
  return {
    id: 'eraseLeftovers',
    register: async () => {
      const { eraseLeftovers } = await import('#sync/disk/erase-account.ts');
      await eraseLeftovers(context.globalStorageUri.fsPath, (id) => accounts.get(id) !== undefined);
    },
  };
}
