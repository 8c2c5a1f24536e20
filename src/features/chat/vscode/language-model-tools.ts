import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, text as sentence } from '#base/user-text.ts';
import { markdownText } from '#shell/vscode/guarded/markdown.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { CancelledError } from '#base/async.ts';
import { askOnce } from '#chat-core/ask-once.ts';
import type { Chat } from './chat.ts';
import type { ChatDeps } from './deps.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

interface AskInput {
  readonly question: string;
}
interface SearchInput {
  readonly query: string;
}

type Asked = Pick<Chat, 'service' | 'awaited'>;

/** The most symbols that a search answers with. */
const MOST_SYMBOLS = 60;

/** Read-only tools for VS Code's own assistants, where the host has the API (forks may lack it). */
export function registerTools(deps: ChatDeps, chat: Asked, store: DisposableStore): void {
  const { lm } = vscode as { readonly lm?: Partial<typeof vscode.lm> };
  if (typeof lm?.registerTool !== 'function') return;
  store.add(vscode.lm.registerTool<AskInput>('modelbench_ask', askTool(chat)));
  store.add(vscode.lm.registerTool<SearchInput>('modelbench_search', searchTool(deps)));
  store.add(vscode.lm.registerTool('modelbench_status', statusTool(deps)));
}

function askTool({ service, awaited }: Asked): vscode.LanguageModelTool<AskInput> {
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: markdownText(sentence`Asking the analytics agent`),
      confirmationMessages: {
        title: sentence`Ask the analytics agent`,
        message: markdownText(passage(`“${input.question}” is sent to the platform.`)),
      },
    }),
    invoke: async ({ input }, token) =>
      text(await askOnce(service, input.question, signalOf(token), (key) => awaited.add(key))),
  };
}

function searchTool({ isModelFile }: ChatDeps): vscode.LanguageModelTool<SearchInput> {
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: markdownText(sentence`Searching the data model for “${input.query}”`),
      confirmationMessages: {
        title: sentence`Search the data model`,
        message: markdownText(sentence`The assistant gets the names that match “${input.query}”, with their files.`),
      },
    }),
    invoke: async ({ input }) => {
      const symbols = await executeBuiltIn('vscode.executeWorkspaceSymbolProvider', input.query);
      // VS Code asks the providers of every language: what is not of a data model stays here.
      const ours = (symbols ?? []).filter(({ location }) => isModelFile(location.uri));
      const lines = ours.slice(0, MOST_SYMBOLS).map(({ name, containerName, kind, location }) => {
        const path = vscode.workspace.asRelativePath(location.uri);
        const whole = containerName === '' ? name : `${containerName}.${name}`;
        return `${whole} (${vscode.SymbolKind[kind]}), ${path}:${location.range.start.line + 1}`;
      });
      return text(lines.length === 0 ? 'The data model of this window has no matching name.' : lines.join('\n'));
    },
  };
}

function statusTool({ context, around }: ChatDeps): vscode.LanguageModelTool<object> {
  return {
    prepareInvocation: () => ({
      invocationMessage: markdownText(sentence`Reading the state of the branch`),
      confirmationMessages: {
        title: sentence`Read the state of the branch`,
        message: markdownText(
          sentence`The assistant gets the names of the deployment and its branch, and the state of its build.`,
        ),
      },
    }),
    invoke: () => {
      const now = context.value;
      if (now.kind !== 'ready') return text('The user is not signed in, or no deployment is selected.');
      const branch = now.branch ? `${now.branch.name}${now.branch.isDefault ? ' (deploy branch)' : ''}` : 'unknown';
      return text([`Deployment: ${now.deploymentName}`, `Active branch: ${branch}`, ...around.status()].join('\n'));
    },
  };
}

function text(value: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(value)]);
}

function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort(new CancelledError());
  token.onCancellationRequested(() => controller.abort(new CancelledError()));
  return controller.signal;
}
