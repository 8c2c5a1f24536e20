import type { SqlToken } from './lexer.ts';
import { AGGREGATE_FUNCTIONS, CONSTANTS, SCALARS, WORDS_BEFORE_BRACKET } from './words.ts';

/** The analysis of an expression as a clause of a query; leaves out anything that databases could read differently. */
export interface Expression {
  /** Calls of aggregates that determine its level, without those in windows and subqueries. */
  readonly aggregates: readonly SqlToken[];
  /** References and columns that are read once per row: no surrounding call can aggregate them. */
  readonly rows: readonly SqlToken[];
  /** References outside of subqueries. */
  readonly references: readonly SqlToken[];
  /** References and calls of aggregates among the arguments of another aggregate, outside of subqueries. */
  readonly aggregated: readonly SqlToken[];
}

interface Bracket {
  /** The word before it. */
  readonly word: string;
  /** Whether it contains a subquery. */
  readonly isQuery: boolean;
  /** Whether it holds the arguments of an aggregate. */
  readonly isAggregate: boolean;
}

/** Analyzes the tokens of an expression with balanced brackets. */
export function readExpressionSql(tokens: readonly SqlToken[]): Expression {
  const found: Found = { aggregates: [], rows: [], references: [], aggregated: [] };
  const brackets: Bracket[] = isQuery(tokens[0]) ? [{ word: '', isQuery: true, isAggregate: false }] : [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'open') brackets.push(bracketAt(tokens, at));
    else if (token.kind === 'close') brackets.pop();
    if (!brackets.some((bracket) => bracket.isQuery)) readToken(tokens, at, brackets, found);
  }
  return found;
}

type Found = { readonly [Key in keyof Expression]: SqlToken[] };

function readToken(tokens: readonly SqlToken[], at: number, brackets: readonly Bracket[], found: Found): void {
  const token = tokens[at];
  if (!token) return;
  const isReference = token.kind === 'reference';
  const isCall = isAggregate(tokens, at);
  if (isReference) found.references.push(token);
  if (isCall) found.aggregates.push(token);
  if ((isCall || isReference) && brackets.some((bracket) => bracket.isAggregate)) found.aggregated.push(token);
  if (isCall || !isValue(tokens, at) || !brackets.every(({ word }) => isTransparent(word))) return;
  // One column without a reference is enough to say what is missing.
  if (isReference || !found.rows.some(({ kind }) => kind === 'word')) found.rows.push(token);
}

function bracketAt(tokens: readonly SqlToken[], at: number): Bracket {
  return {
    word: wordBefore(tokens, at),
    isQuery: isQuery(tokens[at + 1]),
    isAggregate: isAggregate(tokens, at - 1),
  };
}

/** Words that begin a query; some databases let it begin with its table. */
const QUERIES = new Set(['select', 'with', 'from', 'values', 'table']);

function isQuery(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' && QUERIES.has(token.text);
}

/** Returns the name of the function that a bracket belongs to; `''` for a bracket that only groups, `?` if it is unknown. */
function wordBefore(tokens: readonly SqlToken[], at: number): string {
  const before = tokens[at - 1];
  if (before === undefined || before.kind === 'sign' || before.kind === 'open') return before?.text === '.' ? '?' : '';
  const isOfSchema = tokens[at - 2]?.text === '.';
  return before.kind === 'word' && !isOfSchema ? before.text : '?';
}

/** Checks whether the contents of a bracket are on the level of the surrounding expression. */
function isTransparent(word: string): boolean {
  return word === '' || SCALARS.has(word) || WORDS_BEFORE_BRACKET.has(word);
}

function isAggregate(tokens: readonly SqlToken[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind !== 'word' || !AGGREGATE_FUNCTIONS.has(token.text) || tokens[at - 1]?.text === '.') return false;
  if (tokens[at + 1]?.kind !== 'open') return false;
  const close = closing(tokens, at + 1);
  const isOfRow = (token.text === 'min' || token.text === 'max') && hasComma(tokens, at + 2, close);
  return !isOfRow && !isWindow(tokens, close + 1);
}

/** Returns the index of the matching closing bracket; past the end if there is none. */
function closing(tokens: readonly SqlToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.kind === 'open') depth++;
    else if (tokens[at]?.kind === 'close' && --depth === 0) return at;
  }
  return tokens.length;
}

function hasComma(tokens: readonly SqlToken[], from: number, to: number): boolean {
  let depth = 0;
  for (const { kind, text } of tokens.slice(from, to)) {
    if (kind === 'open') depth++;
    else if (kind === 'close') depth--;
    else if (text === ',' && depth === 0) return true;
  }
  return false;
}

/** Checks whether a call continues as a window: `OVER`, possibly after other clauses of a call. */
function isWindow(tokens: readonly SqlToken[], from: number): boolean {
  for (let at = from; at < tokens.length; at++) {
    const { kind, text } = tokens[at] ?? { kind: 'sign', text: '' };
    if (kind === 'open') at = closing(tokens, at);
    else if (text === 'over') return true;
    else if (kind !== 'word' || !/^(?:filter|within|group|ignore|respect|nulls|keep)$/.test(text)) return false;
  }
  return false;
}

/**
 * Checks whether a token is a value of the row: a reference, the first word of an expression that calls nothing, or a column beside
 * a sign of arithmetic.
 */
function isValue(tokens: readonly SqlToken[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind === 'reference') return true;
  if (token?.kind !== 'word' || CONSTANTS.has(token.text)) return false;
  return at === 0 && isArithmetic(tokens) ? true : isFactor(tokens, at);
}

/** Checks for a column, possibly behind the name of its table, between the ends of a bracket and signs that multiply or divide. */
function isFactor(tokens: readonly SqlToken[], at: number): boolean {
  const isOfTable = tokens[at + 1]?.text === '.' && tokens[at + 2]?.kind === 'word';
  const [before, behind] = [tokens[at - 1], tokens[isOfTable ? at + 3 : at + 1]];
  if (!isMultiplying(before) && !isMultiplying(behind)) return false;
  return (isMultiplying(before) || isEdge(before, 'open')) && (isMultiplying(behind) || isEdge(behind, 'close'));
}

function isMultiplying(token: SqlToken | undefined): boolean {
  return token?.kind === 'sign' && /^[*/]$/.test(token.text);
}

function isEdge(token: SqlToken | undefined, kind: 'open' | 'close'): boolean {
  return token === undefined || token.kind === kind;
}

/** Checks for words and numbers between signs of arithmetic, such as `amount` and `t.amount * 2`. */
function isArithmetic(tokens: readonly SqlToken[]): boolean {
  return tokens.every(({ kind, text }, at) =>
    at % 2 === 1 ? kind === 'sign' && /^[-+*/.]$/.test(text) : kind === 'word' || kind === 'number',
  );
}
