import type { ScalarNode, ScalarStyle } from '#model/syntax/tree.ts';

/** What the engine skips at the beginning of an expression, before a quote. */
const SKIPPED = String.raw`(?:[^\p{L}\p{N}_"'#{}\\]|\\(?!")|\bnot\b)*f?`;
/** How a quote of an expression is written in each style of scalar, as a pattern. */
const QUOTES: Readonly<Partial<Record<ScalarStyle, string>>> = { double: String.raw`\\"|'`, single: `''|"` };
const PATTERNS = new Map<string, RegExp>();

/**
 * Returns the offset after a quote at the beginning of an expression that nothing closes until the end of its scalar: the engine reads
 * all that follows as a text, in place of braces that nothing closes either. Returns undefined for any other beginning.
 */
export function openedTextEnd(text: string, from: number, to: number, { style, end }: ScalarNode): number | undefined {
  if (style === 'template' || style === 'code' || to !== end) return undefined;
  const expression = text.slice(from, style === 'double' || style === 'single' ? to - 1 : to);
  const [beginning, quote = ''] = patternOf(QUOTES[style] ?? `'|"`).exec(expression) ?? [];
  return beginning === undefined || expression.includes(quote, beginning.length) ? undefined : from + beginning.length;
}

function patternOf(quotes: string): RegExp {
  const pattern = PATTERNS.get(quotes) ?? new RegExp(`^${SKIPPED}(${quotes})`, 'iu');
  PATTERNS.set(quotes, pattern);
  return pattern;
}
