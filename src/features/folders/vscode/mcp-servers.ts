import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { Emitter } from '#base/event.ts';
import { text } from '#base/user-text.ts';
import type { LinkedFolder } from '#features/platform/index.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { McpServerDeps } from './deps.ts';

/** The id in `package.json`. */
const PROVIDER = 'modelbench';

/**
 * Offers the tools of the command line to VS Code's agents: a server for each linked folder, with the account that the folder
 * uses. Its key is passed in the environment of the process when it starts, and is not stored in a file. Hosts without the API
 * get nothing.
 */
export function mcpServersContribution(deps: McpServerDeps): Contribution {
  return {
    id: 'mcpServers',
    register: (store) => {
      const { lm } = vscode as { readonly lm?: Partial<typeof vscode.lm> };
      if (typeof lm?.registerMcpServerDefinitionProvider !== 'function') return;
      const changed = store.add(new Emitter<void>());
      for (const source of [deps.session.links, deps.accounts.all, deps.isTrusted])
        store.add(source.onDidChange(() => changed.fire()));
      store.add(
        vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
          onDidChangeMcpServerDefinitions: (listener) => changed.event(() => listener()),
          provideMcpServerDefinitions: () => serversOf(deps),
          resolveMcpServerDefinition: async (server) => withKey(deps, server),
        }),
      );
    },
  };
}

/** Returns the servers without a key, because VS Code stores what is listed here. */
function serversOf({ context, isTrusted, session }: McpServerDeps): vscode.McpStdioServerDefinition[] {
  if (!isTrusted.value) return [];
  const { extensionUri, extension } = context;
  const program = vscode.Uri.joinPath(extensionUri, 'dist', 'cli.js').fsPath;
  return linkedFolders(session).map(({ name, folder }) => {
    const args = [program, 'mcp', '--folder', folder.fsPath];
    const { version } = extension.packageJSON as { readonly version: string };
    // Use the window's account or none, never the sign-in of another program.
    const env = { ELECTRON_RUN_AS_NODE: '1', MODELBENCH_CONTEXT: '' };
    const server = new vscode.McpStdioServerDefinition(text`Modelbench: ${name}`, process.execPath, args, env, version);
    server.cwd = folder;
    return server;
  });
}

async function withKey<T extends vscode.McpServerDefinition>(deps: McpServerDeps, server: T): Promise<T> {
  const { accounts, data, session } = deps;
  if (!(server instanceof vscode.McpStdioServerDefinition)) return server;
  const found = linkedFolders(session).find(({ folder }) => folder.fsPath === server.cwd?.fsPath);
  const target = found && session.targetOf(found);
  const account = target && accounts.get(target.accountId);
  // Any request renews a token of a browser sign-in that is about to expire.
  if (account) await data.deployments(account.id).refresh();
  const key = account && (await accounts.key(account));
  // Without a sign-in, the tools that do not need the platform still work.
  if (account && key !== undefined)
    server.env = { ...server.env, MODELBENCH_API_KEY: key, MODELBENCH_TENANT_URL: account.tenantUrl };
  return server;
}

/** Returns the linked folders on a disk: the server runs on this machine. */
function linkedFolders(session: McpServerDeps['session']): readonly (LinkedFolder & { readonly folder: vscode.Uri })[] {
  return session.links.value
    .filter(({ link }) => link !== undefined)
    .map((linked) => ({ ...linked, folder: vscode.Uri.parse(linked.folderId, true) }))
    .filter(({ folder }) => folder.scheme === 'file');
}
