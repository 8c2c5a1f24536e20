import { type CompletionItem, CompletionItemKind, type Position } from 'vscode-languageserver';
import { textIn } from '#model/locate.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

const LIST = /^( *)\w+:[ \t]*\r?\n( *)-( +)\S/m;
const MAP = /^( *)\w+:[ \t]*\r?\n( +)\w/m;

/** How a file indents what is below a key. */
interface Indentation {
  /** The spaces before a dash, relative to the key of its list. */
  readonly dash: string;
  /** The spaces from a dash to the text behind it. */
  readonly gap: string;
  readonly map: string;
}

/** Returns the style of the lists and maps in a text, as the first ones of the item that begins at `from` have it. */
export function styleOf(text: string, from: number): Indentation {
  const item = text.slice(from);
  const list = LIST.exec(item) ?? LIST.exec(text);
  const map = MAP.exec(item);
  const deeper = (found: RegExpExecArray | null, least: number, usual: string): string => {
    const count = (found?.[2]?.length ?? 0) - (found?.[1]?.length ?? 0);
    return found && count >= least ? ' '.repeat(count) : usual;
  };
  return { dash: deeper(list, 0, '  '), gap: list?.[3] ?? ' ', map: deeper(map, 1, '  ') };
}

/** Indents the line below a key in the style of its file; whole definitions keep theirs. */
export function styled(item: CompletionItem, { dash, gap, map }: Indentation): CompletionItem {
  const { textEdit, kind } = item;
  if (!textEdit || kind !== CompletionItemKind.Property) return item;
  const newText = textEdit.newText.replace(/(\n *) {2}- $/, `$1${dash}-${gap}`).replace(/(\n *) {2}$/, `$1${map}`);
  return { ...item, textEdit: { ...textEdit, newText } };
}

/**
 * Returns how far the keys of a position's line are behind its first character: behind a dash, further lines of an item begin there.
 */
export function hangOf({ file, positions }: Opened, { line, character }: Position): string {
  const start = positions.offsetAt({ line, character: 0 });
  const before = textIn(file, start, start + character);
  return ' '.repeat(before.trimStart().length);
}

/** Indents further lines of an item; editors indent them as far as the first character of the line, and no further. */
export function hanging(item: CompletionItem, hang: string): CompletionItem {
  const { textEdit } = item;
  if (hang === '' || !textEdit) return item;
  return { ...item, textEdit: { ...textEdit, newText: textEdit.newText.replaceAll(/\n(?!\n)/g, `\n${hang}`) } };
}
