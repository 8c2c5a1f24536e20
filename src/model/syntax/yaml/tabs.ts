/** The widths in columns that a tab may have, likeliest first. */
export const TAB_WIDTHS: readonly number[] = [2, 4, 8];

const INDENT = /^ *\t[ \t]*(?=\S)/gm;

/** Returns the offset of the first tab that indents a line; -1 without one. */
export function firstIndentTab(text: string): number {
  const found = /^ *\t[ \t]*(?=\S)/m.exec(text);
  return found ? found.index + found[0].indexOf('\t') : -1;
}

/** Returns the text with `width` spaces for each tab that indents a line. */
export function withoutTabs(text: string, width: number): string {
  return text.replaceAll(INDENT, (indent) => indent.replaceAll('\t', ' '.repeat(width)));
}
