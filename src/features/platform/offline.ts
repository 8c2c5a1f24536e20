import { isPlatformError } from '#api/errors.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { PlatformData } from './platform-data.ts';

/** Whether no tenant can be reached and no earlier response can be shown. */
export function isOffline({ accounts, data }: { readonly accounts: Accounts; readonly data: PlatformData }): boolean {
  const all = accounts.all.value;
  return (
    all.length > 0 &&
    all.every(({ id }) => {
      const { value, error } = data.deployments(id).state.value;
      return value === undefined && isPlatformError(error, 'network');
    })
  );
}
