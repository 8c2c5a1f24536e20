import { isDynamic, type ScalarNode } from '../syntax/tree.ts';

/** The SQL of a value as the engine receives it, character by character at the offsets of the text. */
export interface SqlSource {
  readonly sql: string;
  /** Offset of its first character. */
  readonly start: number;
  /** The opener before the name of a reference: `{` or `${`. */
  readonly opener: '{' | '${';
  /** Whether reading the value joins its lines, so that a comment extends to the end. */
  readonly isFolded: boolean;
  /** Whether a line ends after it, which would also end a comment. */
  readonly endsLine: boolean;
}

/** Reads the SQL in a value; returns undefined if its characters differ from the engine's or are unknown. */
export function sqlSource(text: string, node: ScalarNode, isScript: boolean): SqlSource | undefined {
  if (node.style === 'code' || isDynamic(node.value)) return undefined;
  const start = startOf(text, node);
  const end = isQuoted(node) ? node.end - 1 : node.end;
  const raw = text.slice(start, end);
  const sql = isScript ? raw : unescaped(raw, node.style);
  if (isAmbiguous(sql) || mayEndComment(raw, node.style)) return undefined;
  if (isScript && node.style !== 'template' && sql.includes('{')) return undefined;
  const isFolded = !isScript && (node.style !== 'block' || text.startsWith('>', node.start));
  const endsLine = node.style === 'block' && !/^[|>]\d?-/.test(text.slice(node.start, node.start + 3));
  return { sql, start, opener: isScript ? '${' : '{', isFolded, endsLine };
}

/** Checks for backslashes, dollar-quoted strings and comments in comments, on which databases disagree. */
function isAmbiguous(sql: string): boolean {
  return sql.includes('\\') || /\$\w*\$/.test(sql) || NESTED_COMMENT.test(sql);
}

/** Checks for a line break that is written as an escape, which may end a comment. */
function mayEndComment(raw: string, style: ScalarNode['style']): boolean {
  return style === 'double' && raw.includes('\\n') && raw.includes('--');
}

const NESTED_COMMENT = /\/\*(?:(?!\*\/)[\s\S])*?\/\*/;

function startOf(text: string, node: ScalarNode): number {
  if (node.style === 'block') return text.indexOf('\n', node.start) + 1 || node.end;
  return isQuoted(node) ? node.start + 1 : node.start;
}

function isQuoted({ style }: ScalarNode): boolean {
  return style === 'double' || style === 'single' || style === 'template';
}

/** Replaces each escape by its meaning, padded with blanks so that all other offsets stay the same. */
function unescaped(raw: string, style: ScalarNode['style']): string {
  if (style === 'single') return raw.replaceAll("''", "' ");
  return style === 'double' ? raw.replaceAll('\\"', '" ').replaceAll(/\\[nt]/g, '  ') : raw;
}
