import { derived } from '#base/derived.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { comparableUrl } from '#features/accounts/accounts.ts';
import { RunHistory } from '#features/api-explorer/history.ts';
import { isSwitchChoice, type SwitchFacts } from '#features/branches/start-choices.ts';
import { DocumentTrash } from '#features/folders/document-trash.ts';
import { StoredVersionsOfFolders } from '#features/folders/stored-versions.ts';
import { type Branch, type BranchRole, deployBranchOf, roleOf, stagingRefusal } from '#features/platform/branches.ts';
import type { LinkedFolder } from '#features/platform/link.ts';
import { linkedDeployments } from '#features/platform/linked-deployments.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import { isEqual } from '#base/equal.ts';
import { observe, type ReadonlyStore, Store } from '#base/store.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { isOffline } from '#features/platform/offline.ts';
import type { Loadable } from '#features/platform/resource.ts';
import type { ContextKey, ContextKeys } from '#shell/context-key-names.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import { contextKeysOf, type ShownDeployment, type WindowState } from '#shell/window-state.ts';
import type { Deployment } from '#features/platform/deployments.ts';
import { mayDeploy } from '#sync/core/target.ts';
import type {
  BranchServices,
  CapabilityServices,
  PlatformServices,
  Services,
  StepServices,
  SyncServices,
} from './composed.ts';
import { countsOf } from '#features/changes/count-changes.ts';
import { setContext } from '#shell/vscode/guarded/commands.ts';

/** Sets the context keys, all derived from the stores; nothing else sets any. */
export function setContextKeys(services: Services, store: DisposableStore): void {
  const { changed, syncs } = services.sync;
  const stored = store.add(new StoredVersionsOfFolders(syncs.all, changed.versions.event));
  const branch = activeBranch(services.branches, store);
  const { branchTrash, remote } = services.branches;
  const document = store.add(new DocumentTrash(branch, branchTrash, remote.onDidWrite));
  const requests = store.add(new RunHistory(stateStore(services.window.context.globalState)));
  const sentBefore = requests.entries.value.map(({ accountId }) => accountId);
  const keys = store.add(
    derived<ContextKeys>(() => contextKeysOf(stateOf(services, { stored, document, sentBefore }))),
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
}

/** Follows the branch of the document in the active editor. */
function activeBranch(
  { remote }: Pick<BranchServices, 'remote'>,
  store: DisposableStore,
): ReadonlyStore<BranchTarget | undefined> {
  const read = (): BranchTarget | undefined => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri && remote.targetOf(uri);
  };
  const shown = store.add(new Store(read(), isEqual));
  store.add(vscode.window.onDidChangeActiveTextEditor(() => shown.set(read())));
  return shown;
}

interface FollowedFacts {
  readonly stored: StoredVersionsOfFolders;
  readonly document: DocumentTrash;
  /** The accounts of the requests that were sent in earlier windows. */
  readonly sentBefore: readonly string[];
}

function stateOf(services: Services, { stored, document, sentBefore }: FollowedFacts): WindowState {
  const { platform, capabilities, sync, steps, lists, late } = services;
  const { isAnswering = false, hasThreads = false, requestsOf = sentBefore } = late.facts.value;
  const { accounts, data, session } = platform;
  const active = session.active.value;
  const known = active && data.known(active);
  return {
    accounts: accounts.all.value.length,
    canSignOut: accounts.all.value.some(({ source }) => source === 'stored'),
    hasNoDeployment: accounts.all.value.every(({ id }) => data.knownDeployments(id)?.length === 0),
    isOffline: isOffline(platform),
    loaded: {
      deployments: accounts.all.value.every(({ id }) => isLoaded(data.deployments(id))),
      branches: known !== undefined && isLoaded(known.branches),
      workspace: active !== undefined && isWorkspaceLoaded(platform, capabilities, active),
    },
    deployment: active && shownState(platform, capabilities, active),
    links: session.links.value
      .filter((folder) => folder.link)
      .map((folder) => ({
        isSignedIn: session.targetOf(folder) !== undefined,
        canChoose: accountsOf(platform, folder) !== 1,
      })),
    isLinkedFile: session.editing.value !== undefined,
    stored: storedIn(sync, stored),
    hasBranchTrash: document.holds,
    isAnswering,
    hasThreads,
    hasRequests: requestsOf.some((id) => accounts.get(id) !== undefined),
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
    canSwitch: canSwitch(platform),
    canStage: hasBranch(
      platform,
      active,
      (branch, { role }) => !branch.staging && stagingRefusal(branch, role) === undefined,
    ),
  };
}

/** Whether the user has another dev branch to switch to, as far as is known. */
export function canSwitch(platform: PlatformServices): boolean {
  const active = platform.session.active.value;
  return active !== undefined && hasBranch(platform, active, ({ name }, { facts }) => isSwitchChoice(name, facts));
}

/**
 * Whether a command has a branch to act on: in the shown deployment or, because the command asks which one is meant, in that of
 * any linked folder. Branches that are not loaded may have one.
 */
function hasBranch(
  { data, session }: PlatformServices,
  active: DeploymentTarget,
  fits: (branch: Branch, about: { readonly role: BranchRole; readonly facts: SwitchFacts }) => boolean,
): boolean {
  const linked = linkedDeployments(session).map(({ target }) => target);
  return (linked.length > 1 ? linked : [active]).some((target) => {
    const known = data.known(target);
    const branches = known?.branches.value;
    if (!known || !branches) return true;
    const mine = session.myBranches(target);
    const facts = { mine, active: session.activeBranch(target), keyBranch: known.keyBranch.value };
    const deploy = deployBranchOf(branches)?.name;
    return branches.some((branch) => fits(branch, { role: roleOf(branch, deploy, mine), facts }));
  });
}

/** The number of the user's accounts at the tenant of a folder. */
function accountsOf({ accounts }: PlatformServices, { link }: LinkedFolder): number {
  const tenant = comparableUrl(link?.tenantUrl ?? '');
  return accounts.all.value.filter(({ tenantUrl }) => comparableUrl(tenantUrl) === tenant).length;
}

/** Returns what can be undone or restored. In a folder that another window writes, only its history can be read. */
function storedIn({ syncs }: SyncServices, stored: StoredVersionsOfFolders): WindowState['stored'] {
  const all = syncs.all.value.map(({ sync }) => ({
    ...stored.of(sync),
    reads: sync.status.value.readOnly !== undefined,
  }));
  const some = (what: 'push' | 'pull' | 'trash'): boolean => all.some((each) => each[what] && !each.reads);
  return { push: some('push'), pull: some('pull'), trash: some('trash'), history: all.some(({ history }) => history) };
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
