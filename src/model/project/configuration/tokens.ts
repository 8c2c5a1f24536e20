/** A token of a configuration: a name, a text with what is computed inside it, or one character of anything else. */
export type Token =
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'text'; readonly sections: readonly Section[] }
  | { readonly kind: 'sign'; readonly value: string };

/** A section of a text: characters, or the source of an expression whose value stands there. */
export type Section = { readonly text: string } | { readonly expression: string };

/** The programming language of a configuration. */
export type ConfigurationLanguage = 'javascript' | 'python';

const COMMENTS = { javascript: /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/y, python: /#.*/y } as const;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const SIGN = /\|\||\?\?|\?\.|[=!<>]==?|=>|\S/y;
const PYTHON_TEXT = /([rbuf]{0,2})("""|'''|"|')/iy;
const QUOTE = /["'`]/y;

/**
 * Splits the source of a configuration into tokens, without comments. Never throws: a text that does not end is cut at the end of
 * its line. Linear in the source.
 */
export function tokensOf(source: string, language: ConfigurationLanguage): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    const comment = matchAt(COMMENTS[language], source, at);
    const quote = comment ? undefined : quoteAt(source, at, language);
    if (comment) at += comment[0].length;
    else if (quote) {
      const { sections, end } = textFrom(source, quote);
      tokens.push({ kind: 'text', sections });
      at = end;
    } else {
      const name = matchAt(NAME, source, at);
      const sign = name ? undefined : matchAt(SIGN, source, at);
      if (name) tokens.push({ kind: 'name', value: name[0] });
      // A line break ends a statement in Python, where it has no other sign of its end.
      else if (sign) tokens.push({ kind: 'sign', value: sign[0] });
      at += (name ?? sign)?.[0].length ?? 1;
    }
  }
  return tokens;
}

/** A quote at the beginning of a text. */
interface Quote {
  readonly quote: string;
  /** The offset behind it. */
  readonly start: number;
  /** What begins an expression in the text: `${`, `{`, or nothing. */
  readonly opens: string | undefined;
}

function quoteAt(source: string, at: number, language: ConfigurationLanguage): Quote | undefined {
  if (language === 'javascript') {
    const [quote] = matchAt(QUOTE, source, at) ?? [];
    return quote === undefined ? undefined : { quote, start: at + 1, opens: quote === '`' ? '${' : undefined };
  }
  const [whole = '', prefix = '', quote = ''] = matchAt(PYTHON_TEXT, source, at) ?? [];
  if (quote === '') return undefined;
  return { quote, start: at + whole.length, opens: /f/i.test(prefix) ? '{' : undefined };
}

/** Reads a text up to its closing quote; one within a line ends there at the latest. */
function textFrom(
  source: string,
  { quote, start, opens }: Quote,
): { readonly sections: readonly Section[]; readonly end: number } {
  const sections: Section[] = [];
  const ends = quote.length > 1 || quote === '`' ? [quote] : [quote, '\n'];
  const isOver = (offset: number): boolean =>
    offset >= source.length || ends.some((end) => source.startsWith(end, offset));
  let text = '';
  let at = start;
  while (!isOver(at)) {
    if (source[at] === '\\') {
      text += source[at + 1] ?? '';
      at += 2;
    } else if (opens !== undefined && source.startsWith(opens, at)) {
      const end = closingBrace(source, at + opens.length);
      sections.push({ text }, { expression: source.slice(at + opens.length, end) });
      text = '';
      at = end + 1;
    } else {
      text += source[at];
      at += 1;
    }
  }
  sections.push({ text });
  return { sections, end: at + quote.length };
}

function closingBrace(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    if (source[at] === '{') depth += 1;
    else if (source[at] === '}') {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return source.length;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
