import type { Chunk } from '../chunk.ts';
import type { ScalarNode } from '../syntax/tree.ts';
import { lexSql, type SqlTokens } from './lexer.ts';
import { type SqlSource, sqlSource } from './source.ts';

/** SQL of a value in pieces. */
export interface SqlText extends SqlTokens, SqlSource {}

/** The SQL that a value holds, in pieces; undefined where it is put together or may be another one. */
export function sqlText({ text, kind, templated }: Chunk, node: ScalarNode): SqlText | undefined {
  if (templated) return undefined;
  const source = sqlSource(text, node, kind === 'script');
  if (!source) return undefined;
  const { tokens, unclosed, lastComment } = lexSql(source);
  return { ...source, tokens, unclosed, lastComment };
}

/** Whether its quotes and brackets are in balance, so that it can be read. */
export function isBalanced({ tokens, unclosed }: SqlTokens): boolean {
  let depth = 0;
  for (const { kind } of tokens) {
    if (kind === 'open') depth++;
    else if (kind === 'close' && --depth < 0) return false;
  }
  return depth === 0 && unclosed === undefined;
}
