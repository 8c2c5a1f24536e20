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
});
