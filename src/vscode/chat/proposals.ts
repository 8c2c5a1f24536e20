import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable.ts';

const SCHEME = 'modelbench-proposal';

/**
 * Code of the agent as a change to a file that the person chooses: shown as a diff first, written only when accepted.
 * The file is edited and saved like by hand, so that it reaches the dev branch, and only it, the usual way, and undo works.
 */
export class Proposals implements Disposable, vscode.TextDocumentContentProvider {
  readonly #store = new DisposableStore();
  readonly #texts = new Map<string, string>();
  #count = 0;

  constructor() {
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME) this.#texts.delete(uri.toString());
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  async propose(text: string): Promise<void> {
    const target = await chooseFile();
    if (!target) return;
    const name = vscode.workspace.asRelativePath(target);
    this.#count += 1;
    const proposal = vscode.Uri.from({ scheme: SCHEME, path: target.path, query: String(this.#count) });
    this.#texts.set(proposal.toString(), text.endsWith('\n') ? text : `${text}\n`);
    const before = (await exists(target)) ? target : vscode.Uri.from({ scheme: SCHEME, path: '/nothing' });
    await vscode.commands.executeCommand('vscode.diff', before, proposal, `${name} ↔ Agent's proposal`, {
      preview: false,
    });
    const answer = await vscode.window.showInformationMessage(
      `Apply the agent's proposal to ${name}?`,
      'Apply',
      'Discard',
    );
    if (answer === 'Apply') await this.#apply(target, proposal);
    await closeDiff(proposal);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #apply(target: vscode.Uri, proposal: vscode.Uri): Promise<void> {
    const text = this.#texts.get(proposal.toString()) ?? '';
    const edit = new vscode.WorkspaceEdit();
    if (!(await exists(target))) edit.createFile(target, { contents: new Uint8Array() });
    await vscode.workspace.applyEdit(edit);
    const document = await vscode.workspace.openTextDocument(target);
    const change = new vscode.WorkspaceEdit();
    change.replace(target, document.validateRange(new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, 0)), text);
    if (!(await vscode.workspace.applyEdit(change))) throw new Error(`${target.fsPath} could not be changed.`);
    await document.save();
    await vscode.window.showTextDocument(document);
  }
}

/** Never guessed: the person names the file. */
async function chooseFile(): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles('**/*.{yml,yaml,js,jinja}', '**/node_modules/**', 2000);
  const items = [
    { label: '$(new-file) New File…', uri: undefined },
    ...files
      .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
      .toSorted((a, b) => a.label.localeCompare(b.label)),
  ];
  const picked = await vscode.window.showQuickPick(items, { title: 'Which File Should Become This?' });
  if (!picked) return undefined;
  return picked.uri ?? newFile();
}

async function newFile(): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) return undefined;
  const path = await vscode.window.showInputBox({
    title: 'New File',
    prompt: `Path inside ${folder.name}`,
    value: 'model/cubes/new.yml',
    validateInput: (value) =>
      /^[^/\\:][^\\:]*$/.test(value) && !value.split('/').includes('..') ? undefined : 'A path inside the folder',
  });
  return path === undefined ? undefined : vscode.Uri.joinPath(folder.uri, path);
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

async function closeDiff(proposal: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const own = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === proposal.toString(),
  );
  if (own.length > 0) await vscode.window.tabGroups.close(own);
}
