import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { UserError } from '#shell/user-error.ts';
import { DocumentFiles, type Restoring } from '#shell/vscode/documents/document-files.ts';
import { DocumentMemory } from '#shell/vscode/documents/document-memory.ts';
import { memoryRecords } from '#support/memory-records.ts';
import type { PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import { User } from './user.ts';
import { describe, it } from './runner.ts';

const scheme = 'modelbench-restored-test';
const recipe = { kind: 'thing', accountId: 'one' };

/** What outlives a window, and what the platform has. */
function tenant() {
  // A path of its own: VS Code keeps the text of a closed editor for minutes, and would show it to the next test.
  const path = `/${randomUUID()}/thing.json`;
  const uri = vscode.Uri.from({ scheme, path });
  const state = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const memory = new DocumentMemory(
    {
      state: {
        get: (key) => state.get(key),
        set: (key, value) => Promise.resolve(void (value === undefined ? state.delete(key) : state.set(key, value))),
      },
      secrets: {
        get: (key) => Promise.resolve(secrets.get(key)),
        store: (key, value) => Promise.resolve(void secrets.set(key, value)),
        delete: (key) => Promise.resolve(void secrets.delete(key)),
      },
      records: memoryRecords(),
    },
    'documents',
  );
  const there: { thing: object | undefined } = { thing: { size: 1 } };
  const document: PlatformDocument = {
    path,
    recipe,
    read: () =>
      there.thing ? Promise.resolve(there.thing) : Promise.reject(new UserError('The thing no longer exists.')),
    save: (edited) => Promise.resolve((there.thing = edited as object)),
  };
  const text = async (): Promise<string> => new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  /** As auto save does. */
  const write = async (files: DocumentFiles, value: string): Promise<void> =>
    files.writeFile(uri, new TextEncoder().encode(value));
  return { memory, document, there, uri, text, write };
}

/** The documents of one window; `make`: how those of an earlier one are made again. */
async function inWindow(
  memory: DocumentMemory,
  make: Restoring['make'],
  act: (files: DocumentFiles) => Promise<void>,
): Promise<void> {
  const files = new DocumentFiles(scheme, { memory, make });
  try {
    await act(files);
  } finally {
    files.dispose();
  }
}

/** Replaces what an editor has, and waits until VS Code's auto save has kept it. */
async function autoSaved(editor: vscode.TextEditor, text: string): Promise<void> {
  const files = vscode.workspace.getConfiguration('files');
  const saved = Promise.withResolvers<void>();
  const listening = vscode.workspace.onDidSaveTextDocument((document) => {
    if (document === editor.document) saved.resolve();
  });
  // Windows of a browser save automatically by default; the other suites need what the host has set.
  const before = files.inspect('autoSave')?.globalValue;
  await files.update('autoSave', 'afterDelay', vscode.ConfigurationTarget.Global);
  try {
    const { document } = editor;
    const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
    await editor.edit((edit) => edit.replace(whole, text));
    await saved.promise;
  } finally {
    listening.dispose();
    await files.update('autoSave', before, vscode.ConfigurationTarget.Global);
  }
}

describe('a document of an earlier window', () => {
  it('has what was typed and not sent, marked so, until a user saves it', async () => {
    const { memory, document, there, uri, text, write } = tenant();
    const make: Restoring['make'] = (made) => Promise.resolve(made['kind'] === 'thing' ? document : undefined);
    await inWindow(memory, make, async (files) => {
      await files.hold(document);
      await write(files, '{"size": 2}');
    });
    assert.deepEqual(there.thing, { size: 1 });
    await inWindow(memory, make, async (files) => {
      assert.equal(await text(), '{"size": 2}');
      assert.equal(files.provideFileDecoration(uri)?.badge, '!');
      const editor = await vscode.window.showTextDocument(uri);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
      assert.equal(await editor.document.save(), true);
      assert.deepEqual(there.thing, { size: 2 });
      assert.equal(files.provideFileDecoration(uri), undefined);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    });
  });

  it('is sent by its Save button though auto save has kept it', async () => {
    const { memory, document, there, uri, write } = tenant();
    const make: Restoring['make'] = () => Promise.resolve(document);
    await inWindow(memory, make, async (files) => {
      await files.hold(document);
      await write(files, '{"size": 2}');
      const { document: open } = await vscode.window.showTextDocument(uri);
      assert.equal(open.isDirty, false);
      assert.equal(files.isChanged(open), true);
      await files.saveActive(open);
      assert.deepEqual(there.thing, { size: 2 });
      assert.equal(files.isChanged(open), false);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    });
  });

  it('keeps what auto save writes after a save', async () => {
    const { memory, document, there, uri, text } = tenant();
    const make: Restoring['make'] = () => Promise.resolve(document);
    await inWindow(memory, make, async (files) => {
      await files.hold(document);
      const editor = await vscode.window.showTextDocument(uri);
      await autoSaved(editor, '{"size": 2}');
      await files.saveActive(editor.document);
      assert.deepEqual(there.thing, { size: 2 });
      await autoSaved(editor, '{"size": 3}');
      assert.equal(await text(), '{"size": 3}');
      assert.equal(editor.document.getText(), '{"size": 3}');
      assert.equal(files.isChanged(editor.document), true);
      await files.saveActive(editor.document);
      assert.deepEqual(there.thing, { size: 3 });
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    });
  });

  it('is not saved over something newer of the platform', async () => {
    const { memory, document, there, uri, write } = tenant();
    const make: Restoring['make'] = () => Promise.resolve(document);
    await inWindow(memory, make, async (files) => {
      await files.hold(document);
      await write(files, '{"size": 2}');
    });
    there.thing = { size: 7 };
    await inWindow(memory, make, async () => {
      const editor = await vscode.window.showTextDocument(uri);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
      assert.equal(await editor.document.save(), false);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });
    assert.deepEqual(there.thing, { size: 7 });
  });

  it('says that its account is signed out, or that its object is gone, and comes when it can', async () => {
    const { memory, document, there, text } = tenant();
    const made = { isSignedIn: false };
    const make: Restoring['make'] = () =>
      made.isSignedIn ? Promise.resolve(document) : Promise.reject(new UserError('You are signed out of the tenant.'));
    await inWindow(memory, make, async (files) => void (await files.hold(document)));
    const user = new User();
    await inWindow(memory, make, async (files) => {
      await assert.rejects(text(), /You are signed out of the tenant\./);
      await assert.rejects(text(), /You are signed out of the tenant\./);
      assert.equal(user.said, '“thing.json” could not be restored. You are signed out of the tenant.');
      made.isSignedIn = true;
      const { thing } = there;
      there.thing = undefined;
      await assert.rejects(text(), /The thing no longer exists\./);
      there.thing = thing;
      assert.match(await text(), /"size": 1/);
      assert.match(user.said, /The thing no longer exists\.$/);
      await files.keepOnly(new Set(['one']));
    });
    user.leave();
    await inWindow(memory, make, async (files) => {
      await files.keepOnly(new Set(['another']));
      await assert.rejects(text(), { code: 'FileNotFound' });
    });
  });
});
