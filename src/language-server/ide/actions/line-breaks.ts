import type { CodeAction, TextEdit, WorkspaceEdit } from 'vscode-languageserver';

/**
 * Gives the edits of actions the line breaks of the files that they change: not every editor converts them. `textOf` returns the text
 * of a file, or undefined for a new one.
 */
export function withLineBreaks(
  actions: readonly CodeAction[],
  textOf: (uri: string) => string | undefined,
): CodeAction[] {
  const hasReturns = (uri: string): boolean => /^[^\n]*\r\n/.test(textOf(uri) ?? '');
  return actions.map((action) => (action.edit ? { ...action, edit: converted(action.edit, hasReturns) } : action));
}

function converted(edit: WorkspaceEdit, hasReturns: (uri: string) => boolean): WorkspaceEdit {
  const { changes, documentChanges } = edit;
  const of = <Edit extends TextEdit>(uri: string, edits: readonly Edit[]): Edit[] =>
    hasReturns(uri)
      ? edits.map((each) => ({ ...each, newText: each.newText.replaceAll(/\r?\n/g, '\r\n') }))
      : [...edits];
  return {
    ...edit,
    ...(changes && {
      changes: Object.fromEntries(Object.entries(changes).map(([uri, edits]) => [uri, of(uri, edits)])),
    }),
    ...(documentChanges && {
      documentChanges: documentChanges.map((change) =>
        'edits' in change
          ? {
              ...change,
              edits: change.edits.map((each) =>
                'newText' in each ? (of(change.textDocument.uri, [each])[0] ?? each) : each,
              ),
            }
          : change,
      ),
    }),
  };
}
