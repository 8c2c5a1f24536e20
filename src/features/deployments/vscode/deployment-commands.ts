import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { openAddress } from '#shell/vscode/guarded/open-address.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentCommands } from '#shell/commands/commands.ts';
import { loadMore, refreshDeployments, refreshWorkspace, retry } from '#features/deployments/refresh.ts';
import type { DeploymentCommandDeps } from './deps.ts';
import { pickDeployment } from '#features/platform/vscode/index.ts';
import type { Handlers } from '#shell/vscode/register.ts';

/** Returns the command handlers of the Deployments view, and those of the Workspace view that reload lists. */
export function deploymentCommands({
  picking,
  refreshing,
  branchPages,
}: DeploymentCommandDeps): Handlers<DeploymentCommands> {
  const { accounts, session } = picking;
  return {
    'modelbench.deployments.refresh': async (target) => refreshDeployments(refreshing, target),
    'modelbench.workspace.refresh': async () => refreshWorkspace(refreshing),
    'modelbench.retry': async (target) => retry(refreshing, target?.retry ?? ''),
    'modelbench.copy': async (target) => {
      const text = target?.copy;
      if (text === undefined) throw new Hint('Select a row with an address or a name to copy.');
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage('$(check) Copied', 3000);
    },
    'modelbench.selectDeployment': async (given) => {
      const target = given ?? (await pickDeployment(picking, 'Which deployment do you want to work on?'));
      if (target) await session.select(target);
    },
    'modelbench.openInBrowser': async (target) => {
      const id = target?.accountId ?? session.active.value?.accountId;
      const account = id === undefined ? accounts.all.value[0] : accounts.get(id);
      if (account) await openAddress(account.tenantUrl, account.tenantUrl);
    },
    'modelbench.workspace.loadMore': async (target) =>
      loadMore({ data: refreshing.data, session, offers: refreshing.offers, branchPages }, target?.retry ?? ''),
  };
}
