import * as vscode from 'vscode';
import { deepLink, type DeepLink, parseDeepLink } from '#features/deep-link.ts';
import { UserError } from '#features/user-error.ts';
import type { BranchTarget } from '#protocol/targets.ts';
import { views } from '#protocol/views.ts';
import { signIn } from '../commands/sign-in.ts';
import type { Contribution } from '../contribution.ts';
import type { Services } from '../services.ts';

/** Opens links into the extension: a deployment, a branch, a file of a branch. Links only show, they change nothing. */
export function uriHandlerContribution(services: Services): Contribution {
  return {
    id: 'uriHandler',
    register: (store) => {
      store.add(
        vscode.window.registerUriHandler({
          handleUri: async (uri) => {
            try {
              const link = parseDeepLink(uri.path, uri.query);
              if (!link.ok) throw new UserError(link.error);
              await follow(services, link.value);
            } catch (error) {
              void services.boundary('link', error);
            }
          },
        }),
      );
    },
  };
}

async function follow(services: Services, { tenantUrl, deploymentId, branchName, path }: DeepLink): Promise<void> {
  const known = tenantUrl === undefined ? services.accounts.all.value[0] : services.accounts.ofTenant(tenantUrl);
  const account = known ?? (await signIn(services, tenantUrl));
  if (!account) return;
  const target = { accountId: account.id, deploymentId };
  await services.session.select(target);
  await vscode.commands.executeCommand(`${views.branches}.focus`);
  if (branchName === undefined || path === undefined) return;
  await vscode.commands.executeCommand('vscode.open', services.remote.uri({ ...target, branchName }, path));
}

/** The address of a branch that another person can open in their VS Code. */
export function linkTo(services: Pick<Services, 'accountOf' | 'context'>, target: BranchTarget): string {
  const { deploymentId, branchName } = target;
  const tenantUrl = services.accountOf(target.accountId)?.tenantUrl;
  const { path, query } = deepLink({ tenantUrl, deploymentId, branchName, path: undefined });
  // VS Code decodes a link once before it hands it over, so it is written with its own encoding around ours.
  const scheme = vscode.env.uriScheme;
  return vscode.Uri.from({ scheme, authority: services.context.extension.id, path, query }).toString();
}
