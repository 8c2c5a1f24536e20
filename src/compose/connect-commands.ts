import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { Store } from '#base/store.ts';
import { text, textOf } from '#base/user-text.ts';
import type { TenantSuggestion } from '#features/accounts/tenant-suggestion.ts';
import { confirmSignOut } from '#features/accounts/vscode/confirm-sign-out.ts';
import { Hint } from '#shell/user-error.ts';
import { eraseTexts, noteErased } from '#shell/erased-texts.ts';
import { listedState } from '#shell/vscode/stores.ts';
import { eraseAccount } from '#sync/disk/erase-account.ts';
import type { ConnectCommands } from '#shell/commands/commands.ts';
import { cloneDeployment } from '#features/folders/vscode/clone.ts';
import { chooseFolderAccount } from '#features/folders/vscode/folder-account.ts';
import { installAgentSkills } from '#features/folders/vscode/install-agent-skills.ts';
import { installForUser } from '#features/folders/vscode/install-command-line.ts';
import { linkFolder } from '#features/folders/vscode/link-folder.ts';
import { noDeployment } from '#features/platform/vscode/pick.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/deps.ts';
import type { PlatformServices, Services } from './composed.ts';
import { importContexts } from '#features/accounts/vscode/import-contexts.ts';
import { endUnfinished, requireNoMerge } from './account-editors.ts';
import { showMenu } from './menu.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import { pickAccount, signIn } from '#features/accounts/vscode/sign-in.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** Handlers of the commands to sign in and out, link and clone. */
export function connectCommands(services: Services): Handlers<ConnectCommands> {
  const { window: host, platform, sync, branches } = services;
  const { context, isTrusted, operations } = host;
  const { accounts, connectWith, data, session } = platform;
  const picking: DeploymentPickDeps = { accounts, connectWith, data, isTrusted, session };
  return {
    'modelbench.signIn': async (target) => {
      const known = target?.accountId;
      const own = known === undefined ? undefined : accounts.get(known)?.tenantUrl;
      const account = await signIn(
        picking,
        own === undefined ? unlinkedTenant(platform) : { from: 'account', tenantUrl: own },
      );
      if (!account) return;
      vscode.window.setStatusBarMessage(text`$(check) Signed in to ${account.label}`, 5000);
      // Resume the uploads that failed with the old key.
      for (const session of sync.syncs.all.value) await session.sync.plan();
    },
    'modelbench.signOut': async (target) => signOut(services, target?.accountId),
    'modelbench.switchAccount': async () => switchAccount(services),
    'modelbench.importContexts': async () => importContexts({ accounts, connectWith, data }),
    'modelbench.chooseFolderAccount': async (target) => chooseFolderAccount({ accounts, session }, target),
    'modelbench.tryLocally': async () =>
      executeBuiltIn(
        'workbench.action.openWalkthrough',
        { category: `${context.extension.id}#start`, step: 'local' },
        false,
      ),
    'modelbench.linkFolder': async (target) => {
      const requireEnded = (folderId: string): void =>
        requireNoMerge(services, folderId, 'it belongs to the deployment that this folder is linked to now');
      await linkFolder({ ...picking, requireEnded }, target);
    },
    'modelbench.cloneDeployment': async (target) =>
      cloneDeployment({ ...picking, openSync: sync.openSync, operations }, branches.branchFiles, target),
    'modelbench.installAgentSkills': async () => installAgentSkills({ context }),
    'modelbench.installCommandLine': async () => installForUser({ context }),
    'modelbench.showLog': async () => host.logger.show(),
    'modelbench.manageTrust': async () => executeBuiltIn('workbench.trust.manage'),
    'modelbench.showMenu': async () => showMenu(services),
  };
}

/** Returns the tenant that a folder of this window is linked to and the user is not signed in to. */
function unlinkedTenant({ accounts, session }: PlatformServices): TenantSuggestion | undefined {
  const folder = session.links.value.find(({ link }) => link && accounts.ofTenant(link.tenantUrl) === undefined);
  return folder?.link && { from: 'folder', tenantUrl: folder.link.tenantUrl, folder: folder.name };
}

async function signOut({ window: host, platform, sync, late }: Services, accountId: string | undefined): Promise<void> {
  const account =
    accountId === undefined
      ? await pickAccount({ accounts: removable(platform) }, 'Which account do you want to sign out of?')
      : platform.accounts.get(accountId);
  if (!account) return;
  if (account.source === 'environment') {
    throw new Hint(
      'This account comes from MODELBENCH_API_KEY. Remove the variable and restart VS Code to sign out of it.',
    );
  }
  const chosen = await confirmSignOut(account.label);
  if (chosen === undefined) return;
  if (chosen === 'erase' && !(await endUnfinished({ platform, sync }, account.id))) return;
  const states = { user: listedState(host.context.globalState), workspace: listedState(host.context.workspaceState) };
  if (chosen === 'erase') await noteErased(states.user, account.id, Date.now());
  await platform.accounts.remove(account.id);
  if (chosen === 'erase') {
    // Close its folders and threads first: open ones would be written again.
    const chat = await late.chat();
    chat.forgetAccount(account.id);
    await sync.syncs.reconcile();
    await eraseAccount(host.context.globalStorageUri.fsPath, account.id);
    await eraseTexts(states, account.id, Date.now());
    chat.forgetErased();
  }
  const done =
    chosen === 'erase'
      ? text`$(check) Signed out of ${account.label}: its key and its stored data are erased`
      : text`$(check) Signed out of ${account.label}: its key is removed`;
  vscode.window.setStatusBarMessage(done, 5000);
}

type SignOutChoice = Parameters<typeof pickAccount>[0]['accounts'];

/** Returns the accounts that a user can sign out of; if there are none, those of the environment, to say why. */
function removable({ accounts }: Pick<PlatformServices, 'accounts'>): SignOutChoice {
  const stored = accounts.all.value.filter(({ source }) => source !== 'environment');
  return stored.length === 0 ? accounts : { all: new Store(stored) };
}

/** Shows the deployments of another account; signing in is one of the choices. */
async function switchAccount({ window: host, platform }: Services): Promise<void> {
  const { accounts, connectWith, data, session } = platform;
  const items = [
    ...accounts.all.value.map((account) => ({
      label: textOf(account.label),
      description: textOf(account.tenantUrl),
      id: account.id,
    })),
    { label: text`$(add) Sign In to Another Tenant…`, description: text``, id: undefined },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: text`Which account do you want to work with?`,
  });
  if (!picked) return;
  const account =
    picked.id === undefined
      ? await signIn({ accounts, connectWith, data, isTrusted: host.isTrusted })
      : accounts.get(picked.id);
  if (!account) return;
  const deployments = await data.deployments(account.id).get();
  const choice = await vscode.window.showQuickPick(
    deployments.map(({ id, name }) => ({ label: textOf(name), description: text`#${id}`, deploymentId: id })),
    { placeHolder: text`Which deployment of ${account.label}?`, none: noDeployment(account.label) },
  );
  if (choice) await session.select({ accountId: account.id, deploymentId: choice.deploymentId });
}
