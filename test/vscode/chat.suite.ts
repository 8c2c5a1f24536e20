import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { theExtension } from './extension.ts';
import { describe, it } from './runner.ts';

describe('the chat', () => {
  it('offers read-only tools to the assistants of the host, and they answer', async () => {
    const { extension, manifest } = theExtension();
    await extension.activate();
    // The chat's own bundle is loaded after activation: opening the chat waits for it.
    await vscode.commands.executeCommand('modelbench.chat.show');
    const { languageModelTools = [] } = manifest.contributes as { languageModelTools?: { name: string }[] };
    const offered = new Set(vscode.lm.tools.map(({ name }) => name));
    assert.ok(languageModelTools.length > 0, 'the manifest contributes tools');
    for (const { name } of languageModelTools) assert.ok(offered.has(name), `${name} is offered`);
    const answer = await vscode.lm.invokeTool('modelbench_status', { input: {}, toolInvocationToken: undefined });
    const [part] = answer.content;
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    assert.match(part.value, /signed in|Deployment/);
  });

  it('searches the data model for other assistants', async () => {
    const found = await vscode.lm.invokeTool('modelbench_search', {
      input: { query: 'no-such-member' },
      toolInvocationToken: undefined,
    });
    assert.match(textOf(found), /Nothing in the data model/);
  });

  it('has a container of its own and can be shown as an editor too', async () => {
    await vscode.commands.executeCommand('modelbench.chat.show');
    await vscode.commands.executeCommand('modelbench.chat.openInEditor');
    const own = await chatTab();
    await vscode.window.tabGroups.close(own);
  });
});

function textOf({ content }: vscode.LanguageModelToolResult): string {
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

/** The tab of the chat, once VS Code has told of it. */
async function chatTab(): Promise<vscode.Tab> {
  const find = (): vscode.Tab | undefined =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .find(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('chatPanel'));
  const there = find();
  if (there) return there;
  return new Promise((resolve) => {
    const listening = vscode.window.tabGroups.onDidChangeTabs(() => {
      const tab = find();
      if (!tab) return;
      listening.dispose();
      resolve(tab);
    });
  });
}
