import type { Problem } from '../codes.ts';
import type { Chunk } from '../chunk.ts';
import type { SqlToken } from '../sql/lexer.ts';
import { findMissingOperand, findStrayEnd } from '../sql/operands.ts';
import { type SqlPosition, sqlPositions } from '../sql/positions.ts';
import { isName, rolesOf } from '../sql/roles.ts';

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
  // One mistake can break several rules.
  const [first] = [...checkCases(tokens), ...checkOperands(tokens), ...checkEnds(tokens), ...checkBetween(tokens)];
  return [...(first ? [first] : []), ...checkWrapped(position)];
}

/** Checks for a quote in a name between square brackets, which some databases allow. */
function isInBracketedName({ tokens, unclosed }: SqlPosition['sql']): boolean {
  const last = tokens.findLast(({ text }) => text === '[' || text === ']');
  return unclosed?.what === 'quote' && last?.text === '[';
}

/** Reports a `CASE` without its `END`, and an `END` without its `CASE`. */
function checkCases(tokens: readonly SqlToken[]): Problem[] {
  const words = tokens.filter(({ kind }, at) => kind === 'word' && !isName(tokens, at));
  const cases = words.filter(({ text }) => text === 'case');
  const [first] = cases;
  const hasBranches = words.some(({ text }) => /^(?:when|then|else)$/.test(text));
  const ends = words.filter(({ text }) => text === 'end').length;
  if (first && hasBranches && ends < cases.length)
    return [problem(first.start, first.end, 'Nothing ends this `CASE`: add `END`.')];
  const stray = !first && hasBranches ? undefined : findStrayEnd(tokens);
  return stray ? [problem(stray.start, stray.end, 'This `END` ends no `CASE`: remove it.')] : [];
}

function strayBracket(tokens: readonly SqlToken[]): Problem | undefined {
  return strayOf(tokens, '(', ')') ?? strayOf(tokens, '[', ']');
}

/** Returns the first bracket of a kind that closes nothing, or the last one that is not closed. */
function strayOf(tokens: readonly SqlToken[], opener: string, closer: string): Problem | undefined {
  const open: SqlToken[] = [];
  for (const token of tokens) {
    if (token.text === opener) open.push(token);
    else if (token.text === closer && !open.pop())
      return problem(token.start, token.end, 'This bracket closes nothing: remove it, or open one before it.');
  }
  const last = open.at(-1);
  return last && problem(last.start, last.end, `This bracket is never closed: add \`${closer}\`.`);
}

const NEVER_LAST =
  /^(?:,|\.|\+|-|\/|%|=|==|<|>|<=|>=|!=|<>|\|\||::|and|or|not|from|where|select|on|is|in|like|ilike|between|case|when|then|else|by|having|join|union|intersect|limit|as)$/;
const NEVER_FIRST = /^(?:,|\/|%|=|==|<|>|<=|>=|!=|<>|\|\||::|and|or|is|like|ilike|between|when|then|else)$/;

function checkEnds(tokens: readonly SqlToken[]): Problem[] {
  const first = tokens[0];
  const last = tokens.at(-1);
  // A single word may be a column of that name.
  if (!first || !last || tokens.length === 1) return [];
  if (isUnfinished(tokens)) return [problem(last.start, last.end, `Something is missing behind \`${last.text}\`.`)];
  if (isUnbegun(tokens)) return [problem(first.start, first.end, `Something is missing before \`${first.text}\`.`)];
  return [];
}

function isUnfinished(tokens: readonly SqlToken[]): boolean {
  const at = tokens.length - 1;
  const { kind, text } = tokens[at] ?? { kind: 'sign', text: '' };
  if (kind === 'word' && isName(tokens, at)) return false;
  if (text === '>' || text === '*') return rolesOf(tokens)[at] === 'operator' && !hasQuery(tokens);
  // Some databases accept a comma at the end of a list, and percentages of rows.
  if (/^[,%]$/.test(text) && hasQuery(tokens)) return false;
  if (/^(?:all|distinct)$/.test(text)) return /^(?:union|intersect|except)$/.test(tokens[at - 1]?.text ?? '');
  return NEVER_LAST.test(text);
}

function isUnbegun(tokens: readonly SqlToken[]): boolean {
  const { kind, text } = tokens[0] ?? { kind: 'sign', text: '' };
  if (kind === 'word') return NEVER_FIRST.test(text) && !isName(tokens, 0) && !isFunction(tokens, 0);
  if (text === '.') return tokens[1]?.kind === 'word';
  if (text === '*') return !hasQuery(tokens) && /^(?:value|reference|number|text|open)$/.test(tokens[1]?.kind ?? '');
  return NEVER_FIRST.test(text) && tokens[0]?.end !== signAt(tokens, 1);
}

/** Returns where a sign begins: one directly behind another can be an operator of some database together with it. */
function signAt(tokens: readonly SqlToken[], at: number): number | undefined {
  return tokens[at]?.kind === 'sign' ? tokens[at].start : undefined;
}

function hasQuery(tokens: readonly SqlToken[]): boolean {
  return tokens.some(({ text }, at) => /^(?:select|from)$/.test(text) && !isName(tokens, at));
}

/** Checks for `and(a, b)`, which some databases have as a function. */
function isFunction(tokens: readonly SqlToken[], at: number): boolean {
  return tokens[at]?.kind === 'word' && tokens[at + 1]?.kind === 'open';
}

/** Reports an operator, a comma or a word such as `AND` with nothing on one of its sides. */
function checkOperands(tokens: readonly SqlToken[]): Problem[] {
  const missing = findMissingOperand(tokens);
  if (!missing) return [];
  const { token, side } = missing;
  return [problem(token.start, token.end, `Something is missing ${side} \`${token.text}\`.`)];
}

/** Reports a `BETWEEN` without its `AND`. */
function checkBetween(tokens: readonly SqlToken[]): Problem[] {
  const roles = rolesOf(tokens);
  const at = tokens.findLastIndex(({ text }, index) => text === 'between' && roles[index] === 'comparing');
  const token = tokens[at];
  if (!token || tokens.slice(at).some(({ text }) => text === 'and')) return [];
  return [problem(token.start, token.end, 'This `BETWEEN` has no `AND`: it needs two bounds.')];
}

/** Checks SQL of members and cubes, which the engine embeds in a query with more text after it. */
function checkWrapped({ sql, key, list, shape, member }: SqlPosition): Problem[] {
  const isWrapped = (member !== undefined && list !== 'pre_aggregations') || (shape === 'cube' && key === 'sql');
  if (!isWrapped) return [];
  const stop = sql.tokens.find(({ text }) => text === ';');
  if (stop)
    return [problem(stop.start, stop.end, 'The engine puts this SQL into a query, which `;` would end: remove it.')];
  if (sql.lastComment === undefined) return [];
  const message =
    'The engine puts the rest of the query behind this SQL, and the comment hides it: write `/* … */`, or end the line.';
  return [problem(sql.lastComment, sql.lastComment + 2, message)];
}

function problem(start: number, end: number, message: string): Problem {
  return { code: 'incomplete-sql', start, end, message };
}
