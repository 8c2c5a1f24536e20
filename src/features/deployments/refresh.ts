import type { Store } from '#base/store.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { BranchRole, PlatformData, Session } from '#features/platform/index.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** A list that is read page by page. */
interface ListOfPages {
  refresh(): Promise<void>;
  loadMore(): Promise<void>;
}

/** The lists of the Workspace view. */
export interface ListPorts {
  readonly data: PlatformData;
  readonly session: Session;
  readonly offers: (accountId: string, operationId: string) => boolean;
}

/** The dependencies of reloading data whose row shows a failure. */
export interface RefreshPorts extends ListPorts {
  readonly accounts: Accounts;
  readonly syncs: OpenFolders;
  readonly loadBranches: (target: DeploymentTarget) => Promise<void>;
}

/** The sync of this window's folders, as far as it can be retried. */
interface OpenFolders {
  ofFolder(folderId: string): { readonly sync: { plan(): Promise<unknown> } } | undefined;
  reconcile(): Promise<unknown>;
}

/** The number of pages that are shown of each group of branches. */
export interface BranchPages {
  readonly branchPages: Store<ReadonlyMap<BranchRole, number>>;
}

/** Reloads the details of one deployment, or the deployments of every account. */
export async function refreshDeployments(
  { accounts, data }: Pick<RefreshPorts, 'accounts' | 'data'>,
  one: DeploymentTarget | undefined,
): Promise<void> {
  if (one) {
    const known = data.of(one);
    await Promise.all([known.environments.refresh(), known.versions.refresh(), known.branches.refresh()]);
    return;
  }
  await Promise.all(accounts.all.value.map((account) => data.deployments(account.id).refresh()));
}

/** Reloads the lists of the Workspace view from the first page. */
export async function refreshWorkspace({ data, session, offers }: ListPorts): Promise<void> {
  const target = session.active.value;
  if (!target) return;
  const known = data.of(target);
  const lists: ListOfPages[] = [known.folders, known.reports];
  if (offers(target.accountId, 'listWorkbooks')) lists.push(known.workbooks);
  for (const contents of known.contents.values()) lists.push(contents.reports, contents.workbooks);
  await Promise.all(lists.map((list) => list.refresh()));
}

/** Reloads the data of a failed row; `what` is the `retry` of the row, for example `deployments:<account>`. */
export async function retry(services: RefreshPorts, what: string): Promise<void> {
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

/** Shows the next page of a list; `what` identifies it as in `retry`, for example `workspace:reports` or `branches:shared`. */
export async function loadMore(
  { data, session, offers, branchPages }: ListPorts & BranchPages,
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

function listsOf(known: ReturnType<PlatformData['of']>, what: string, workbooks: boolean): readonly ListOfPages[] {
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
