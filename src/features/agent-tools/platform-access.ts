import type { AccountClients, Client } from '#api/client.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** How tools reach the platform: with the connection of the account that the window shows. */
interface WindowAccess {
  readonly client: Client;
  readonly tenantUrl: string;
  /** The deployment that the folder is linked to, where it is the shown one. */
  readonly linkedDeployment: string | undefined;
  readonly shownDeployment: string;
}

/** The platform of a deployment's account; `undefined` where its user is signed out. */
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
