import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Disposable } from '#base/disposable.ts';
import { baseName } from '#base/path.ts';
import { text, textOf } from '#base/user-text.ts';
import { branchKey } from '#features/platform/index.ts';
import { plural } from '#base/words.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { DeletedFile } from '#features/folders/branch-documents.ts';
import type { BranchRestoreDeps, RemoteChangesDeps } from './deps.ts';

/** Deletions that follow each other within this time are reported together. */
const REPORT_AFTER_MS = 500;

/** Shows the outcome of changes to documents of branches: saves that were refused, and deletions that can be undone. */
export function remoteChangesContribution(deps: RemoteChangesDeps): Contribution {
  const { remote } = deps;
  return {
    id: 'remoteChanges',
    register: (store) => {
      const problems = store.add(vscode.languages.createDiagnosticCollection('modelbench-branches'));
      store.add(
        remote.refused.onDidChange((refused) => {
          problems.clear();
          for (const [uri, message] of refused)
            problems.set(vscode.Uri.parse(uri, true), [problemOf(deps, uri, message)]);
        }),
      );
      const update = (document: vscode.TextDocument): void => {
        if (!document.isDirty) remote.forgetRefusal(document.uri.toString());
      };
      store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => update(document)));
      store.add(vscode.workspace.onDidSaveTextDocument(update));
      store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => remote.forgetRefusal(uri.toString())));
      store.add(reportDeletions(deps));
    },
  };
}

/** Reports deletions together: VS Code deletes several files that are selected in the Explorer one after another. */
function reportDeletions(deps: RemoteChangesDeps): Disposable {
  const waiting = new Map<string, { files: readonly DeletedFile[]; timer: ReturnType<typeof setTimeout> }>();
  const listening = deps.remote.onDidDelete((files) => {
    const [first] = files;
    if (!first) return;
    const key = branchKey(first.target);
    const earlier = waiting.get(key);
    clearTimeout(earlier?.timer);
    const all = [...(earlier?.files ?? []), ...files];
    const report = (): void => {
      waiting.delete(key);
      void offerUndo(deps, all);
    };
    waiting.set(key, { files: all, timer: setTimeout(report, REPORT_AFTER_MS) });
  });
  return {
    dispose: () => {
      listening.dispose();
      for (const { timer } of waiting.values()) clearTimeout(timer);
    },
  };
}

/** Returns the problem, located at the start of the document; it stays until the document is saved or the change discarded. */
function problemOf({ remote }: Pick<RemoteChangesDeps, 'remote'>, uri: string, message: string): vscode.Diagnostic {
  const target = remote.targetOf(vscode.Uri.parse(uri, true));
  const what = target ? `Not saved to “${target.branchName}”.` : 'Not saved.';
  const range = new vscode.Range(0, 0, 0, 0);
  const problem = new vscode.Diagnostic(range, textOf(`${what} ${message}`), vscode.DiagnosticSeverity.Error);
  problem.source = text`Modelbench`;
  return problem;
}

/** Writes versions from the trash to their branch, and refreshes open documents and views. */
export async function restoreOnBranch(
  { branchTrash, remote }: BranchRestoreDeps,
  target: BranchTarget,
  { id, path }: { readonly id: string; readonly path: string },
): Promise<void> {
  await branchTrash.restore(target, { id, path });
  remote.announce(target, path);
}

async function offerUndo(deps: RemoteChangesDeps, files: readonly DeletedFile[]): Promise<void> {
  const [first] = files;
  if (!first) return;
  const what = files.length === 1 ? `“${baseName(first.path)}”` : plural(files.length, 'file');
  const copies = files.length === 1 ? 'A copy is' : 'Copies are';
  const undo = text`Undo`;
  const message = text`Deleted ${what} on “${first.target.branchName}”. ${copies} in the trash.`;
  if ((await vscode.window.showInformationMessage(message, undo)) !== undo) return;
  // A file that cannot be restored does not stop the others.
  for (const file of files) {
    try {
      await deps.branchTrash.undelete(file.target, file);
      deps.remote.announce(file.target, file.path);
    } catch (error) {
      await deps.boundary('Restoring deleted files', error);
    }
  }
}
