import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { Emitter } from '#base/event.ts';
import { text } from '#base/user-text.ts';
import type { LinkedFolder } from '#features/platform/index.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { McpServerDeps } from './deps.ts';

/** As `package.json` names it. */
const PROVIDER = 'modelbench';

/**
 * Offers the tools of the command line to VS Code's agents: a server for each linked folder, with the account that the folder uses.
 * Its key is handed over in the environment of the process, right when it is started, and is in no file. Hosts without
 * the API get nothing.
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

/** VS Code keeps what is listed here, so that no key is in it. */
function serversOf({ context, isTrusted, session }: McpServerDeps): vscode.McpStdioServerDefinition[] {
  if (!isTrusted.value) return [];
  const { extensionUri, extension } = context;
  const program = vscode.Uri.joinPath(extensionUri, 'dist', 'cli.js').fsPath;
  return linkedFolders(session).map(({ name, folder }) => {
    const args = [program, 'mcp', '--folder', folder.fsPath];
    const { version } = extension.packageJSON as { readonly version: string };
    // The window's account or none: no sign-in of another program.
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
  // A token of a browser sign-in that is about to end is renewed by any request.
  if (account) await data.deployments(account.id).refresh();
  const key = account && (await accounts.key(account));
  // Without a sign-in the tools that need no platform work.
  if (account && key !== undefined)
    server.env = { ...server.env, MODELBENCH_API_KEY: key, MODELBENCH_TENANT_URL: account.tenantUrl };
  return server;
}

/** Folders on a disk: the server is a program of this machine. */
function linkedFolders(session: McpServerDeps['session']): readonly (LinkedFolder & { readonly folder: vscode.Uri })[] {
  return session.links.value
    .filter(({ link }) => link !== undefined)
    .map((linked) => ({ ...linked, folder: vscode.Uri.parse(linked.folderId, true) }))
    .filter(({ folder }) => folder.scheme === 'file');
}
