import { deployBranchOf } from '#features/platform/index.ts';
import type { ApiEntry } from '#features/api-explorer/catalogue.ts';
import { type OperationEffect, operationEffect } from '#features/api-explorer/effects.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { setting } from '#shell/vscode/settings.ts';
import type { ApiConnection } from '#features/api-explorer/connection.ts';
import type { ExplorerDeps } from './deps.ts';

type Values = Readonly<Record<string, string | undefined>>;

/** Resolves to values to fill in a request with, by field: the shown deployment, its branch and environment, the chat's agent. */
export async function knownValues(
  services: ExplorerDeps,
  accountId: string,
  { op, origin }: Pick<ApiEntry, 'op' | 'origin'>,
): Promise<Readonly<Record<string, string>>> {
  const target = services.session.active.value;
  const known: Values = {
    ...(target?.accountId === accountId
      ? ofDeployment(services, target, operationEffect(op, origin === 'server'))
      : {}),
    ...ofChat(await services.requests.connection(accountId)),
  };
  return Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

function ofDeployment({ data, session }: ExplorerDeps, target: DeploymentTarget, effect: OperationEffect): Values {
  const loaded = data.known(target);
  const deployBranch = deployBranchOf(loaded?.branches.value ?? [])?.name;
  const environments = loaded?.environments.value ?? [];
  return {
    deploymentId: target.deploymentId,
    // Never suggest the production branch for a request that deletes or replaces something.
    branchName: session.activeBranch(target) ?? (effect === 'destroys' ? undefined : deployBranch),
    environmentId: (environments.find(({ type }) => type === 'production') ?? environments[0])?.id,
  };
}

function ofChat({ chat }: ApiConnection): Values {
  return {
    accountName: chat?.accountName,
    agentId: chat?.form === 'agent' ? chat.agentId : undefined,
    externalId: setting('chat.externalId'),
  };
}
