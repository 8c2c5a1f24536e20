import type { LocationLink } from 'vscode-languageserver';
import type { ModelFile } from '#model/file.ts';
import { LineIndex } from '#base/line-index.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { templateWord } from './jinja.ts';

/** Returns the definition of the macro under the cursor: in this template, else in any template of the model. */
export function macroDefinition({ file, root, positions }: Opened, offset: number): LocationLink[] {
  const word = templateWord(file, offset);
  if (!word) return [];
  const found = [file, ...[...root.index.files()].filter((other) => other !== file)].find(
    (candidate) => macroIn(candidate, word.text) !== undefined,
  );
  const macro = found && macroIn(found, word.text);
  if (!found || !macro) return [];
  const lines = new LineIndex(found.text);
  return [
    {
      originSelectionRange: rangeOf(positions, word.start, word.end),
      targetUri: found.path,
      targetRange: rangeOf(lines, macro.start, macro.end),
      targetSelectionRange: rangeOf(lines, macro.nameStart, macro.nameStart + word.text.length),
    },
  ];
}

function macroIn(
  { jinja, text }: ModelFile,
  name: string,
): { readonly start: number; readonly end: number; readonly nameStart: number } | undefined {
  for (const { word, start, end } of jinja) {
    const match = word === 'macro' ? /macro\s+(\w+)/.exec(text.slice(start, end)) : null;
    if (match?.[1] === name) return { start, end, nameStart: start + match.index + match[0].length - name.length };
  }
  return undefined;
}
