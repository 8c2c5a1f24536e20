import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { PlatformAccess, ToolPorts } from '#tools/ports.ts';
import type { Tool, ToolError } from '#tools/tool.ts';

/** The tools, and how the command line connects them to this machine. */
export interface AgentCommandLine {
  readonly tools: readonly Tool[];
  /** Returns what tools can use of this machine for a folder; they show paths relative to `from`. */
  readonly portsOf: (folder: string, from: string) => ToolPorts;
  readonly dataClient: PlatformAccess['dataClient'];
  /** Creates an error that an agent can correct. */
  readonly usageError: (message: string) => ToolError;
}

type Context = Pick<vscode.ExtensionContext, 'extension' | 'extensionUri' | 'globalStorageUri'>;

/**
 * Loads the command line's bundle. It never runs scripts of a project for agents, and it gets no key: the window has the
 * connection.
 */
export async function agentCommandLine({
  extension,
  extensionUri,
  globalStorageUri,
}: Context): Promise<AgentCommandLine> {
  const { dataClients, portsOf, ToolError, tools } = await import('#cli/main.ts');
  const { dataClientOf } = await dataClients();
  const { version } = extension.packageJSON as { readonly version: string };
  const inDist = (name: string): string => vscode.Uri.joinPath(extensionUri, 'dist', name).fsPath;
  const environment = {
    variables: {},
    state: vscode.Uri.joinPath(globalStorageUri, 'tools').fsPath,
    hashWorker: inDist('hash-worker.js'),
    engine: {
      program: inDist('engine-process.js'),
      bundle: inDist('engine.js'),
      renderer: inDist('templates.js'),
      templates: inDist('minijinja_js_bg.wasm'),
    },
  };
  return {
    tools,
    portsOf: (folder, from) => portsOf(folder, { ...environment, folder: from }, 'refuse'),
    dataClient: (restUrl, token) => dataClientOf(restUrl, token, { userAgent: `modelbench/${version}` }),
    usageError: (message) => new ToolError('usage', message),
  };
}
