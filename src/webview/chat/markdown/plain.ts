const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u{a0}',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  times: '×',
  rarr: '→',
};

/** Characters that turn or hide the text around them: shown by their code, so that nothing reads other than it is. */
const DIRECTION = /[\u{202a}-\u{202e}\u{2066}-\u{2069}\u{200e}\u{200f}]/gu;

/** Model text for a text node: direction overrides become visible. */
export function visible(text: string): string {
  return text.replace(DIRECTION, (character) => `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase()}⟩`);
}

/** Resolves the character references of Markdown text. */
export function unescaped(text: string): string {
  return visible(
    text.replace(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
      (whole, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return NAMED[name] ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
        return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
      },
    ),
  );
}

/** The address when it is of a kind that may be opened, else nothing. */
export function safeHref(href: string): string | undefined {
  try {
    const url = new URL(href);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
