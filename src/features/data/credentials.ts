import type { Origin } from '#base/origin.ts';
import type { SecretStore } from '#shell/ports.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { QueryCredential, TokenPorts } from './token-broker.ts';

/** The owner of a credential: the origin that tokens are sent to, and the environment of a deployment (none for Cube Core). */
export interface CredentialOwner {
  readonly origin: Origin;
  /** The base address of its data API: several servers may share a host. */
  readonly restUrl: string;
  readonly environment?: (DeploymentTarget & { readonly environmentId: string }) | undefined;
}

/**
 * Returns access to the user's credentials for a target in the secret storage. The key includes the origin: a credential for one
 * host is not used for another host that the platform names later. The API secret belongs to the deployment, so that it is
 * entered once for all its environments. Signing out finds all of them by the account.
 */
export function storedCredentials(
  secrets: SecretStore,
  { origin, restUrl, environment }: CredentialOwner,
): Pick<TokenPorts, 'read' | 'keep' | 'drop'> {
  const names = environment ? namesIn(environment, origin) : namesOf(restUrl);
  return {
    read: (kind) => secrets.get(names[kind]),
    keep: async ({ kind, value }) => {
      await secrets.set(names[kind], value);
      await secrets.delete(names[other[kind]]);
    },
    drop: (kind) => secrets.delete(names[kind]),
  };
}

const other = { secret: 'token', token: 'secret' } as const satisfies Record<
  QueryCredential['kind'],
  QueryCredential['kind']
>;

type Names = Readonly<Record<QueryCredential['kind'] | 'earlier', string>>;

function namesIn(
  { accountId, deploymentId, environmentId }: DeploymentTarget & { environmentId: string },
  origin: Origin,
): Names {
  const inEnvironment = JSON.stringify([accountId, deploymentId, environmentId, origin]);
  return {
    secret: `data.secret.${JSON.stringify([accountId, deploymentId, origin])}`,
    token: `data.testedToken.${inEnvironment}`,
    earlier: `data.token.${inEnvironment}`,
  };
}

function namesOf(restUrl: string): Names {
  const server = JSON.stringify(['', restUrl]);
  return { secret: `data.secret.${server}`, token: `data.testedToken.${server}`, earlier: `data.token.${server}` };
}
