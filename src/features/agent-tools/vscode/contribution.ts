import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { CancelledError } from '#base/async.ts';
import { textOf } from '#base/user-text.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { markdownText } from '#shell/vscode/guarded/markdown.ts';
import type { WindowTools } from './window-tools.ts';

/** The prefix of the tools' names in `package.json`; the chat registers its own tool. */
const PREFIX = 'modelbench_';
const OF_THE_CHAT = 'modelbench_ask';

/** Registers the tools in `package.json` for the agents of VS Code. A host without that API gets none. */
export function agentToolsContribution(
  { extension }: Pick<vscode.ExtensionContext, 'extension'>,
  open: () => Promise<WindowTools>,
): Contribution {
  return {
    id: 'agentTools',
    register: (store) => {
      const { lm } = vscode as { readonly lm?: Partial<typeof vscode.lm> };
      if (typeof lm?.registerTool !== 'function') return;
      for (const name of namesIn(extension.packageJSON))
        store.add(vscode.lm.registerTool(name, toolOf(name.slice(PREFIX.length), open)));
    },
  };
}

type Input = Readonly<Record<string, unknown>>;

function toolOf(name: string, open: () => Promise<WindowTools>): vscode.LanguageModelTool<Input> {
  return {
    prepareInvocation: async ({ input }) => {
      const { doing, confirmation } = await (await open()).prepared(name, input);
      const invocationMessage = markdownText(textOf(doing));
      if (!confirmation) return { invocationMessage };
      const { title, message } = confirmation;
      return { invocationMessage, confirmationMessages: { title, message: markdownText(message) } };
    },
    invoke: async ({ input }, token) => {
      const stop = new AbortController();
      if (token.isCancellationRequested) stop.abort(new CancelledError());
      const listener = token.onCancellationRequested(() => stop.abort(new CancelledError()));
      try {
        const answer = await (await open()).run(name, input, stop.signal);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(answer)]);
      } finally {
        listener.dispose();
      }
    },
  };
}

function namesIn(manifest: unknown): readonly string[] {
  const { contributes } = manifest as {
    readonly contributes: { readonly languageModelTools?: readonly { readonly name: string }[] };
  };
  return (contributes.languageModelTools ?? []).map(({ name }) => name).filter((name) => name !== OF_THE_CHAT);
}
