import { isDynamic, type ScalarNode } from '../syntax/tree.ts';

/** The SQL of a value as the engine gets it, character by character at the offsets of the text. */
export interface SqlSource {
  readonly sql: string;
  /** Where its first character stands. */
  readonly start: number;
  /** What stands in front of the name of a reference: `{` or `${`. */
  readonly opener: '{' | '${';
  /** Lines are put together when the value is read, so that a comment goes on to the end. */
  readonly isFolded: boolean;
  /** A line ends behind it, and with that line a comment. */
  readonly endsLine: boolean;
}

/** Reads the SQL that a value holds; undefined where its characters are not the engine's, or not known. */
export function sqlSource(text: string, node: ScalarNode, isScript: boolean): SqlSource | undefined {
  if (node.style === 'code' || isDynamic(node.value)) return undefined;
  const start = startOf(text, node);
  const end = isQuoted(node) ? node.end - 1 : node.end;
  const raw = text.slice(start, end);
  const sql = isScript ? raw : unescaped(raw, node.style);
  // A backslash is read differently by databases, and so are texts between dollars.
  if (sql.includes('\\') || /\$\w*\$/.test(sql)) return undefined;
  if (isScript && node.style !== 'template' && sql.includes('{')) return undefined;
  const isFolded = !isScript && (node.style !== 'block' || text.startsWith('>', node.start));
  const endsLine = node.style === 'block' && !/^[|>]\d?-/.test(text.slice(node.start, node.start + 3));
  return { sql, start, opener: isScript ? '${' : '{', isFolded, endsLine };
}

function startOf(text: string, node: ScalarNode): number {
  if (node.style === 'block') return text.indexOf('\n', node.start) + 1 || node.end;
  return isQuoted(node) ? node.start + 1 : node.start;
}

function isQuoted({ style }: ScalarNode): boolean {
  return style === 'double' || style === 'single' || style === 'template';
}

/** Puts the meaning of an escape in its place and blanks behind it, so that everything else stays where it is. */
function unescaped(raw: string, style: ScalarNode['style']): string {
  if (style === 'single') return raw.replaceAll("''", "' ");
  return style === 'double' ? raw.replaceAll('\\"', '" ').replaceAll(/\\[nt]/g, '  ') : raw;
}
