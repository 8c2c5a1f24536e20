import * as vscode from 'vscode';
import { baseName } from '#base/path.ts';

/** One side of a merge as its pane names it. */
export interface MergeSide {
  readonly uri: vscode.Uri;
  readonly title: string;
  readonly description: string;
}

export interface MergeSides {
  readonly base: vscode.Uri;
  readonly theirs: MergeSide;
  readonly mine: MergeSide;
}

export interface OpenedMerge {
  /** Runs `act` once, when the person closes the editor. */
  whenClosed(act: () => Promise<void>): void;
}

/** What waits for a file's merge editor to close. One that VS Code brought back after a reload has nobody who waits. */
const waiting = new Map<string, vscode.Disposable>();

/** Opens VS Code's merge editor on a file; `undefined` where the host has none: the command is VS Code's own. */
export async function openMergeEditor(
  output: vscode.Uri,
  { base, theirs, mine }: MergeSides,
): Promise<OpenedMerge | undefined> {
  try {
    await vscode.commands.executeCommand('_open.mergeEditor', { base, input1: theirs, input2: mine, output });
  } catch {
    return undefined;
  }
  return {
    whenClosed: (act) => {
      const key = output.toString();
      waiting.get(key)?.dispose();
      const subscription = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (!closed.some((tab) => isMergeOf(tab, output))) return;
        subscription.dispose();
        waiting.delete(key);
        void act();
      });
      waiting.set(key, subscription);
    },
  };
}

/** Closes the merge editor of a file that is settled. */
export async function closeMergeEditor(output: vscode.Uri): Promise<void> {
  const merging = mergeTabs(output).filter((tab) => !tab.isDirty);
  if (merging.length > 0) await vscode.window.tabGroups.close(merging);
}

/** Replaces a document's text; the edit can be undone. */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const before = document.getText();
  if (text === before) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(before.length)), text);
  await vscode.workspace.applyEdit(edit);
}

function mergeTabs(output: vscode.Uri): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => isMergeOf(tab, output)));
}

/** The merge editor's input is not in the stable API; where it is not shown, the title must do. */
function isMergeOf({ input, label }: vscode.Tab, output: vscode.Uri): boolean {
  if (input === undefined) return label.endsWith(`: ${baseName(output.path)}`);
  const result = typeof input === 'object' && input !== null && 'result' in input ? input.result : undefined;
  return result instanceof vscode.Uri && result.toString() === output.toString();
}
