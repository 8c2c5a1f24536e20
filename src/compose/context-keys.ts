import { derived } from '#base/derived.ts';
import { observe, type ReadonlyStore } from '#base/store.ts';
import { isOffline } from '#features/platform/offline.ts';
import type { Loadable } from '#features/platform/resource.ts';
import type { ContextKey, ContextKeys } from '#shell/context-key-names.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { Deployment } from '#features/platform/deployments.ts';
import { mayDeploy } from '#sync/core/target.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { Services } from './composed.ts';
import { countsOf } from '#features/changes/vscode/changes-view.ts';
import { setContext } from '#shell/vscode/guarded/commands.ts';

/** The only place that sets context keys; each is derived from the stores (architecture, rule 3). */
export function contextKeysContribution(services: Services): Contribution {
  const { accounts, data, session, syncs, plan, branchFilter } = services;
  return {
    id: 'contextKeys',
    register: (store) => {
      const keys = store.add(
        derived<ContextKeys>(
          [
            accounts.all.onDidChange,
            data.onDidChange,
            session.active.onDidChange,
            session.links.onDidChange,
            session.onDidBind,
            session.onDidChangeDevMode,
            syncs.onDidChange,
            services.attempts.onDidChange,
            plan.open.onDidChange,
            branchFilter.onDidChange,
          ],
          () => keysOf(services),
        ),
      );
      let shown: Partial<ContextKeys> = {};
      store.add(
        observe(keys, (next) => {
          for (const key of Object.keys(next) as ContextKey[]) {
            if (shown[key] !== next[key]) void setContext(key, next[key]);
          }
          shown = next;
        }),
      );
    },
  };
}

function keysOf(services: Services): ContextKeys {
  const { accounts, data, session, plan, branchFilter, offers } = services;
  const active = session.active.value;
  const known = active && data.known(active);
  const linked = session.links.value.filter((folder) => folder.link);
  return {
    'modelbench.ready': true,
    'modelbench.signedIn': accounts.all.value.length > 0,
    'modelbench.offline': isOffline(services),
    'modelbench.deploymentsLoaded': accounts.all.value.every(({ id }) => isLoaded(data.deployments(id))),
    'modelbench.branchesLoaded': known !== undefined && isLoaded(known.branches),
    'modelbench.workspaceLoaded': active !== undefined && isWorkspaceLoaded(services, active),
    'modelbench.hasDeployment': active !== undefined,
    'modelbench.linked': linked.length > 0,
    'modelbench.linkSignedOut': linked.length > 0 && linked.every((folder) => !session.targetOf(folder)),
    'modelbench.devMode': active !== undefined && session.activeBranch(active) !== undefined,
    'modelbench.canDeploy': canDeploy(services),
    'modelbench.takesDeploys': canDeploy(services) && shownDeployment(services)?.deployMode === 'cli',
    'modelbench.hasConflicts': countsOf(services).conflicts > 0,
    'modelbench.syncPaused': isPaused(services),
    'modelbench.stopped': isStopped(services),
    'modelbench.planOpen': plan.open.value !== undefined,
    'modelbench.branchFilter': branchFilter.value !== '',
    'modelbench.canDeleteBranch': active !== undefined && offers(active.accountId, 'deleteBranch'),
  };
}

function isPaused({ syncs }: Services): boolean {
  const all = syncs.all.value;
  return all.length > 0 && all.every(({ sync }) => sync.status.value.paused.includes('byUser'));
}

function isStopped({ attempts, session }: Services): boolean {
  const target = session.activeTarget();
  return target !== undefined && attempts.of(target) !== undefined;
}

/** Whether a folder of this window can be deployed to the shown deployment. */
export function canDeploy({ data, session }: Pick<Services, 'data' | 'session'>): boolean {
  const active = session.active.value;
  if (!active || session.foldersOf(active).length === 0) return false;
  const deployment = shownDeployment({ data, session });
  return deployment !== undefined && mayDeploy(deployment.deployMode);
}

function shownDeployment({ data, session }: Pick<Services, 'data' | 'session'>): Deployment | undefined {
  const active = session.active.value;
  return active && data.knownDeployments(active.accountId)?.find(({ id }) => id === active.deploymentId);
}

/** There is an answer, be it that it failed. */
function isLoaded({ state }: { readonly state: ReadonlyStore<Loadable<unknown>> }): boolean {
  return state.value.value !== undefined || state.value.error !== undefined;
}

function isWorkspaceLoaded({ data, offers }: Services, target: DeploymentTarget): boolean {
  const known = data.known(target);
  if (!known) return false;
  const lists = [known.folders, known.reports, ...(offers(target.accountId, 'listWorkbooks') ? [known.workbooks] : [])];
  return lists.every(isLoaded);
}
