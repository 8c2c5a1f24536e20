import type { WorkspaceEdit } from 'vscode-languageserver';
import { rangeOf } from '../lines.ts';
import type { Opened } from '../workspace.ts';

/** A replaced range of a file, in its offsets, with the title that the user confirms. */
export interface TitledChange {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns an edit that removes or moves text of the user: the editor shows it before it is applied, if it can. */
export function previewed(
  { title, start, end, text }: TitledChange,
  { uri, positions }: Pick<Opened, 'uri' | 'positions'>,
  canAnnotate: boolean,
): WorkspaceEdit {
  const edit = { range: rangeOf(positions, start, end), newText: text };
  if (!canAnnotate) return { changes: { [uri]: [edit] } };
  const edits = [{ ...edit, annotationId: 'removal' }];
  return {
    documentChanges: [{ textDocument: { uri, version: null }, edits }],
    changeAnnotations: { removal: { label: title, needsConfirmation: true } },
  };
}
