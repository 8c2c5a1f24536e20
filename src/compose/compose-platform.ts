import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type Capabilities, noCapabilities, readCapabilities } from '#api/description/capabilities.ts';
import { type Client, createClient } from '#api/client/client.ts';
import { refreshTokens } from '#api/resources/device-sign-in.ts';
import { parseTenantUrl } from '#api/tenant-url.ts';
import { systemClock } from '#base/clock.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { originOf } from '#base/origin.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { type Account, Accounts, type EnvironmentKey, type RefreshTokens } from '#features/accounts/accounts.ts';
import { ForkPoints } from '#features/platform/branch-relation.ts';
import { BuildWatcher } from '#features/platform/build-watch.ts';
import { fetchBuildStatus } from '#features/platform/gateway.ts';
import { PlatformData } from '#features/platform/platform-data.ts';
import { Reauthentication } from '#features/accounts/reauthentication.ts';
import { Session } from '#features/platform/session.ts';
import type { Redactor } from '#shell/vscode/redactor.ts';
import { usedProxy } from '#shell/vscode/used-proxy.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import { promptSignIn } from '#features/folders/vscode/platform-watch.ts';
import type { CapabilityServices, ListServices, PlatformServices, WindowServices } from './composed.ts';

/** The dependencies of requests to the platform. */
interface Wire {
  readonly redactor: Redactor;
  /** The User-Agent of the extension's requests. */
  readonly userAgent: string;
}

/** Creates the accounts and the data of their platforms. */
export function platformServices(
  { context, secrets, logger }: WindowServices,
  { reportOrder }: ListServices,
  { redactor, userAgent }: Wire,
  store: DisposableStore,
): PlatformServices {
  const state = stateStore(context.globalState);
  const accounts = store.add(new Accounts({ secrets, state, environment: environmentKey(redactor) }));
  const connectWith = (tenantUrl: string, key: string): Client => {
    redactor.hide(key);
    const origin = originOf(tenantUrl);
    return createClient({
      baseUrl: tenantUrl,
      // Without a key, only public operations are called.
      credential: () => (key === '' ? undefined : { kind: 'bearer', token: key, origin }),
      logger,
      userAgent,
      proxyOf: usedProxy,
    });
  };
  const reauthentication = new Reauthentication({ accounts, prompt: promptSignIn });
  const connect = (account: Account): Client =>
    accountClient(account, accounts, { logger, userAgent, reauthentication });
  const data = store.add(new PlatformData({ accounts, connect, reportOrder: () => reportOrder.order.value }));
  return {
    accounts,
    connectWith,
    data,
    session: store.add(new Session({ accounts, window: stateStore(context.workspaceState), userState: state })),
    builds: store.add(buildWatcher(data, logger, windowFocus(store))),
    forks: new ForkPoints(state),
    owners: new Set(),
  };
}

function buildWatcher(
  data: PlatformData,
  logger: WindowServices['logger'],
  focused: ReadonlyStore<boolean>,
): BuildWatcher {
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

/** Reads `MODELBENCH_API_KEY` and `MODELBENCH_TENANT_URL`, for scripts and for machines without a keyring. */
function environmentKey(redactor: Redactor): EnvironmentKey | undefined {
  const key = process.env['MODELBENCH_API_KEY']?.trim();
  const tenant = parseTenantUrl(process.env['MODELBENCH_TENANT_URL'] ?? '');
  if (key === undefined || key === '' || !tenant.ok) return undefined;
  redactor.hide(key);
  return { key, tenantUrl: tenant.value.baseUrl };
}

interface ClientOptions {
  readonly logger: WindowServices['logger'];
  readonly userAgent: string;
  readonly reauthentication: Reauthentication;
}

function accountClient(
  account: Account,
  accounts: Accounts,
  { logger, userAgent, reauthentication }: ClientOptions,
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
    // A key cannot be renewed: mark the account and ask the user for another key while the call waits.
    onUnauthorized: async () => (await accounts.renew(account, refresh)) || reauthentication.ask(account),
    resolveLostReply: async (lost) => (await import('#api/lost-replies/lost-replies.ts')).resolveLostReply(lost),
    logger,
    userAgent,
    proxyOf: usedProxy,
  });
}

/** Reads the optional operations of each account once: when its deployments are loaded, or on demand. */
export function capabilityServices(
  { data, accounts }: Pick<PlatformServices, 'data' | 'accounts'>,
  store: DisposableStore,
): CapabilityServices {
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
      // Not reachable now: try again with the next refresh of the deployments.
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
