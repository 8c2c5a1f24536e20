import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, text as sentence } from '#base/user-text.ts';
import { markdownText } from '#shell/vscode/guarded/markdown.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { CancelledError } from '#base/async.ts';
import { askOnce } from '#chat-core/ask-once.ts';
import type { Chat } from './chat.ts';

/** What an assistant sends: VS Code does not compare it with the schema in `package.json`. */
type AskInput = Readonly<Record<string, unknown>>;

type Asked = Pick<Chat, 'service' | 'awaited'>;

/** Registers the platform's agent as a tool for VS Code's own assistants, if the host has the API (forks may lack it). */
export function registerTool(chat: Asked, store: DisposableStore): void {
  const { lm } = vscode as { readonly lm?: Partial<typeof vscode.lm> };
  if (typeof lm?.registerTool !== 'function') return;
  store.add(vscode.lm.registerTool<AskInput>('modelbench_ask', askTool(chat)));
}

function askTool({ service, awaited }: Asked): vscode.LanguageModelTool<AskInput> {
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: markdownText(sentence`Asking the analytics agent`),
      confirmationMessages: {
        title: sentence`Ask the analytics agent`,
        message: markdownText(passage(`“${questionIn(input)}” is sent to the platform.`)),
      },
    }),
    invoke: async ({ input }, token) =>
      text(await askOnce(service, questionIn(input), signalOf(token), (key) => awaited.add(key))),
  };
}

/** Throws for any other input, in words with which the assistant can correct it. */
function questionIn({ question, ...others }: AskInput): string {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`“ask” has no input “${unknown}”. It has question.`);
  if (typeof question !== 'string') throw new Error('“question” is wrong: It must be a text.');
  return question;
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
