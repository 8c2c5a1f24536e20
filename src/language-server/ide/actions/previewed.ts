import type { CodeAction, WorkspaceEdit } from 'vscode-languageserver';
import { lensCommands, type ReviewedEdit, type ReviewedMove } from '#features/language/messages.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

/**
 * How the client lets the user review an edit before it is applied: on a page of its own, in a list of annotated edits, or not at
 * all.
 */
export type Preview = 'page' | 'annotated' | 'none';

/** A replaced range of a file, in its offsets, with the title that the user confirms. */
export interface TitledChange {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type Previewed = Pick<CodeAction, 'edit' | 'command'>;

/** Returns an edit that removes or moves text of the user: the client shows it before it is applied, if it can. */
export function previewed(
  { title, start, end, text }: TitledChange,
  { uri, positions, file }: Pick<Opened, 'uri' | 'positions' | 'file'>,
  preview: Preview,
): Previewed {
  const range = rangeOf(positions, start, end);
  if (preview === 'page') {
    const reviewed: ReviewedEdit = { title, uri, range, removed: file.text.slice(start, end), text };
    return { command: { title, command: lensCommands.reviewEdit, arguments: [reviewed] } };
  }
  const edit = { range, newText: text };
  if (preview === 'none') return { edit: { changes: { [uri]: [edit] } } };
  const edits = [{ ...edit, annotationId: 'removal' }];
  return {
    edit: {
      documentChanges: [{ textDocument: { uri, version: null }, edits }],
      changeAnnotations: { removal: { label: title, needsConfirmation: true } },
    },
  };
}

/** Returns an edit that moves a file: the client shows it before it is applied, if it can. */
export function previewedMove(title: string, uri: string, to: string, preview: Preview): Previewed {
  if (preview === 'page') {
    const reviewed: ReviewedMove = { title, uri, to };
    return { command: { title, command: lensCommands.reviewMove, arguments: [reviewed] } };
  }
  return { edit: moveOf(uri, to, title, preview === 'annotated') };
}

function moveOf(oldUri: string, newUri: string, label: string, isAnnotated: boolean): WorkspaceEdit {
  const move = { kind: 'rename', oldUri, newUri } as const;
  if (!isAnnotated) return { documentChanges: [move] };
  return {
    documentChanges: [{ ...move, annotationId: 'move' }],
    changeAnnotations: { move: { label, needsConfirmation: true } },
  };
}
