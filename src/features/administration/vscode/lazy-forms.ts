import type { DisposableStore } from '#base/disposable.ts';
import { formType } from '#shell/view-ids.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { FormDeps } from './form-editors.ts';

/** Lets users edit the documents of a scheme as forms. The code of the form is loaded when the first one opens. */
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
      // The document contains what was typed, but the focus and the search would be lost with the page.
      { webviewOptions: { retainContextWhenHidden: true } },
    ),
  );
}
