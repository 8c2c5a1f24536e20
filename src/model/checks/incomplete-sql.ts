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
  if (unclosed?.what === 'brace' || isInBracketedName(position.sql) || (tokens.length === 0 && !unclosed)) return [];
  if (unclosed) return [problem(unclosed.start, unclosed.start + 1, `Nothing closes this ${unclosed.what}.`)];
  const bracket = strayBracket(tokens);
  if (bracket) return [bracket];
  return [...checkCases(tokens), ...checkPairs(tokens), ...checkEnds(tokens), ...checkWrapped(position)];
}

/** Checks for a quote in a name between square brackets, which some databases allow. */
function isInBracketedName({ tokens, unclosed }: SqlPosition['sql']): boolean {
  const last = tokens.findLast(({ text }) => text === '[' || text === ']');
  return unclosed?.what === 'quote' && last?.text === '[';
}

/** Reports a `CASE` without its `END`. */
function checkCases(tokens: readonly SqlToken[]): Problem[] {
  const words = tokens.filter(({ kind }, at) => kind === 'word' && tokens[at - 1]?.text !== '.');
  const cases = words.filter(({ text }) => text === 'case');
  const [first] = cases;
  const hasBranches = words.some(({ text }) => text === 'when');
  if (!first || !hasBranches || words.filter(({ text }) => text === 'end').length >= cases.length) return [];
  return [problem(first.start, first.end, 'Nothing ends this `CASE`: add `END`.')];
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

const NEVER_LAST =
  /^(?:,|\+|-|\/|=|<|>|<=|>=|!=|<>|\|\||::|and|or|not|from|where|select|on|is|in|like|between|case|when|then|else|by|having|join|union|limit)$/;
const NEVER_FIRST = /^(?:,|\/|=|<|>|<=|>=|!=|<>|\|\||::|and|or|when|then)$/;

function checkEnds(tokens: readonly SqlToken[]): Problem[] {
  const first = tokens[0];
  const last = tokens.at(-1);
  // A single word may be a column of that name.
  if (!first || !last || tokens.length === 1) return [];
  if (NEVER_LAST.test(last.text) && !/^(?:\.|as)$/.test(tokens.at(-2)?.text ?? ''))
    return [problem(last.start, last.end, `Something is missing behind \`${last.text}\`.`)];
  if (NEVER_FIRST.test(first.text) && !isFunction(tokens, 0))
    return [problem(first.start, first.end, `Something is missing before \`${first.text}\`.`)];
  return [];
}

/** Checks for `and(a, b)`, which some databases have as a function. */
function isFunction(tokens: readonly SqlToken[], at: number): boolean {
  return tokens[at]?.kind === 'word' && tokens[at + 1]?.kind === 'open';
}

/** Reports `AND` or `OR` directly before another of them. */
function checkPairs(tokens: readonly SqlToken[]): Problem[] {
  const isJoining = (at: number): boolean =>
    /^(?:and|or)$/.test(tokens[at]?.text ?? '') && tokens[at - 1]?.text !== '.' && !isFunction(tokens, at);
  const found = tokens.find((_, at) => isJoining(at) && isJoining(at - 1));
  return found ? [problem(found.start, found.end, `Something is missing before \`${found.text}\`.`)] : [];
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
