import type { SqlToken } from './lexer.ts';
import { AGGREGATES, CONSTANTS, SCALARS, WORDS_BEFORE_BRACKET } from './words.ts';

/** What is known of an expression as part of a query; silent wherever a database could mean something else. */
export interface Expression {
  /** Calls of aggregates that decide its level; those of windows and of queries within are left out. */
  readonly aggregates: readonly SqlToken[];
  /** References and columns that are read once a row: no call around them may aggregate them. */
  readonly rows: readonly SqlToken[];
  /** References that stand in no query of their own. */
  readonly references: readonly SqlToken[];
}

interface Bracket {
  /** The word in front of it. */
  readonly word: string;
  /** It holds a query of its own. */
  readonly isQuery: boolean;
}

/** Reads the pieces of an expression whose brackets are in balance. */
export function readExpressionSql(tokens: readonly SqlToken[]): Expression {
  const aggregates: SqlToken[] = [];
  const rows: SqlToken[] = [];
  const references: SqlToken[] = [];
  const brackets: Bracket[] = isQuery(tokens[0]) ? [{ word: '', isQuery: true }] : [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'open') brackets.push({ word: wordBefore(tokens, at), isQuery: isQuery(tokens[at + 1]) });
    else if (token.kind === 'close') brackets.pop();
    if (brackets.some((bracket) => bracket.isQuery)) continue;
    if (token.kind === 'reference') references.push(token);
    if (isAggregate(tokens, at)) aggregates.push(token);
    else if (isValue(tokens, at) && brackets.every(({ word }) => isTransparent(word))) rows.push(token);
  }
  return { aggregates, rows, references };
}

function isQuery(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' && (token.text === 'select' || token.text === 'with');
}

/** The name of the function that a bracket belongs to; `''` for a bracket that only groups, `?` for what is not known. */
function wordBefore(tokens: readonly SqlToken[], at: number): string {
  const before = tokens[at - 1];
  if (before === undefined || before.kind === 'sign' || before.kind === 'open') return before?.text === '.' ? '?' : '';
  const isOfSchema = tokens[at - 2]?.text === '.';
  return before.kind === 'word' && !isOfSchema ? before.text : '?';
}

/** Whether what stands in a bracket is on the level of what stands around it. */
function isTransparent(word: string): boolean {
  return word === '' || SCALARS.has(word) || WORDS_BEFORE_BRACKET.has(word);
}

function isAggregate(tokens: readonly SqlToken[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind !== 'word' || !AGGREGATES.has(token.text) || tokens[at - 1]?.text === '.') return false;
  if (tokens[at + 1]?.kind !== 'open') return false;
  const close = closing(tokens, at + 1);
  const isOfRow = (token.text === 'min' || token.text === 'max') && hasComma(tokens, at + 2, close);
  return !isOfRow && !isWindow(tokens, close + 1);
}

/** The bracket that closes another one; behind the end where there is none. */
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

/** Whether a call goes on as a window: `OVER`, behind whatever else belongs to a call. */
function isWindow(tokens: readonly SqlToken[], from: number): boolean {
  for (let at = from; at < tokens.length; at++) {
    const { kind, text } = tokens[at] ?? { kind: 'sign', text: '' };
    if (kind === 'open') at = closing(tokens, at);
    else if (text === 'over') return true;
    else if (kind !== 'word' || !/^(?:filter|within|group|ignore|respect|nulls)$/.test(text)) return false;
  }
  return false;
}

/** Whether a piece is a value of the row: a reference, or the only word of the whole expression. */
function isValue(tokens: readonly SqlToken[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind === 'reference') return true;
  return token?.kind === 'word' && tokens.length === 1 && !CONSTANTS.has(token.text);
}
