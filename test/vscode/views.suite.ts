import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { theExtension } from './extension.ts';
import { describe, it } from './runner.ts';

describe('views', () => {
  it('of the manifest all open', async () => {
    const { extension, manifest } = theExtension();
    await extension.activate();
    const views = Object.values(manifest.contributes?.views ?? {}).flat();
    assert.ok(views.length > 0, 'the manifest contributes views');
    const commands = new Set(await vscode.commands.getCommands(false));
    for (const { id, name } of views) {
      assert.ok(name.length > 0, `${id} has a name`);
      // A view that its condition hides has no focus command to run.
      if (commands.has(`${id}.focus`)) await vscode.commands.executeCommand(`${id}.focus`);
    }
  });
});
