import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { isEqual } from '#base/equal.ts';
import { type Account, comparableUrl, type TenantSuggestion } from '#features/accounts/index.ts';
import { type DeepLink, parseDeepLink, type Resource } from '#features/platform/index.ts';
import { UserError } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { views } from '#shell/view-ids.ts';
import { executeBuiltIn, focusView } from '#shell/vscode/guarded/commands.ts';
import type { FollowLinkDeps } from './deps.ts';

/** Opens the target of a link; asks the user to sign in if there is no account at its tenant. */
export async function followLink(deps: FollowLinkDeps, { path, query }: LinkAddress): Promise<void> {
  const link = parseDeepLink(path, query);
  if (!link.ok) throw new UserError(link.error);
  await follow(deps, link.value);
}

/** The parts of a link's address that are read. */
export interface LinkAddress {
  readonly path: string;
  readonly query: string;
}

async function follow(deps: FollowLinkDeps, link: DeepLink): Promise<void> {
  const account = accountFor(deps, link) ?? (await deps.signIn(suggestionOf(link)));
  if (!account) return;
  const target = { accountId: account.id, deploymentId: link.deploymentId };
  await mustExist(deps, account, link);
  if (!(await mayShow(deps, target))) return;
  await deps.session.select(target);
  const { branchName, path, chatId } = link;
  if (chatId !== undefined) return deps.openThread(chatId);
  await focusView(views.branches);
  if (branchName === undefined || path === undefined) return;
  await executeBuiltIn('vscode.open', deps.remote.uri({ ...target, branchName }, path));
}

function suggestionOf({ tenantUrl }: DeepLink): TenantSuggestion | undefined {
  return tenantUrl === undefined ? undefined : { from: 'link', tenantUrl };
}

/** Returns the account at the link's tenant; if there are several, the one that the window uses. */
function accountFor({ accounts, session }: FollowLinkDeps, { tenantUrl }: DeepLink): Account | undefined {
  const present = accounts.get(session.active.value?.accountId ?? '');
  if (tenantUrl === undefined) return present ?? accounts.all.value[0];
  const isThere = present && comparableUrl(present.tenantUrl) === comparableUrl(tenantUrl);
  return isThere ? present : accounts.ofTenant(tenantUrl);
}

/** Throws `UserError` if the deployment or branch of a link does not exist. */
async function mustExist(
  { data }: FollowLinkDeps,
  account: Account,
  { deploymentId, branchName }: DeepLink,
): Promise<void> {
  if (!(await holds(data.deployments(account.id), ({ id }) => id === deploymentId))) {
    throw new UserError(
      `This link opens deployment ${deploymentId}, which does not exist or which ${account.label} may not see.`,
    );
  }
  if (branchName === undefined) return;
  const target = { accountId: account.id, deploymentId };
  if (!(await holds(data.of(target).branches, ({ name }) => name === branchName))) {
    throw new UserError(`This link opens the branch “${branchName}” of ${data.nameOf(target)}, which does not exist.`);
  }
}

/** Resolves to whether the list contains an item; refreshes the list first if not, because the item may be new. */
async function holds<T>(list: Resource<readonly T[]>, isIt: (item: T) => boolean): Promise<boolean> {
  if ((await list.get()).some(isIt)) return true;
  await list.refresh();
  return (await list.get()).some(isIt);
}

/** Asks before the window switches to another deployment; resolves to whether it may. */
async function mayShow({ session, data }: FollowLinkDeps, target: DeploymentTarget): Promise<boolean> {
  const present = session.active.value;
  if (!present || isEqual(present, target)) return true;
  const show = text`Show ${data.nameOf(target)}`;
  const detail = 'Files, dev mode and running answers stay as they are; the views show the other deployment.';
  const message = `This link opens ${data.nameOf(target)}. The window shows ${data.nameOf(present)}.`;
  return (
    (await vscode.window.showInformationMessage(textOf(message), { modal: true, detail: textOf(detail) }, show)) ===
    show
  );
}
