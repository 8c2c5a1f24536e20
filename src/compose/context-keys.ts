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
import type { CapabilityServices, PlatformServices, Services, StepServices, SyncServices } from './composed.ts';
import { countsOf } from '#features/changes/count-changes.ts';
import { setContext } from '#shell/vscode/guarded/commands.ts';

/** Sets the context keys, all derived from the stores; nothing else sets any. */
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
  const { platform, capabilities, sync, steps, lists } = services;
  const { accounts, data, session } = platform;
  const active = session.active.value;
  const known = active && data.known(active);
  return {
    accounts: accounts.all.value.length,
    isOffline: isOffline(platform),
    loaded: {
      deployments: accounts.all.value.every(({ id }) => isLoaded(data.deployments(id))),
      branches: known !== undefined && isLoaded(known.branches),
      workspace: active !== undefined && isWorkspaceLoaded(platform, capabilities, active),
    },
    deployment: active && shownState(platform, capabilities, active),
    links: session.links.value
      .filter((folder) => folder.link)
      .map((folder) => ({ isSignedIn: session.targetOf(folder) !== undefined })),
    isSyncPaused: isPaused(sync),
    conflicts: countsOf({ attempts: steps.attempts, syncs: sync.syncs }).conflicts,
    canCommit: canCommit(steps, sync),
    isStopped: isStopped(steps, platform),
    isPlanOpen: sync.plan.open.value !== undefined,
    branchFilter: lists.branchFilter.value,
  };
}

function shownState(
  platform: PlatformServices,
  { offers }: CapabilityServices,
  active: DeploymentTarget,
): ShownDeployment {
  return {
    isInDevMode: platform.session.activeBranch(active) !== undefined,
    canDeploy: canDeploy(platform),
    isBuiltFromUploads: shownDeployment(platform)?.deployMode === 'cli',
    canDeleteBranch: offers(active.accountId, 'deleteBranch'),
  };
}

function canCommit({ deltas }: StepServices, { syncs }: SyncServices): boolean {
  return syncs.all.value.some(({ target }) => deltas.of(target)?.delta.toCommit.length !== 0);
}

function isPaused({ syncs }: SyncServices): boolean {
  const all = syncs.all.value;
  return all.length > 0 && all.every(({ sync }) => sync.status.value.paused.includes('byUser'));
}

function isStopped({ attempts }: StepServices, { session }: PlatformServices): boolean {
  const target = session.activeTarget();
  return target !== undefined && attempts.of(target) !== undefined;
}

/** Whether a folder of this window can be deployed to the shown deployment. */
export function canDeploy(platform: PlatformServices): boolean {
  const { session } = platform;
  const active = session.active.value;
  if (!active || session.foldersOf(active).length === 0) return false;
  const deployment = shownDeployment(platform);
  return deployment !== undefined && mayDeploy(deployment.deployMode);
}

function shownDeployment({ data, session }: PlatformServices): Deployment | undefined {
  const active = session.active.value;
  return active && data.knownDeployments(active.accountId)?.find(({ id }) => id === active.deploymentId);
}

/** Whether a resource was loaded or failed to load. */
function isLoaded({ state }: { readonly state: ReadonlyStore<Loadable<unknown>> }): boolean {
  return state.value.value !== undefined || state.value.error !== undefined;
}

function isWorkspaceLoaded(
  { data }: PlatformServices,
  { offers }: CapabilityServices,
  target: DeploymentTarget,
): boolean {
  const known = data.known(target);
  if (!known) return false;
  const lists = [known.folders, known.reports, ...(offers(target.accountId, 'listWorkbooks') ? [known.workbooks] : [])];
  return lists.every(isLoaded);
}
