import type { Account } from '#features/accounts/accounts.ts';
import { usedProxy } from '#shell/vscode/used-proxy.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { derived } from '#base/derived.ts';
import { ok, type Result } from '#base/result.ts';
import { environmentOf } from '#features/data/environments.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import type { TakeBack } from '#chat-core/branch-files.ts';
import type { TurnBranch } from '#chat-core/thread.ts';
import { deployBranchOf } from '#features/platform/branches.ts';
import { isNewOnBranch, takeBackFile } from '#features/builds/new-files.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import type { DeltaState } from '#features/changes/branch-deltas.ts';
import type { SettingName } from '#shell/settings.ts';
import { remoteScheme } from '#shell/view-ids.ts';
import type { ChatBranchDeps, ChatDeps, ChatFolderDeps, ChatWindowDeps } from '#features/chat/vscode/deps.ts';
import type { ChatContext, ChatSettings } from '#features/chat/chat-context.ts';
import { onDidChangeSetting, setting } from '#shell/vscode/settings.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import type { Session } from '#features/platform/session.ts';
import { isOffline } from '#features/platform/offline.ts';
import { fileTargetOf } from '#features/folders/vscode/folder-uris.ts';
import { linkTo } from '#features/folders/vscode/link-to.ts';
import { textsOf } from '#features/folders/branch-compare.ts';
import type { Impact } from '#features/review/asked-impact.ts';
import type {
  BranchServices,
  LateServices,
  PlatformServices,
  StepServices,
  SyncServices,
  WindowServices,
} from './composed.ts';
import { modelComparison } from './model-comparison.ts';
import { renderingBy } from './template-rendering.ts';
import type { LazyDeploymentWork, OpenedDeploymentWork } from './opened-deployment-work.ts';
import type { LazyLanguage } from '#features/language/opened-language.ts';

/** The services that the chat uses. */
interface ChatSources {
  readonly window: WindowServices;
  readonly platform: PlatformServices;
  readonly sync: SyncServices;
  readonly branchFiles: BranchServices['branchFiles'];
  readonly deltas: StepServices['deltas'];
  readonly reviews: LateServices['reviews'];
  readonly queries: LateServices['queries'];
  readonly reportFacts: ChatWindowDeps['reportFacts'];
}

const SETTINGS: readonly SettingName[] = [
  'chat.sendWith',
  'chat.fontSize',
  'chat.url',
  'chat.externalId',
  'chat.internalId',
  'chat.session',
  'chat.serviceTokenHeader',
  'chat.context',
  'chat.keepThreads',
];

/** The maximum number of files with remote changes that are read from the platform for one question. */
const MOST_READ = 20;

/** Services that are created after the chat and loaded at first use. */
interface LazyServices {
  readonly userAgent: string;
  readonly language: LazyLanguage;
  readonly deploymentWork: LazyDeploymentWork;
}

/** Builds the chat's dependencies from the other services. */
export function chatDeps(
  services: ChatSources,
  { userAgent, language, deploymentWork }: LazyServices,
  store: DisposableStore,
): ChatDeps {
  const { context, isTrusted, logger, boundary, secrets } = services.window;
  const { accounts, data, session } = services.platform;
  const settingsChanged = store.add(new Emitter<void>());
  store.add(onDidChangeSetting(SETTINGS, () => settingsChanged.fire()));
  return {
    store: {
      extensionUri: context.extensionUri,
      storageUri: vscode.Uri.joinPath(context.globalStorageUri, 'chat'),
      secrets,
      queries: services.queries,
      state: stateStore(context.globalState),
      logger,
      requests: { userAgent, proxyOf: usedProxy },
      report: boundary,
    },
    window: {
      context: store.add(derived(() => contextOf(services.platform))),
      account: store.add(derived(() => accountOf(services.platform)?.id ?? '')),
      isTrusted,
      isModelFile: (uri) => isModelUri(uri, session),
      settings: chatSettings,
      onDidChangeSettings: settingsChanged.event,
      reportFacts: services.reportFacts,
    },
    platform: {
      accounts: accounts.all,
      apiKey: async (accountId) => {
        const account = accounts.get(accountId);
        return account && accounts.key(account);
      },
      environments: async () => {
        const target = session.active.value;
        return target ? data.of(target).environments.get() : [];
      },
      environmentOf: async (branch) => environmentIdOf(data, branch),
      linkTo: (chatId) => linkOf(services, chatId),
      showPlayground: async (opening) => (await deploymentWork()).showPlayground(opening),
    },
    model: {
      modelFolders: () => modelFolders(session),
      takeBackOf: (folder, path) => takeBackOf(services, folder, path),
      branchTexts: (folder, only) => branchTexts(services.sync, folder, only),
      setAside: (folder, path) => setAside(services.sync, folder, path),
      proposals: {
        check: async (files, signal) => (await language()).checkProposal(files, signal),
        open: async (page) => services.reviews.open(page),
        model: modelComparison(renderingBy(language)),
        impact: async (texts) => impactOf(session, texts, await deploymentWork()),
      },
    },
    around: branchesAround(services, store),
  };
}

function chatSettings(): ChatSettings {
  return {
    sendWith: setting('chat.sendWith'),
    fontSize: setting('chat.fontSize'),
    url: setting('chat.url'),
    serviceTokenHeader: setting('chat.serviceTokenHeader'),
    externalId: setting('chat.externalId'),
    internalId: setting('chat.internalId'),
    session: setting('chat.session'),
    notifyWhenReady: setting('chat.notifyWhenReady'),
    context: setting('chat.context'),
    keepThreads: setting('chat.keepThreads'),
  };
}

function isModelUri(uri: vscode.Uri, session: Session): boolean {
  const isInModel = uri.scheme === remoteScheme || fileTargetOf(uri, session.links.value) !== undefined;
  return isInModel && /\.(?:ya?ml|js|jinja)$/i.test(uri.path);
}

function contextOf(platform: PlatformServices): ChatContext {
  const { accounts, data, session } = platform;
  if (accounts.all.value.length === 0) return { kind: 'signedOut' };
  const target = session.active.value;
  const account = target && accounts.get(target.accountId);
  if (!account) return { kind: isOffline(platform) ? 'offline' : 'noDeployment' };
  return {
    kind: 'ready',
    accountId: account.id,
    tenantUrl: account.tenantUrl,
    deploymentId: target.deploymentId,
    deploymentName: data.nameOf(target),
    branch: activeBranch(platform, target),
  };
}

/** Returns the account that the window shows: that of the shown deployment, otherwise the only one. */
function accountOf({ accounts, session }: PlatformServices): Account | undefined {
  const [first, ...others] = accounts.all.value;
  const target = session.active.value;
  return (target && accounts.get(target.accountId)) ?? (others.length === 0 ? first : undefined);
}

function modelFolders(session: Session): ReturnType<ChatFolderDeps['modelFolders']> {
  const target = session.active.value;
  const linked = target ? session.foldersOf(target) : [];
  return linked.map(({ folderId: id, name, link }) => ({ id, name, modelPath: link?.modelPath ?? '' }));
}

/**
 * Resolves to a function that takes back a file which the folder's dev branch does not have. Without a connection this is
 * unknown, and nothing was uploaded.
 */
async function takeBackOf(
  { window: { logger }, sync: { syncs } }: ChatSources,
  folder: string,
  path: string,
): Promise<TakeBack | undefined> {
  const open = syncs.ofFolder(folder);
  const isNew = open && (await isNewOnBranch(open.sync, path).catch(() => false));
  if (!isNew) return undefined;
  return async () => {
    // Another branch may have become active, which never had the file.
    if (!syncs.all.value.includes(open)) return;
    await takeBackFile(open.sync, path).catch((error: unknown) =>
      logger.warn('A file that was taken back stays on its branch', { reason: String(error) }),
    );
  };
}

/** Provides what is known about the branches, without requests to the platform until the user attaches something. */
function branchesAround({ platform, deltas, branchFiles }: ChatSources, store: DisposableStore): ChatBranchDeps {
  const { data, session } = platform;
  const delta = (): { readonly target: BranchTarget; readonly state: DeltaState } | undefined => {
    const target = session.activeTarget();
    const state = target && deltas.of(target);
    return target && state && { target, state };
  };
  const changed = store.add(derived(() => [delta(), failedBuild(platform), session.active.value]));
  return {
    branches: () => {
      const target = session.active.value;
      const branches = target ? (data.known(target)?.branches.value ?? []) : [];
      return branches.map(({ name, parentBranch }) => ({
        name,
        about: parentBranch === undefined ? `Branch ${name}` : `Branch ${name}; its commits go to ${parentBranch}`,
      }));
    },
    changedPaths: () => delta()?.state.delta.toCommit.map(({ path }) => path) ?? [],
    changedTexts: async () => {
      const now = delta();
      if (!now) return [];
      const { target, state } = now;
      const parent = { ...target, branchName: state.parent };
      const [before, after] = await Promise.all([branchFiles.tree(parent), branchFiles.tree(target)]);
      return state.delta.toCommit.map(({ path }) => ({
        path,
        before: before.get(path)?.content,
        after: after.get(path)?.content,
      }));
    },
    failedBuild: (target) => failedBuild(platform, target),
    onDidChangeBranches: changed.onDidChange,
  };
}

function failedBuild(
  { session, builds }: PlatformServices,
  target = session.activeTarget(),
): ReturnType<ChatBranchDeps['failedBuild']> {
  const state = target && builds.stateOf(target);
  if (state?.phase !== 'failed') return undefined;
  return { branchName: target?.branchName ?? '', errors: state.errorText ?? 'The platform gave no reason.' };
}

/** Only the deploy branch uses production: no other branch may be compared with it by mistake. */
async function environmentIdOf(
  data: PlatformServices['data'],
  { branchName, ...deployment }: BranchTarget,
): Promise<Result<string, string>> {
  const of = data.of(deployment);
  const [branches, environments] = await Promise.all([of.branches.get(), of.environments.get()]);
  const isDefault = deployBranchOf(branches)?.name === branchName;
  const found = environmentOf(environments, { name: branchName, isDefault });
  return found.ok ? ok(found.value.id) : found;
}

function linkOf({ window, platform }: ChatSources, chatId: string): string | undefined {
  const target = platform.session.active.value;
  const { accounts } = platform;
  return target && linkTo({ accounts, context: window.context }, { ...target, chatId });
}

/** Resolves to the branch's versions of the files that differ from this folder; of those that only the branch changed, a few. */
async function branchTexts(
  { syncs }: SyncServices,
  folder: string,
  only?: string,
): Promise<ReadonlyMap<string, string>> {
  const sync = syncs.ofFolder(folder)?.sync;
  const texts = new Map<string, string>();
  if (!sync) return texts;
  const { localChanges, remoteChanges, conflicts } = sync.status.value;
  const add = (path: string, bytes: Uint8Array | undefined): void => {
    if (bytes) texts.set(path, decodedText(bytes));
  };
  const isWanted = ({ path }: { readonly path: string }): boolean => path === (only ?? path);
  for (const { path } of localChanges.filter(isWanted)) add(path, await sync.baseContent(path));
  for (const { path } of [...conflicts, ...remoteChanges].filter(isWanted).slice(0, MOST_READ))
    add(path, await sync.remoteContent(path));
  return texts;
}

/** Puts a file that is replaced outside of sync into the trash that sync uses. */
async function setAside({ syncs }: SyncServices, folder: string, path: string): Promise<void> {
  const opened = await syncs.opened(folder);
  if (!opened)
    throw new UserError('The folder is not in sync with a dev branch, so nothing was changed. Try again when it is.');
  await opened.sync.keepCopy(path, 'agentProposal');
}

/** Computes how replacing texts of the active branch affects its users. */
async function impactOf(
  session: Session,
  texts: ReadonlyMap<string, string>,
  work: OpenedDeploymentWork,
): Promise<Impact> {
  const target = session.activeTarget();
  if (!target) throw new Hint('Start dev mode to see what these changes mean for users.');
  return work.reviewTexts(target, 'Agent’s proposal', async (before) =>
    Promise.resolve(new Map([...textsOf(before), ...texts])),
  );
}

/** Returns the dev branch that receives saved files, or else the deploy branch once it is known. */
function activeBranch({ data, session }: PlatformServices, target: DeploymentTarget): TurnBranch | undefined {
  const dev = session.activeBranch(target);
  if (dev !== undefined) return { name: dev, isDefault: false };
  const deploy = deployBranchOf(data.known(target)?.branches.value ?? []);
  return deploy && { name: deploy.name, isDefault: true };
}
