import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { type Positions, rangeOf } from '#language-server/documents/lines.ts';
import { hanging, styled, styleOf } from './indent-items.ts';

/** The position of a completion in a YAML file that is not a model. */
interface YamlPlace {
  readonly text: string;
  readonly positions: Positions;
  readonly wordStart: number;
  readonly offset: number;
}

/** The rest of a word behind the cursor; a value of fixed form can have blanks. */
const WORD = /^[\w.]*/;
const VALUE = /^[^\n\r,\]}"'#:]*/;
const KEY_BEHIND = /^[\w.]*(?=[ \t]*:(?:\s|$))/;

/**
 * Gives an item the text that it replaces: a key keeps the value that is written behind it, and a new key is indented as the file
 * indents its lists.
 */
export function placedInYaml(item: CompletionItem, { text, positions, wordStart, offset }: YamlPlace): CompletionItem {
  const behind = text.slice(offset, offset + 300);
  const { insertText, ...rest } = item;
  const isKey = item.kind === CompletionItemKind.Property || insertText?.endsWith(': ') === true;
  const written = isKey ? KEY_BEHIND.exec(behind)?.[0] : undefined;
  if (written !== undefined)
    return {
      ...rest,
      textEdit: { range: rangeOf(positions, wordStart, offset + written.length), newText: item.label },
    };
  const end = item.kind === CompletionItemKind.EnumMember ? VALUE.exec(behind)?.[0].trimEnd() : WORD.exec(behind)?.[0];
  const range = rangeOf(positions, wordStart, offset + (end?.length ?? 0));
  const placed = { ...rest, textEdit: { range, newText: insertText ?? item.label } };
  if (!isKey) return placed;
  const line = text.slice(text.lastIndexOf('\n', wordStart - 1) + 1, wordStart);
  return hanging(styled(placed, styleOf(text, 0)), ' '.repeat(line.trimStart().length));
}
