import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { createClient } from '#api/client.ts';
import { PlatformError } from '#api/errors.ts';
import type { Credential } from '#api/credential.ts';
import { parseChatUrl } from '#api/tenant-url.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { originOf } from '#base/origin.ts';
import { observe, Store } from '#base/store.ts';
import { describeExplorerNode, type ExplorerNode } from '#features/api-explorer/explorer-tree.ts';
import { hostOf } from '#features/accounts/accounts.ts';
import { KeyOrigins } from '#shell/key-origins.ts';
import { shortId } from '#shell/short-id.ts';
import { UserError } from '#shell/user-error.ts';
import { type ExplorerCommands, explorerCommands } from '#shell/commands/api-explorer-commands.ts';
import { views } from '#shell/view-ids.ts';
import { AddressBook } from '#features/chat/vscode/address-book.ts';
import { type Handlers, handOver } from '#shell/vscode/register.ts';
import { confirmKeyHost } from '#features/accounts/vscode/confirm-key-host.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { ApiConnection } from '#features/api-explorer/vscode/deps.ts';
import { ExplorerFiles, type KeptRequests } from '#features/api-explorer/vscode/files.ts';
import { apiDocument } from '#features/api-explorer/vscode/uris.ts';
import { setting } from '#shell/vscode/settings.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import type { Services } from './services.ts';
import { registerTree } from '#shell/vscode/register-tree.ts';
import type { LazyExplorer, OpenedExplorer } from './parts.ts';

type Parts = Omit<Services, 'chat' | 'console' | 'explorer' | 'language'>;

/** Loads the explorer once; its documents are there from the start, since VS Code restores editors. */
export function lazyExplorer(
  services: Parts,
  { userAgent }: { readonly userAgent: string },
  store: DisposableStore,
): LazyExplorer {
  let opened: Promise<OpenedExplorer> | undefined;
  const { context } = services;
  const book = store.add(new AddressBook(stateStore(context.globalState), services.secrets));
  const origins = store.add(new KeyOrigins(stateStore(context.globalState)));
  const connection = async (accountId: string): Promise<ApiConnection> =>
    connect(services, { book, origins }, accountId, userAgent);
  const open: LazyExplorer = () => {
    opened ??= import('#features/api-explorer/vscode/contribution.ts').then((module) =>
      store.add(module.openExplorer({ ...services, files, connection })),
    );
    return opened;
  };
  const files = store.add(new ExplorerFiles(async (uri) => (await open()).restore(uri), keptRequests(services)));
  return open;
}

/** Requests are kept in the secret storage by their account, and so are forgotten when it signs out. */
function keptRequests({ accounts, secrets }: Pick<Parts, 'accounts' | 'secrets'>): KeptRequests {
  const nameOf = (uri: vscode.Uri): string | undefined => {
    const document = apiDocument(uri);
    const account = accounts.all.value.find(({ id }) => shortId(id) === document?.account);
    return account && document?.kind === 'request'
      ? `apiExplorer.request.${JSON.stringify([account.id, document.name])}`
      : undefined;
  };
  return {
    get: async (uri) => {
      const name = nameOf(uri);
      return name === undefined ? undefined : secrets.get(name);
    },
    set: async (uri, text) => {
      const name = nameOf(uri);
      if (name === undefined) return;
      await (text === undefined ? secrets.delete(name) : secrets.set(name, text));
    },
  };
}

/** The view, which a setting shows: filled when it is first looked at. */
export function explorerView(explorer: LazyExplorer): Contribution {
  return {
    id: views.apiExplorer,
    register: (store) => {
      const nodes = store.add(new Store<readonly ExplorerNode[]>([]));
      let filled: Promise<void> | undefined;
      const fill = async (): Promise<void> => {
        const { tree } = await explorer();
        store.add(observe(tree, (now) => nodes.set(now)));
      };
      const ensure = async (): Promise<void> => {
        filled ??= fill();
        await filled;
      };
      registerTree(views.apiExplorer, { nodes, describe: describeExplorerNode, ensure }, store);
    },
  };
}

/** Hands each command to the explorer. */
export function explorerHandlers(explorer: LazyExplorer): Handlers<ExplorerCommands> {
  return handOver<ExplorerCommands>(explorerCommands, explorer);
}

/** A client that sends once, and what must not be shown of it. */
async function connect(
  { accounts, session, logger }: Parts,
  { book, origins }: { readonly book: AddressBook; readonly origins: KeyOrigins },
  accountId: string,
  userAgent: string,
): Promise<ApiConnection> {
  const account = accounts.get(accountId);
  if (!account) {
    throw new UserError('Sign in to the tenant that this request belongs to.', {
      title: 'Sign In',
      command: 'modelbench.signIn',
    });
  }
  const shown = session.active.value;
  const place = shown?.accountId === accountId ? shown : undefined;
  const entry = place && book.entry(place);
  const general = parseChatUrl(setting('chat.url'));
  const chat = entry?.address ?? (general.ok ? general.value : undefined);
  const key = await accounts.key(account);
  const chatKey = place && entry?.ownSecret === true ? await book.secret(place, entry) : key;
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
