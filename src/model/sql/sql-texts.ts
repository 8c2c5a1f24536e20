import type { Chunk } from '../chunk.ts';
import type { ScalarNode } from '../syntax/tree.ts';
import { lexSql, type SqlTokens } from './lexer.ts';
import { type SqlSource, sqlSource } from './source.ts';

/** The tokens of a value's SQL. */
export interface SqlText extends SqlTokens, SqlSource {}

/** Returns the tokens of a value's SQL; undefined if it is assembled, may vary, or is read differently by databases. */
export function sqlText({ text, kind, templated }: Chunk, node: ScalarNode): SqlText | undefined {
  if (templated) return undefined;
  const source = sqlSource(text, node, kind === 'script');
  if (!source) return undefined;
  const { tokens, unclosed, lastComment, isAmbiguous } = lexSql(source);
  return isAmbiguous ? undefined : { ...source, tokens, unclosed, lastComment, isAmbiguous };
}

/** Checks whether its quotes and brackets are balanced, so that it can be analyzed. */
export function isBalanced({ tokens, unclosed }: SqlTokens): boolean {
  let depth = 0;
  for (const { kind } of tokens) {
    if (kind === 'open') depth++;
    else if (kind === 'close' && --depth < 0) return false;
  }
  return depth === 0 && unclosed === undefined;
}
