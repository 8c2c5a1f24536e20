import type { Problem } from '../codes.ts';
import type { Chunk } from '../chunk.ts';
import type { SqlToken } from '../sql/lexer.ts';
import { type SqlPosition, sqlPositions } from '../sql/positions.ts';

/** Reports SQL that no database accepts because its beginning or end is missing. */
export function checkIncompleteSql(chunk: Chunk): Problem[] {
  if (chunk.templated || chunk.problems.length > 0) return [];
  return chunk.entities.flatMap((entity) => sqlPositions(entity, chunk).flatMap(checkPosition));
}

function checkPosition(position: SqlPosition): Problem[] {
  const { unclosed, tokens } = position.sql;
  // The engine refuses an unclosed brace, which is reported as such.
  if (unclosed?.what === 'brace' || tokens.length === 0) return [];
  if (unclosed) return [problem(unclosed.start, unclosed.start + 1, `Nothing closes this ${unclosed.what}.`)];
  const bracket = strayBracket(tokens);
  if (bracket) return [bracket];
  return [...checkEnds(tokens), ...checkWrapped(position)];
}

function strayBracket(tokens: readonly SqlToken[]): Problem | undefined {
  const open: SqlToken[] = [];
  for (const token of tokens) {
    if (token.kind === 'open') open.push(token);
    else if (token.kind === 'close' && !open.pop())
      return problem(token.start, token.end, 'This bracket closes nothing: remove it, or open one before it.');
  }
  const last = open.at(-1);
  return last && problem(last.start, last.end, 'This bracket is never closed: add `)`.');
}

const NEVER_LAST = /^(?:,|\+|-|\/|=|<|>|<=|>=|!=|<>|\|\||and|or|not|from|where|select|on)$/;
const NEVER_FIRST = /^(?:,|\/|=|<|>|<=|>=|!=|<>|\|\||and|or)$/;

function checkEnds(tokens: readonly SqlToken[]): Problem[] {
  const first = tokens[0];
  const last = tokens.at(-1);
  // A single word may be a column of that name.
  if (!first || !last || tokens.length === 1) return [];
  if (NEVER_LAST.test(last.text) && tokens.at(-2)?.text !== '.')
    return [problem(last.start, last.end, `Something is missing behind \`${last.text}\`.`)];
  if (NEVER_FIRST.test(first.text))
    return [problem(first.start, first.end, `Something is missing before \`${first.text}\`.`)];
  return [];
}

/** Checks SQL of members and cubes, which the engine embeds in a query with more text after it. */
function checkWrapped({ sql, key, list, shape, member }: SqlPosition): Problem[] {
  const isWrapped = (member !== undefined && list !== 'pre_aggregations') || (shape === 'cube' && key === 'sql');
  if (!isWrapped) return [];
  const last = sql.tokens.at(-1);
  if (last?.text === ';')
    return [problem(last.start, last.end, 'The engine puts this SQL into a query, which `;` would end: remove it.')];
  if (sql.lastComment === undefined) return [];
  const message =
    'The engine puts the rest of the query behind this SQL, and the comment hides it: write `/* … */`, or end the line.';
  return [problem(sql.lastComment, sql.lastComment + 2, message)];
}

function problem(start: number, end: number, message: string): Problem {
  return { code: 'incomplete-sql', start, end, message };
}
