import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { lensCommands } from '#features/language/messages.ts';
import { theExtension } from './extension.ts';
import { describe, it } from './runner.ts';

/** Commands that VS Code makes for each view. */
const ofViews = ['focus', 'open', 'resetViewLocation', 'toggleVisibility', 'removeView'];

/** Run by what we draw, with arguments that a user could not give: not in the manifest. */
const ofLenses: readonly string[] = Object.values(lensCommands);

describe('commands', () => {
  it('are registered exactly as the manifest lists them', async () => {
    const { extension, manifest } = theExtension();
    await extension.activate();
    const views = Object.values(manifest.contributes?.views ?? {}).flat();
    const made = new Set(views.flatMap(({ id }) => ofViews.map((name) => `${id}.${name}`)));
    const contributed = (manifest.contributes?.commands ?? []).map(({ command }) => command);
    const registered = (await vscode.commands.getCommands(true)).filter(
      (id) => id.startsWith('modelbench.') && (contributed.includes(id) || !made.has(id)),
    );
    assert.ok(contributed.length > 0, 'the manifest contributes commands');
    // Those of lenses come with the language client, which is loaded after activation.
    assert.deepEqual(registered.filter((id) => !ofLenses.includes(id)).sort(), [...contributed].sort());
  });
});
