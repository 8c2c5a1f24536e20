import { type CompletionItem, CompletionItemKind, InsertTextFormat } from 'vscode-languageserver';
import type { ModelFile } from '#model/file.ts';
import { textIn } from '#model/locate.ts';
import { type Positions, rangeOf } from '#language-server/documents/lines.ts';

/** The place of the cursor in a file. */
interface Place {
  readonly file: ModelFile;
  readonly positions: Positions;
  readonly offset: number;
  /** What has to stand before an item. */
  readonly lead: string;
}

/** How far around the cursor a text that is being completed can reach. */
const REACH = 300;

/**
 * Gives each item the text that it replaces. Without it, editors replace what they take for a word, which differs: with some
 * extensions for YAML it includes dots, quotes and slashes, and without them it ends at each hyphen of a value.
 */
export function placedItems(
  items: readonly CompletionItem[],
  { file, positions, offset, lead }: Place,
): CompletionItem[] {
  const before = lastLine(textIn(file, Math.max(0, offset - REACH), offset));
  const after = textIn(file, offset, offset + REACH);
  const end = offset + (WORD_AFTER.exec(after)?.[0].length ?? 0);
  const endOfValue = offset + (VALUE_AFTER.exec(after)?.[0].trimEnd().length ?? 0);
  const isCalled = after.startsWith('(', end - offset);
  return items.map((item) => {
    if (item.textEdit) return item;
    const { insertText: _, insertTextFormat, ...rest } = item;
    const isSnippet = insertTextFormat === InsertTextFormat.Snippet && !isCalled;
    const { text, typed } = isSnippet
      ? { text: textOf(item), typed: wordBefore(before) }
      : plain(item, before, isCalled);
    const insert = rangeOf(positions, offset - typed.length, offset);
    return {
      ...rest,
      ...(isSnippet ? { insertTextFormat } : {}),
      // Editors compare it with the text that is replaced.
      ...(typed === wordBefore(before) ? {} : { filterText: text }),
      textEdit: {
        newText: lead + text,
        insert,
        replace: rangeOf(
          positions,
          offset - typed.length,
          item.kind === CompletionItemKind.EnumMember ? endOfValue : end,
        ),
      },
    };
  });
}

const WORD_AFTER = /^[\p{L}\p{M}\p{N}_]*/u;
/** The rest of a value of fixed form, such as `Europe/Berlin` and `7 day`. */
const VALUE_AFTER = /^[^\n\r,\]}"'`#]*/;

interface Placed {
  readonly text: string;
  /** What of it, or of a word that stands for it, is before the cursor. */
  readonly typed: string;
}

/** Returns what is inserted of an item. A function before its arguments, `isCalled`, is its name. */
function plain(item: CompletionItem, before: string, isCalled: boolean): Placed {
  const text = isCalled && item.insertTextFormat === InsertTextFormat.Snippet ? item.label : textOf(item);
  const value = item.kind === CompletionItemKind.EnumMember ? text.replace(/^"(.*)"$/, '$1') : text;
  const found = typedOf(value, before);
  const typed = found.length > wordBefore(before).length ? found : wordBefore(before);
  // Inside of quotes a value needs none of its own.
  const isQuoted = /["'`]$/.test(before.slice(0, before.length - typed.length));
  return { text: isQuoted ? value : text, typed };
}

/** Checks for a value that is not directly at the cursor, or whose brackets or quotes begin there. `behind`: the text after it. */
export function isBeforeValue(behind: string): boolean {
  return /^(?:[ \t]*["'`[{|>]|[ \t]+[^\s,\]})#])/.test(behind);
}

function textOf({ insertText, label }: CompletionItem): string {
  return insertText ?? label;
}

/** Returns the end of the text before the cursor with which a text begins, whatever signs it contains. */
function typedOf(text: string, before: string): string {
  const lower = text.toLowerCase();
  for (let length = Math.min(text.length, before.length); length > 0; length--) {
    const end = before.slice(before.length - length);
    const isInWord = /^[\p{L}\p{N}_]/u.test(end) && /[\p{L}\p{N}_]$/u.test(before.slice(0, before.length - length));
    if (!isInWord && lower.startsWith(end.toLowerCase())) return end;
  }
  return '';
}

function wordBefore(before: string): string {
  return /(?<![\p{L}\p{M}\p{N}_])[\p{L}\p{M}\p{N}_]*$/u.exec(before)?.[0] ?? '';
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}
