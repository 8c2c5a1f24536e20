import type { Capabilities } from '#api/description/capabilities.ts';
import type { AccountClients, Client } from '#api/client/client.ts';
import { unsupportedError } from '#api/client/failure.ts';
import type { Operation } from '#api/operation.ts';
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

interface WindowAccounts {
  readonly accounts: Pick<Accounts, 'get'>;
  readonly capabilitiesOf: (accountId: string) => Promise<Capabilities>;
  readonly data: AccountClients;
}

/** Returns access to the platform with a deployment's account; `undefined` if its user is signed out. */
export function windowAccess(
  { accounts, capabilitiesOf, data }: WindowAccounts,
  target: DeploymentTarget,
  isLinked: boolean,
): WindowAccess | undefined {
  const account = accounts.get(target.accountId);
  if (!account) return undefined;
  return {
    client: askingListed(data.client(account.id), async () => capabilitiesOf(account.id)),
    tenantUrl: account.tenantUrl,
    linkedDeployment: isLinked ? target.deploymentId : undefined,
    shownDeployment: target.deploymentId,
  };
}

/** Returns a client that does not send optional operations that the server does not list, as on the command line. */
function askingListed(client: Client, capabilities: () => Promise<Capabilities>): Client {
  const requireListed = async (op: Operation): Promise<void> => {
    if (!op.described || op.anonymous || (await capabilities()).has(op)) return;
    throw unsupportedError(op);
  };
  return {
    call: async (op, request, options) => {
      await requireListed(op);
      return client.call(op, request, options);
    },
    open: async (op, request, options) => {
      await requireListed(op);
      return client.open(op, request, options);
    },
  };
}
