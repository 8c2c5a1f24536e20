import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { observe, Store } from '#base/store.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { describeExplorerNode, type ExplorerNode } from '#features/api-explorer/explorer-tree.ts';
import { type ExplorerCommands, explorerCommands } from '#shell/commands/api-explorer-commands.ts';
import type { SecretStore } from '#shell/ports.ts';
import { shortId } from '#shell/short-id.ts';
import { views } from '#shell/view-ids.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { registerTree } from '#shell/vscode/register-tree.ts';
import { type Handlers, handOver } from '#shell/vscode/register.ts';
import type { ExplorerDeps } from './deps.ts';
import { ExplorerFiles, type StoredRequests } from './files.ts';
import type { LazyExplorer, OpenedExplorer } from './opened-explorer.ts';
import { apiDocument } from './uris.ts';

/** The dependencies of storing requests. */
interface RequestStorage {
  readonly accounts: Accounts;
  readonly secrets: SecretStore;
}

/**
 * Returns a function that loads the explorer once. Its document provider is registered at once, because VS Code restores editors.
 */
export function lazyExplorer(
  services: Omit<ExplorerDeps, 'requests'> & RequestStorage,
  requests: Omit<ExplorerDeps['requests'], 'files'>,
  store: DisposableStore,
): LazyExplorer {
  let opened: Promise<OpenedExplorer> | undefined;
  const open: LazyExplorer = () => {
    opened ??= import('#features/api-explorer/vscode/contribution.ts').then((module) =>
      store.add(module.openExplorer({ ...services, requests: { ...requests, files } })),
    );
    return opened;
  };
  const files = store.add(new ExplorerFiles(async (uri) => (await open()).restore(uri), storedRequests(services)));
  return open;
}

/** Stores requests in the secret storage by account, so that signing out deletes them. */
function storedRequests({ accounts, secrets }: RequestStorage): StoredRequests {
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

/** Contributes the view, which a setting shows. Its content is loaded when it is first shown. */
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

/** Returns handlers that load the explorer and forward each command to it. */
export function explorerHandlers(explorer: LazyExplorer): Handlers<ExplorerCommands> {
  return handOver<ExplorerCommands>(explorerCommands, explorer);
}
