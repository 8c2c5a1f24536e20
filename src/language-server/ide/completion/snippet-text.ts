/** A tab stop, a placeholder with its text or its choices, or an escaped character. */
const PIECE = /\\([\\$}])|\$(\d+)|\$\{(\d+)(?:\|((?:\\.|[^|\\])*)\||:((?:\\.|\$\{[^}]*\}|[^\\}])*))?\}/g;

/**
 * Returns a snippet as the text that stands there if the user replaces no placeholder: of choices the first, and where a placeholder
 * is repeated its text. Lines after the first get `indent`, and tabs are two spaces, as editors adjust snippets but not text.
 */
export function withoutPlaceholders(snippet: string, indent: string): string {
  return filled(snippet, textsOf(snippet)).replaceAll('\t', '  ').replaceAll('\n', `\n${indent}`);
}

/** Returns the text of each placeholder, where it is given. */
function textsOf(snippet: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [, , , number, choices, content] of snippet.matchAll(PIECE)) {
    const text = choices === undefined ? content : firstOf(choices);
    if (number !== undefined && text !== undefined && !texts.has(number)) texts.set(number, text);
  }
  return texts;
}

function filled(snippet: string, texts: ReadonlyMap<string, string>, within?: string): string {
  return snippet.replaceAll(PIECE, (_, escaped?: string, stop?: string, placeholder?: string) => {
    if (escaped !== undefined) return escaped;
    const number = stop ?? placeholder ?? '';
    return number === within ? '' : filled(texts.get(number) ?? '', texts, number);
  });
}

/** Returns the first of some choices. */
function firstOf(choices: string): string {
  return (/^(?:\\.|[^,\\])*/.exec(choices)?.[0] ?? '').replaceAll(/\\([,|])/g, '$1');
}
