import type { AccountClients, Client } from '#api/client.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** The platform as tools reach it: with the connection of the account that the window shows. */
interface WindowAccess {
  readonly client: Client;
  readonly tenantUrl: string;
  /** The deployment that the folder is linked to, if it is the shown one. */
  readonly linkedDeployment: string | undefined;
  readonly shownDeployment: string;
}

/** Returns access to the platform with a deployment's account; `undefined` if its user is signed out. */
export function windowAccess(
  { accounts, data }: { readonly accounts: Pick<Accounts, 'get'>; readonly data: AccountClients },
  target: DeploymentTarget,
  isLinked: boolean,
): WindowAccess | undefined {
  const account = accounts.get(target.accountId);
  if (!account) return undefined;
  return {
    client: data.client(account.id),
    tenantUrl: account.tenantUrl,
    linkedDeployment: isLinked ? target.deploymentId : undefined,
    shownDeployment: target.deploymentId,
  };
}
