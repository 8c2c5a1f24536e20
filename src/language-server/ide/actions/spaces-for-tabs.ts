import { type CodeAction, CodeActionKind } from 'vscode-languageserver';
import { parseFile } from '#model/file.ts';
import { TAB_WIDTHS, withoutTabs } from '#model/syntax/yaml/tabs.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import type { LocatedProblem } from '#language-server/ide/diagnostics.ts';

/** Replaces the tabs of a file's indentation with as many spaces as make it valid YAML. */
export function spacesForTabs({ problem }: LocatedProblem, { uri, file, positions }: Opened): CodeAction[] {
  if (problem.code !== 'tab-indent') return [];
  const text = TAB_WIDTHS.map((width) => withoutTabs(file.text, width)).find((each) => isYaml(file.path, each));
  if (text === undefined) return [];
  const range = rangeOf(positions, 0, file.text.length);
  const edit = { changes: { [uri]: [{ range, newText: text }] } };
  return [{ title: 'Indent with spaces instead of tabs', kind: CodeActionKind.QuickFix, edit }];
}

function isYaml(path: string, text: string): boolean {
  const { problems, chunks } = parseFile(path, text);
  return [...problems, ...chunks.flatMap(({ chunk }) => chunk.problems)].length === 0;
}
