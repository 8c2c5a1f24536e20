import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { problems } from './problems.ts';
import { runTests } from './runner.ts';

/** What VS Code calls inside the extension host; it fails the run when a test failed. */
export async function run(): Promise<void> {
  await foldersAreOpen();
  await foldersAreTrusted();
  const { failed } = await runTests(
    (line) => console.log(line),
    undefined,
    undefined,
    () => `Problems:\n${problems()}`,
  );
  if (failed > 0) throw new Error(`${failed} tests failed`);
}

/**
 * In a browser, VS Code opens a workspace before it has read its file. Where the file is read at the wrong moment (on a busy
 * machine) its folders are dropped, and come when the file is written again.
 */
async function foldersAreOpen(): Promise<void> {
  const file = vscode.workspace.workspaceFile;
  assert.ok(file, 'the suites run in a workspace');
  for (let waited = 0; (vscode.workspace.workspaceFolders ?? []).length === 0; waited++) {
    await delay(1000);
    if (waited % 3 === 2) await vscode.workspace.fs.writeFile(file, await vscode.workspace.fs.readFile(file));
  }
}

/** The window is trusted from outside of the extension host, as a user does. The page on which that is done is closed again. */
async function foldersAreTrusted(): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    await new Promise<void>((done) => {
      vscode.workspace.onDidGrantWorkspaceTrust(() => done());
    });
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
