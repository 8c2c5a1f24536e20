import * as vscode from 'vscode';

/** The tools as the extension hands them over to VS Code, which calls them in a window but does not show them to others. */
export const registeredTools = new Map<string, vscode.LanguageModelTool<object>>();
const { registerTool } = vscode.lm;
Object.assign(vscode.lm, {
  registerTool: (name: string, tool: vscode.LanguageModelTool<object>) => {
    registeredTools.set(name, tool);
    return registerTool(name, tool);
  },
});

/**
 * Runs a tool through VS Code and resolves to its text. VS Code asks no question while it runs suites: it goes on as if the user
 * had said yes.
 */
export async function invoke(tool: string, input: object, token?: vscode.CancellationToken): Promise<string> {
  const { content } = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined }, token);
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

/** What VS Code would ask the user before a tool runs, as plain text; `undefined` if it would ask nothing. */
export async function questionBefore(tool: string, input: object): Promise<string | undefined> {
  const { token } = new vscode.CancellationTokenSource();
  const prepared = await registeredTools.get(tool)?.prepareInvocation?.({ input }, token);
  if (!prepared?.confirmationMessages) return undefined;
  const { title, message } = prepared.confirmationMessages;
  const text = typeof message === 'string' ? message : message.value;
  return `${title}\n${text.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')}`;
}
