import { createClient } from '#api/client/client.ts';
import type { Credential } from '#api/client/credential.ts';
import { PlatformError } from '#api/errors.ts';
import { parseChatUrl } from '#api/tenant-url.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { originOf } from '#base/origin.ts';
import { hostOf } from '#features/accounts/accounts.ts';
import { confirmKeyHost } from '#features/accounts/vscode/confirm-key-host.ts';
import type { ApiConnection } from '#features/api-explorer/connection.ts';
import { AddressBook } from '#features/chat/address-book.ts';
import { KeyOrigins } from '#shell/key-origins.ts';
import { Hint } from '#shell/user-error.ts';
import { setting } from '#shell/vscode/settings.ts';
import { usedProxy } from '#shell/vscode/used-proxy.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import type { PlatformServices, WindowServices } from './composed.ts';

/**
 * Returns the connections for requests of the API Explorer: to the account's platform, and to the chat of the shown deployment.
 */
export function explorerConnection(
  { context, secrets, logger }: WindowServices,
  { accounts, session }: PlatformServices,
  userAgent: string,
  store: DisposableStore,
): (accountId: string) => Promise<ApiConnection> {
  const state = stateStore(context.globalState);
  const book = store.add(new AddressBook(state, secrets));
  const origins = store.add(new KeyOrigins(state));
  return async (accountId) => connect({ accounts, session, logger }, { book, origins }, accountId, userAgent);
}

/** Creates a client that never retries, and a function that removes its secrets from texts. */
async function connect(
  { accounts, session, logger }: Pick<PlatformServices, 'accounts' | 'session'> & Pick<WindowServices, 'logger'>,
  { book, origins }: { readonly book: AddressBook; readonly origins: KeyOrigins },
  accountId: string,
  userAgent: string,
): Promise<ApiConnection> {
  const account = accounts.get(accountId);
  if (!account) {
    throw new Hint('Sign in to the tenant that this request belongs to.', {
      title: 'Sign In',
      command: 'modelbench.signIn',
    });
  }
  const shown = session.active.value;
  const target = shown?.accountId === accountId ? shown : undefined;
  const entry = target && book.entry(target);
  const general = parseChatUrl(setting('chat.url'));
  const chat = entry?.address ?? (general.ok ? general.value : undefined);
  const key = await accounts.key(account);
  const chatKey = target && entry?.ownSecret === true ? await book.secret(target, entry) : key;
  const secrets = [key, chatKey].filter((secret) => secret !== undefined && secret !== '') as readonly string[];
  const chatCredential = async (): Promise<Credential | undefined> => {
    if (chatKey === undefined || !chat) return undefined;
    const owner = { accountId, tenantUrl: account.tenantUrl };
    if (entry?.ownSecret !== true && !(await confirmKeyHost(origins, owner, chat.chatUrl)))
      throw notConfirmed(chat.chatUrl);
    const isService = entry?.credential === 'serviceToken';
    const origin = entry?.ownSecret === true ? originOf(chat.chatUrl) : origins.allowed(owner, chat.chatUrl);
    if (!isService) return { kind: 'apiKey', token: chatKey, origin };
    return { kind: 'serviceToken', token: chatKey, origin, header: setting('chat.serviceTokenHeader') };
  };
  const client = createClient({
    baseUrl: account.tenantUrl,
    chatUrl: chat?.chatUrl,
    credential: () =>
      key === undefined ? undefined : { kind: 'bearer', token: key, origin: originOf(account.tenantUrl) },
    chatCredential,
    onUnauthorized: () => {
      accounts.reportKey(accountId, false);
      return Promise.resolve(false);
    },
    logger,
    userAgent,
    proxyOf: usedProxy,
    limits: { attempts: 1, timeoutMs: 120_000 },
  });
  return { client, chat, hide: (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text) };
}

function notConfirmed(chatUrl: string): PlatformError {
  return new PlatformError({
    kind: 'insecure',
    operation: 'chat',
    message: `Your key was not sent, because ${hostOf(chatUrl)} is not confirmed for this account.`,
  });
}
