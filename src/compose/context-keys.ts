import { derived } from '#base/derived.ts';
import { observe, type ReadonlyStore } from '#base/store.ts';
import { isOffline } from '#features/platform/offline.ts';
import type { Loadable } from '#features/platform/resource.ts';
import type { ContextKey, ContextKeys } from '#shell/context-key-names.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { contextKeysOf, type ShownDeployment, type WindowState } from '#shell/window-state.ts';
import type { Deployment } from '#features/platform/deployments.ts';
import { mayDeploy } from '#sync/core/target.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { Services } from './composed.ts';
import { countsOf } from '#features/changes/count-changes.ts';
import { setContext } from '#shell/vscode/guarded/commands.ts';

/** The only place that sets context keys; each is derived from the stores (architecture, rule 3). */
export function contextKeysContribution(services: Services): Contribution {
  return {
    id: 'contextKeys',
    register: (store) => {
      const keys = store.add(derived<ContextKeys>(() => contextKeysOf(stateOf(services))));
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

function stateOf(services: Services): WindowState {
  const { accounts, data, session, plan, branchFilter } = services;
  const active = session.active.value;
  const known = active && data.known(active);
  return {
    accounts: accounts.all.value.length,
    isOffline: isOffline(services),
    loaded: {
      deployments: accounts.all.value.every(({ id }) => isLoaded(data.deployments(id))),
      branches: known !== undefined && isLoaded(known.branches),
      workspace: active !== undefined && isWorkspaceLoaded(services, active),
    },
    deployment: active && shownState(services, active),
    links: session.links.value
      .filter((folder) => folder.link)
      .map((folder) => ({ isSignedIn: session.targetOf(folder) !== undefined })),
    isSyncPaused: isPaused(services),
    conflicts: countsOf(services).conflicts,
    canCommit: canCommit(services),
    isStopped: isStopped(services),
    isPlanOpen: plan.open.value !== undefined,
    branchFilter: branchFilter.value,
  };
}

function shownState(services: Services, active: DeploymentTarget): ShownDeployment {
  return {
    isInDevMode: services.session.activeBranch(active) !== undefined,
    canDeploy: canDeploy(services),
    isBuiltFromUploads: shownDeployment(services)?.deployMode === 'cli',
    canDeleteBranch: services.offers(active.accountId, 'deleteBranch'),
  };
}

function canCommit({ deltas, syncs }: Services): boolean {
  return syncs.all.value.some(({ target }) => deltas.of(target)?.delta.toCommit.length !== 0);
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
