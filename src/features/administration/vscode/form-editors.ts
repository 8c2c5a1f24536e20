import { parseEnv } from 'node:util';
import { DisposableStore } from '#base/disposable.ts';
import { type FormDocument, FormSession } from '#features/administration/form-session.ts';
import { type FormState, parseFormToHost } from '#features/administration/messages.ts';
import type { DocumentProblem } from '#shell/env-vars.ts';
import { keyOf, valueRanges } from '#shell/json-text.ts';
import { Hint } from '#shell/user-error.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';
import type { DocumentForm } from '#shell/document-form.ts';
import type { ErrorBoundary } from '#shell/vscode/error-boundary.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { pageIn } from '#shell/vscode/webview.ts';

/** The dependencies of the forms. */
export interface FormDeps {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
  readonly boundary: ErrorBoundary;
}

/** Shows a document of the platform as a form in an editor. VS Code saves, undoes and restores the document. */
export function showForm(
  deps: FormDeps,
  files: DocumentFiles,
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
): void {
  const form = files.documentOf(document.uri)?.form;
  if (!form) {
    void executeBuiltIn('workbench.action.reopenTextEditor');
    void deps.boundary('Form', new Hint('This object is read-only, so it has no form.'));
    return;
  }
  const page = pageIn<FormState>(panel.webview, deps.context.extensionUri, 'form');
  const store = new DisposableStore();
  const session = sessionOf(form, files, document, page.post);
  const failed = (error: unknown): void => void deps.boundary('Form', error);
  const same = (uri: vscode.Uri): boolean => uri.toString() === document.uri.toString();
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
      if (same(uri)) session.update().catch(failed);
    }),
  );
  store.add(
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (same(uri)) session.update().catch(failed);
    }),
  );
  store.add(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some(same)) session.refuse().catch(failed);
    }),
  );
  if (form.conflicts) {
    store.add(form.conflicts.show());
    store.add(form.conflicts.list.onDidChange(() => void session.update().catch(failed)));
  }
  panel.onDidDispose(() => store.dispose());
  page.show(async (raw) => {
    const message = parseFormToHost(raw);
    if (message) await session.receive(message);
  }, failed);
}

function sessionOf(
  form: DocumentForm,
  files: DocumentFiles,
  document: vscode.TextDocument,
  post: (state: FormState) => void,
): FormSession {
  return new FormSession({
    object: form,
    document: editedIn(files, document),
    readLines: (lines) => parseEnv(lines),
    post,
  });
}

function editedIn(files: DocumentFiles, document: vscode.TextDocument): FormDocument {
  return {
    text: () => document.getText(),
    isDirty: () => files.isChanged(document),
    apply: async (edits) => {
      const change = new vscode.WorkspaceEdit();
      for (const { offset, length, content } of edits) {
        const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
        change.replace(document.uri, range, content);
      }
      return vscode.workspace.applyEdit(change);
    },
    refused: () => refusedFields(document),
    save: async () => files.saveActive(document),
    showJson: async () => executeBuiltIn('workbench.action.reopenTextEditor'),
  };
}

/** Returns the problems that the last save left in the document, with their fields. */
function refusedFields(document: vscode.TextDocument): readonly DocumentProblem[] {
  const ranges = [...valueRanges(document.getText())];
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ source }) => source === 'Modelbench')
    .map(({ range, message, severity }) => {
      const at = document.offsetAt(range.start);
      // The innermost value that begins at the problem, or the value whose name begins there.
      const [key = keyOf([])] =
        ranges.findLast(([, value]) => value.start === at) ?? ranges.find(([, value]) => value.start > at) ?? [];
      const level = severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning';
      return { path: JSON.parse(key) as DocumentProblem['path'], message, severity: level };
    });
}
