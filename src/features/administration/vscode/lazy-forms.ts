import type { DisposableStore } from '#base/disposable.ts';
import { formType } from '#shell/view-ids.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { FormDeps } from './form-editors.ts';

/** Lets the documents of a scheme be edited as forms; what shows them is loaded with the first one. */
export function registerForms(deps: FormDeps, files: DocumentFiles, store: DisposableStore): void {
  store.add(
    vscode.window.registerCustomEditorProvider(
      formType(files.scheme),
      {
        resolveCustomTextEditor: async (document, panel) => {
          const { showForm } = await import('#features/administration/vscode/form-editors.ts');
          showForm(deps, files, document, panel);
        },
      },
      // What was typed is in the document, but the focus and the search are lost with the page.
      { webviewOptions: { retainContextWhenHidden: true } },
    ),
  );
}
