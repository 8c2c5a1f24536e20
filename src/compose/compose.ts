import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type Capabilities, noCapabilities, readCapabilities } from '#api/capabilities.ts';
import { type Client, createClient } from '#api/client.ts';
import { refreshTokens } from '#api/device-sign-in.ts';
import { parseTenantUrl } from '#api/tenant-url.ts';
import { systemClock } from '#base/clock.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { originOf } from '#base/origin.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { type Account, Accounts, type EnvironmentKey, type RefreshTokens } from '#features/accounts/accounts.ts';
import { BranchDeltas, type ListFiles } from '#features/changes/branch-deltas.ts';
import { BranchFiles, type OpenBranchTrash } from '#features/folders/branch-files.ts';
import { ForkPoints } from '#features/platform/branch-relation.ts';
import { BranchTrash } from '#features/folders/branch-trash.ts';
import { BuildWatcher } from '#features/platform/build-watch.ts';
import { Favourites } from '#features/platform/favourites.ts';
import { fetchBuildStatus } from '#features/platform/gateway.ts';
import { GitAttempts } from '#features/history/git-attempt.ts';
import { Operations } from '#shell/operations.ts';
import { PlatformData } from '#features/platform/platform-data.ts';
import { QuestionQueue } from '#shell/question-queue.ts';
import { ReportOrderSetting } from '#features/platform/report-order.ts';
import { Reauthentication } from '#features/accounts/reauthentication.ts';
import { SaveChoices } from '#features/folders/save-choice.ts';
import { SyncPauses } from '#features/folders/sync-pause.ts';
import { Session } from '#features/platform/session.ts';
import { ResolvedPulls } from '#features/history/resolved-pull.ts';
import { type OpenSync, SyncSessions } from '#features/folders/sync-sessions.ts';
import { type HoldFacts, holdUploads, UploadConsent } from '#features/folders/upload-consent.ts';
import { Windows } from '#features/platform/windows.ts';
import { lazyAdmin } from '#features/administration/vscode/lazy.ts';
import { lazyQueries } from '#features/data/vscode/lazy.ts';
import { lazyChat } from '#features/chat/vscode/lazy.ts';
import { chatDeps } from './chat-deps.ts';
import { lazyReviews } from '#features/review/vscode/lazy.ts';
import { explorerConnection } from './explorer-connection.ts';
import { lazyDeploymentWork } from './lazy-deployment-work.ts';
import type { LazyDeploymentWork } from './opened-deployment-work.ts';
import type { ShowPlayground } from '#features/data/show-playground.ts';
import type { ShowResults } from '#shell/shown-query.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { errorBoundary } from '#shell/vscode/error-boundary.ts';
import { lazyExplorer } from '#features/api-explorer/vscode/lazy.ts';
import { lazyLanguage } from '#features/language/vscode/lazy.ts';
import { RemoteDocuments } from '#features/folders/vscode/remote-documents.ts';
import { RemoteFileSystem } from '#features/folders/vscode/remote-file-system.ts';
import { pushesSaves, pushSetting } from '#features/folders/vscode/sync-settings.ts';
import { ExtensionLog } from '#shell/vscode/extension-log.ts';
import { showProgress } from '#shell/vscode/progress.ts';
import { Redactor } from '#shell/vscode/redactor.ts';
import { usedProxy } from '#shell/vscode/used-proxy.ts';
import { secretStore, stateStore } from '#shell/vscode/stores.ts';
import type { LazyLanguage } from '#features/language/opened-language.ts';
import type { Services } from './composed.ts';
import { BegunMerges } from '#features/folders/begun-merges.ts';
import { PlanView } from '#features/folders/plan-view.ts';
import { mayUpload } from '#features/folders/vscode/upload-consent.ts';
import { promptSignIn } from '#features/folders/vscode/platform-watch.ts';
import { windowBoard } from '#features/platform/vscode/windows.ts';

/** Makes every service, by hand and in order; `store` releases them in the opposite one. */
export function compose(context: vscode.ExtensionContext, store: DisposableStore): Services {
  const redactor = new Redactor();
  const logger = store.add(new ExtensionLog(redactor, context.logUri));
  const secrets = secretStore(context.secrets, stateStore(context.globalState), redactor);
  const state = stateStore(context.globalState);
  const accounts = store.add(new Accounts({ secrets, state, environment: environmentKey(redactor) }));
  const userAgent = `modelbench/${String((context.extension.packageJSON as { version?: unknown }).version)}`;
  const connectWith = (tenantUrl: string, key: string): Client => {
    redactor.hide(key);
    const origin = originOf(tenantUrl);
    return createClient({
      baseUrl: tenantUrl,
      // Without a key, only what a server says to anyone is asked.
      credential: () => (key === '' ? undefined : { kind: 'bearer', token: key, origin }),
      logger,
      userAgent,
      proxyOf: usedProxy,
    });
  };
  const reauthentication = new Reauthentication({ accounts, prompt: promptSignIn });
  const connect = (account: Account): Client =>
    accountClient(account, accounts, { logger, userAgent, reauthentication });
  const reportOrder = store.add(new ReportOrderSetting(stateStore(context.globalState)));
  const data = store.add(new PlatformData({ accounts, connect, reportOrder: () => reportOrder.order.value }));
  const served = capabilities(data, accounts, store);
  const session = store.add(
    new Session({ accounts, window: stateStore(context.workspaceState), userState: stateStore(context.globalState) }),
  );
  const isTrusted = workspaceTrust(store);
  const remembered = windowServices(context, store);
  const openSync = lazySync({ context, data, logger, ...remembered });
  const consent = store.add(new UploadConsent({ data, userState: stateStore(context.globalState) }));
  const syncs = store.add(new SyncSessions({ session, accounts, isTrusted, open: openSync, logger }));
  holdRiskyUploads({ syncs, consent, data, saveChoices: remembered.saveChoices }, store);
  const boundary = errorBoundary(logger);
  const shared = { context, logger, accounts, data, session, syncs, consent, isTrusted, ...remembered };
  const base = {
    ...shared,
    boundary,
    reviews: lazyReviews({ boundary, context }, store),
    secrets,
    openSync,
    builds: store.add(buildWatcher(data, logger, windowFocus(store))),
    operations: new Operations(showProgress),
    branchFilter: store.add(new Store('')),
    branchPages: store.add(new Store<Services['branchPages']['value']>(new Map())),
    favourites: store.add(new Favourites(stateStore(context.globalState))),
    reportOrder,
    plan: store.add(new PlanView()),
    ...branchFileServices(shared, store),
    ...served,
    connectWith,
    accountOf: (id: string) => accounts.get(id),
  };
  const services = { ...base, admin: lazyAdmin(base, store), queries: lazyQueries(base, store) };
  return withBundles(services, userAgent, store);
}

/** Adds what is loaded at first use. */
function withBundles(
  services: Omit<Services, 'chat' | 'deploymentWork' | 'explorer' | 'language'>,
  userAgent: string,
  store: DisposableStore,
): Services {
  // The chat asks the language features, which are made of it.
  const checks: LazyLanguage = () => language();
  const work: LazyDeploymentWork = () => deploymentWork();
  const chat = lazyChat(chatDeps(services, { userAgent, language: checks, deploymentWork: work }, store), store);
  const showResults: ShowResults = async (query) => (await chat()).showResults(query);
  const connection = explorerConnection(services, userAgent, store);
  const explorer = lazyExplorer({ ...services, connection }, store);
  const showPlayground: ShowPlayground = async (opening) => (await deploymentWork()).showPlayground(opening);
  const language = lazyLanguage({ ...services, showResults, showPlayground }, store);
  const deploymentWork = lazyDeploymentWork({ ...services, showResults }, store);
  return { ...services, chat, explorer, language, deploymentWork };
}

/** Holds uploads back whose risk the user has not accepted, as long as saved files would be pushed automatically. */
function holdRiskyUploads(
  { syncs, consent, data, saveChoices }: Pick<Services, 'syncs' | 'consent' | 'data' | 'saveChoices'>,
  store: DisposableStore,
): void {
  const pushes: HoldFacts['pushes'] = ({ folder }) => pushesSaves(folder.folderId, saveChoices);
  store.add(holdUploads({ syncs, consent, data, pushes, onDidChangePushes: saveChoices.onDidChange }));
}

/** What windows of one user share, and what they store. */
function windowServices(
  context: vscode.ExtensionContext,
  store: DisposableStore,
): Pick<
  Services,
  'windows' | 'forks' | 'attempts' | 'merges' | 'saveChoices' | 'questions' | 'pauses' | 'changedFiles'
> {
  const board = windowBoard(context.globalState);
  return {
    windows: store.add(new Windows({ id: crypto.randomUUID(), board, now: () => Date.now() })),
    forks: new ForkPoints(stateStore(context.globalState)),
    attempts: store.add(new GitAttempts(stateStore(context.workspaceState))),
    merges: new BegunMerges(context.workspaceState),
    saveChoices: store.add(new SaveChoices(pushSetting, stateStore(context.globalState))),
    questions: new QuestionQueue(systemClock),
    pauses: new SyncPauses(stateStore(context.globalState)),
    changedFiles: store.add(new Emitter<readonly vscode.Uri[]>()),
  };
}

function buildWatcher(data: PlatformData, logger: Services['logger'], focused: ReadonlyStore<boolean>): BuildWatcher {
  return new BuildWatcher({
    ask: async ({ accountId, deploymentId, branchName }, signal) =>
      fetchBuildStatus(data.client(accountId), deploymentId, branchName, signal),
    clock: systemClock,
    logger,
    focused,
  });
}

function windowFocus(store: DisposableStore): ReadonlyStore<boolean> {
  const focused = store.add(new Store(vscode.window.state.focused));
  store.add(vscode.window.onDidChangeWindowState((state) => focused.set(state.focused)));
  return focused;
}

/** Files of branches without a local copy; own dev branches can be written to in a trusted window. */
function branchFileServices(
  deps: Pick<
    Services,
    'context' | 'logger' | 'accounts' | 'data' | 'session' | 'syncs' | 'merges' | 'isTrusted' | 'consent'
  >,
  store: DisposableStore,
): Pick<Services, 'branchFiles' | 'branchTrash' | 'deltas' | 'documents' | 'remote' | 'resolvedPulls'> {
  const { context, logger, accounts, data, session, isTrusted } = deps;
  const openTrash = lazyBranchTrash(deps);
  const branchFiles = new BranchFiles(data, () => Date.now(), openTrash);
  const branchTrash = new BranchTrash(branchFiles, openTrash);
  const mayWrite = (target: BranchTarget): boolean =>
    isTrusted.value && session.myBranches(target).has(target.branchName);
  const remote = store.add(
    new RemoteFileSystem(branchFiles, accounts, { mayWrite, mayUpload: async (target) => mayUpload(deps, target) }),
  );
  const list: ListFiles = async (target) => {
    // With what is listed, open documents of the branch follow.
    await remote.refresh(target);
    return branchFiles.list(target);
  };
  const state = stateStore(context.globalState);
  return {
    branchFiles,
    branchTrash,
    deltas: store.add(new BranchDeltas({ list, state, now: () => Date.now(), logger })),
    documents: store.add(new RemoteDocuments(deps.syncs, deps.merges, branchTrash)),
    resolvedPulls: new ResolvedPulls({ data, files: branchFiles, userState: state }),
    remote,
  };
}

/** The trash needs the code of the disk, which comes with the sync engine. */
function lazyBranchTrash(deps: Pick<Services, 'context' | 'logger'>): OpenBranchTrash {
  return async (target) => (await import('#features/folders/vscode/open-sync.ts')).openBranchTrashWith(deps)(target);
}

/** The sync engine is large and needed by the first linked folder only: it is a bundle of its own. */
function lazySync(
  deps: Pick<Services, 'context' | 'data' | 'logger' | 'merges' | 'saveChoices' | 'pauses' | 'changedFiles'>,
): OpenSync {
  return async (folder, target, deploy) => {
    // Whether uploads need a consent is known of the deployment, so the list is there before anything can be saved.
    await deps.data.deployments(target.accountId).start();
    const { openSyncWith } = await import('#features/folders/vscode/open-sync.ts');
    const reportFiles = (uris: readonly vscode.Uri[]): void => deps.changedFiles.fire(uris);
    return openSyncWith({ ...deps, reportFiles })(folder, target, deploy);
  };
}

/** `MODELBENCH_API_KEY` with `MODELBENCH_TENANT_URL`: for machines without a keyring, and for scripts. */
function environmentKey(redactor: Redactor): EnvironmentKey | undefined {
  const key = process.env['MODELBENCH_API_KEY']?.trim();
  const tenant = parseTenantUrl(process.env['MODELBENCH_TENANT_URL'] ?? '');
  if (key === undefined || key === '' || !tenant.ok) return undefined;
  redactor.hide(key);
  return { key, tenantUrl: tenant.value.baseUrl };
}

interface ClientOptions {
  readonly userAgent: string;
  readonly reauthentication: Reauthentication;
}

function accountClient(
  account: Account,
  accounts: Accounts,
  { logger, userAgent, reauthentication }: Pick<Services, 'logger'> & ClientOptions,
): Client {
  const baseUrl = account.tenantUrl;
  const anonymous = createClient({ baseUrl, credential: () => undefined, logger, userAgent, proxyOf: usedProxy });
  const refresh: RefreshTokens = (token) => refreshTokens(anonymous, token, { clientId: 'modelbench' });
  return createClient({
    baseUrl,
    credential: async () => {
      await accounts.keepFresh(account, refresh, systemClock.now());
      const token = await accounts.key(account);
      return token === undefined ? undefined : { kind: 'bearer', token, origin: originOf(baseUrl) };
    },
    // A key cannot be renewed: the account is marked, and the user asked for another one while the call waits.
    onUnauthorized: async () => (await accounts.renew(account, refresh)) || reauthentication.ask(account),
    resolveLostReply: async (lost) => (await import('#api/lost-replies.ts')).resolveLostReply(lost),
    logger,
    userAgent,
    proxyOf: usedProxy,
  });
}

/** Optional operations of each account, read once: when its deployments are there, or when something needs to know. */
function capabilities(
  data: PlatformData,
  accounts: Accounts,
  store: DisposableStore,
): Pick<Services, 'offers' | 'learnOffers' | 'capabilitiesOf'> {
  const known = new Map<string, Capabilities>();
  const reading = new Map<string, Promise<void>>();
  const learned = store.add(new Emitter<void>());
  const ended = new AbortController();
  store.add({ dispose: () => ended.abort() });
  const refresh = async (accountId: string): Promise<void> => {
    try {
      known.set(accountId, await readCapabilities(data.client(accountId), ended.signal));
      learned.fire();
      data.touch();
    } catch {
      // Not reachable now: read again with the next refresh of the deployments.
      reading.delete(accountId);
    }
  };
  const learnOffers = async (accountId: string): Promise<void> => {
    const read = reading.get(accountId) ?? Promise.resolve(accountId).then(refresh);
    reading.set(accountId, read);
    await read;
  };
  store.add(
    data.onDidChange(() => {
      for (const { id } of accounts.all.value) {
        if (!reading.has(id) && data.deployments(id).value !== undefined) void learnOffers(id);
      }
    }),
  );
  const offers = (accountId: string, operationId: string): boolean => {
    learned.track();
    return (known.get(accountId) ?? noCapabilities).has(operationId);
  };
  const capabilitiesOf = async (accountId: string): Promise<Capabilities> => {
    await learnOffers(accountId);
    return known.get(accountId) ?? noCapabilities;
  };
  return { offers, learnOffers, capabilitiesOf };
}

function workspaceTrust(store: DisposableStore): ReadonlyStore<boolean> {
  const trusted = store.add(new Store(vscode.workspace.isTrusted));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => trusted.set(true)));
  return trusted;
}
