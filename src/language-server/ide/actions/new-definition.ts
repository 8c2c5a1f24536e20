import type { WorkspaceEdit } from 'vscode-languageserver';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

/** Creates a file with a text; if the file already exists, the text is inserted before its content. */
export function newFile(uri: string, text: string): WorkspaceEdit {
  const start = { line: 0, character: 0 };
  return {
    documentChanges: [
      { kind: 'create', uri, options: { ignoreIfExists: true } },
      { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: text }] },
    ],
  };
}

/** Adds a text that begins with a section's key: after that key if the file has it, else at the end of the file. */
export function addToSection(name: 'cubes' | 'views', { uri, file, positions }: Opened, text: string): WorkspaceEdit {
  const section = new RegExp(`^${name}:[ \\t]*(?:#.*)?\\r?\\n`, 'm').exec(file.text);
  const end = section ? section.index + section[0].length : file.text.length;
  const body = section ? text.slice(text.indexOf('\n') + 1) : text;
  const glue = section || file.text.endsWith('\n') ? '' : '\n';
  return { changes: { [uri]: [{ range: rangeOf(positions, end, end), newText: `${glue}${body}` }] } };
}
