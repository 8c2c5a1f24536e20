import type { WorkspaceEdit } from 'vscode-languageserver';
import { rangeOf } from '../lines.ts';
import type { Opened } from '../workspace.ts';

/** Makes a file with a text; a file that is there already stays, and the text is put in front of its own. */
export function newFile(uri: string, text: string): WorkspaceEdit {
  const start = { line: 0, character: 0 };
  return {
    documentChanges: [
      { kind: 'create', uri, options: { ignoreIfExists: true } },
      { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: text }] },
    ],
  };
}

/** Adds a text that begins with a section's key behind that key where the file has it, else at the end of the file. */
export function addToSection(name: 'cubes' | 'views', { uri, file, positions }: Opened, text: string): WorkspaceEdit {
  const section = new RegExp(`^${name}:[ \\t]*(?:#.*)?\\r?\\n`, 'm').exec(file.text);
  const end = section ? section.index + section[0].length : file.text.length;
  const body = section ? text.slice(text.indexOf('\n') + 1) : text;
  const glue = section || file.text.endsWith('\n') ? '' : '\n';
  return { changes: { [uri]: [{ range: rangeOf(positions, end, end), newText: `${glue}${body}` }] } };
}
