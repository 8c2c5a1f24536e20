import type { ScalarNode } from '#model/syntax/tree.ts';
import type { HighlightedRange, TokenType } from './tokens.ts';

const KEYWORDS = new Set(
  (
    'select from where and or not in is null as on join left right inner outer full cross lateral using group by order having limit offset union all distinct case when then else end between like ilike ' +
    'exists with over partition rows range preceding following current row unbounded asc desc true false cast interval filter within qualify values array any some'
  ).split(' '),
);
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\]|''|\\.)*(?:'|\\?$)|\b\d+(?:\.\d+)?\b|[A-Za-z_]\w*|\{[^{}]*\}|::|[<>!=]=?|\|\|/g;

/**
 * Returns the keywords, strings, numbers and comments in the SQL of one scalar; text between braces is left to the references.
 */
export function sqlTokens(text: string, node: ScalarNode): HighlightedRange[] {
  const quoted = node.style === 'double' || node.style === 'single';
  let from = node.start + (quoted ? 1 : 0);
  if (node.style === 'block') from = text.indexOf('\n', node.start) + 1 || node.end;
  const source = text.slice(from, node.end - (quoted ? 1 : 0));
  const tokens: HighlightedRange[] = [];
  for (const match of source.matchAll(TOKEN)) {
    const [word] = match;
    const type = typeOf(word, source[match.index + word.length]);
    if (type && !word.includes('\n'))
      tokens.push({ start: from + match.index, end: from + match.index + word.length, type, declaration: false });
  }
  return tokens;
}

function typeOf(word: string, next: string | undefined): TokenType | undefined {
  if (word.startsWith('--') || word.startsWith('/*')) return 'comment';
  if (word.startsWith("'")) return word.includes('{') ? undefined : 'string';
  if (/^\d/.test(word)) return 'number';
  if (KEYWORDS.has(word.toLowerCase())) return 'keyword';
  if (/^\w/.test(word)) return next === '(' ? 'function' : undefined;
  return word.startsWith('{') ? undefined : 'operator';
}
