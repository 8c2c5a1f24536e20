import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { openAddress } from '#shell/vscode/guarded/open-address.ts';
import type { BranchRole, PagedList, PlatformData } from '#features/platform/index.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentCommands } from '#shell/commands/commands.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type {
  BranchPageDeps,
  DeploymentCommandDeps,
  DeploymentsViewDeps,
  RetryDeps,
  WorkspaceListDeps,
} from './deps.ts';
import { pickDeployment } from '#features/platform/vscode/index.ts';
import type { Handlers } from '#shell/vscode/register.ts';

/** What the Deployments and Workspace views can do. */
export function deploymentCommands(services: DeploymentCommandDeps): Handlers<DeploymentCommands> {
  return {
    'modelbench.deployments.refresh': async (target) => refreshDeployments(services, target),
    'modelbench.workspace.refresh': async () => refreshWorkspace(services),
    'modelbench.retry': async (target) => retry(services, target?.retry ?? ''),
    'modelbench.copy': async (target) => {
      const text = target?.copy;
      if (text === undefined) throw new Hint('Select a row with an address or a name to copy.');
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage('$(check) Copied', 3000);
    },
    'modelbench.selectDeployment': async (given) => {
      const target = given ?? (await pickDeployment(services, 'Which deployment do you want to work on?'));
      if (target) await services.session.select(target);
    },
    'modelbench.openInBrowser': async (target) => {
      const id = target?.accountId ?? services.session.active.value?.accountId;
      const account = id === undefined ? services.accounts.all.value[0] : services.accounts.get(id);
      if (account) await openAddress(account.tenantUrl, account.tenantUrl);
    },
    'modelbench.workspace.loadMore': async (target) => loadMore(services, target?.retry ?? ''),
  };
}

async function refreshDeployments(
  { accounts, data }: Pick<DeploymentsViewDeps, 'accounts' | 'data'>,
  one: DeploymentTarget | undefined,
): Promise<void> {
  if (one) {
    const known = data.of(one);
    await Promise.all([known.environments.refresh(), known.versions.refresh(), known.branches.refresh()]);
    return;
  }
  await Promise.all(accounts.all.value.map((account) => data.deployments(account.id).refresh()));
}

/** Loads what the Workspace view shows again, from the first page. */
export async function refreshWorkspace({ data, session, offers }: WorkspaceListDeps): Promise<void> {
  const target = session.active.value;
  if (!target) return;
  const known = data.of(target);
  const lists: PagedList<{ readonly id: string }>[] = [known.folders, known.reports];
  if (offers(target.accountId, 'listWorkbooks')) lists.push(known.workbooks);
  for (const contents of known.contents.values()) lists.push(contents.reports, contents.workbooks);
  await Promise.all(lists.map((list) => list.refresh()));
}

/** Loads again what a failed row stands for. */
async function retry(services: RetryDeps, what: string): Promise<void> {
  const { data, session, syncs } = services;
  const [kind, ...rest] = what.split(':');
  const active = session.active.value;
  switch (kind) {
    case 'deployments':
      await data.deployments(rest.join(':')).refresh();
      return;
    case 'deployment': {
      const deploymentId = rest.at(-1) ?? '';
      await refreshDeployments(services, { accountId: rest.slice(0, -1).join(':'), deploymentId });
      return;
    }
    case 'branches':
      if (active) await data.of(active).branches.refresh();
      if (active) await services.loadBranches(active);
      return;
    case 'workspace':
      await refreshWorkspace(services);
      return;
    case 'changes':
      await syncs.ofFolder(rest.join(':'))?.sync.plan();
      return;
    default:
      await syncs.reconcile();
  }
}

async function loadMore(
  { data, session, offers, branchPages }: WorkspaceListDeps & BranchPageDeps,
  what: string,
): Promise<void> {
  const role = /^branches:(\w+)$/.exec(what)?.[1] as BranchRole | undefined;
  if (role !== undefined) {
    branchPages.update((pages) => new Map(pages).set(role, (pages.get(role) ?? 1) + 1));
    return;
  }
  const target = session.active.value;
  if (!target) return;
  await Promise.all(
    listsOf(data.of(target), what, offers(target.accountId, 'listWorkbooks')).map((list) => list.loadMore()),
  );
}

function listsOf(
  known: ReturnType<PlatformData['of']>,
  what: string,
  workbooks: boolean,
): readonly Pick<PagedList<{ readonly id: string }>, 'loadMore'>[] {
  const [, kind, folderId] = what.split(':');
  switch (kind) {
    case 'folders':
      return [known.folders];
    case 'reports':
      return [known.reports];
    case 'workbooks':
      return [known.workbooks];
    default: {
      const contents = known.contents.get(folderId ?? '');
      if (!contents) return [];
      return workbooks ? [contents.reports, contents.workbooks] : [contents.reports];
    }
  }
}
