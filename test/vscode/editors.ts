import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from './until.ts';

/** Replaces the text of the active editor and saves it as a user does. */
export async function saveAs(value: unknown): Promise<boolean> {
  const document = await activeDocument();
  const $schema = /"\$schema": "([^"]+)"/.exec(document.getText())?.[1];
  const edit = new vscode.WorkspaceEdit();
  const text = JSON.stringify({ ...($schema === undefined ? {} : { $schema }), ...(value as object) }, undefined, 2);
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  return document.save();
}

/** Changes fields of the document in the active editor, leaves the others, and saves it. */
export async function saveWith(changes: object): Promise<boolean> {
  const document = await activeDocument();
  return saveAs({ ...(JSON.parse(document.getText()) as object), ...changes });
}

/** The document of the active editor, once it {@link showsItsFile}. */
async function activeDocument(): Promise<vscode.TextDocument> {
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document, 'a document is open');
  await showsItsFile(document);
  return document;
}

/**
 * Resolves once an editor without unsaved edits shows what its file has. VS Code reads a changed file in its own time, and
 * refuses to save an edit of the version before.
 */
export async function showsItsFile(document: vscode.TextDocument): Promise<void> {
  const inFile = async (): Promise<string> =>
    new TextDecoder().decode(await vscode.workspace.fs.readFile(document.uri));
  await until(async () => document.isDirty || (await inFile()) === document.getText());
}

/** Resolves once an editor shows what the platform made of a save, which ends its last line; it would replace an edit. */
export async function answered(document: vscode.TextDocument): Promise<void> {
  if (document.getText().endsWith('\n')) return;
  await new Promise<void>((resolve) => {
    const listening = vscode.workspace.onDidChangeTextDocument(() => {
      if (!document.getText().endsWith('\n')) return;
      listening.dispose();
      resolve();
    });
  });
}

/**
 * The text of the untitled document that a command opened, known by what it says. Its editor stays open: a document that
 * is made at once after another was closed gets the same name, and the text of the other on a busy machine.
 */
export async function untitledText(isIt: RegExp): Promise<string> {
  const find = (): vscode.TextDocument | undefined =>
    vscode.workspace.textDocuments.find((each) => each.isUntitled && isIt.test(each.getText()));
  const document = find() ?? (await firstOf(vscode.workspace.onDidOpenTextDocument, find));
  return document.getText();
}

/** Looks at each event until there is something. */
async function firstOf<T>(event: vscode.Event<unknown>, find: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const listening = event(() => {
      const found = find();
      if (found === undefined) return;
      listening.dispose();
      resolve(found);
    });
  });
}

/** Resolves to the title of an editor once there is one of that title. */
export async function tabNamed(title: string | RegExp): Promise<string> {
  const find = (): string | undefined =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs.map(({ label }) => label))
      .find((label) => (typeof title === 'string' ? label === title : title.test(label)));
  return find() ?? firstOf(vscode.window.tabGroups.onDidChangeTabs, find);
}

/** Resolves once an editor shows a document as a form, or none does. */
export async function formShown(isShown: boolean): Promise<void> {
  const isSo = (): true | undefined => {
    const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
    const isForm = inputs.some((input) => input instanceof vscode.TabInputCustom && input.viewType.endsWith('.form'));
    return isForm === isShown ? true : undefined;
  };
  if (!isSo()) await firstOf(vscode.window.tabGroups.onDidChangeTabs, isSo);
}

/** Resolves once no editor has that title. */
export async function noTabNamed(title: string): Promise<void> {
  const isGone = (): true | undefined =>
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === title)) ? undefined : true;
  if (!isGone()) await firstOf(vscode.window.tabGroups.onDidChangeTabs, isGone);
}
