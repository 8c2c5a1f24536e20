import type { SqlToken } from './lexer.ts';
import { isName, isValue, isWord, type Role, rolesOf } from './roles.ts';

/** A place in SQL where every database expects a value and finds something else. */
export interface MissingOperand {
  /** The operator, word or comma beside it. */
  readonly token: SqlToken;
  readonly side: 'before' | 'behind';
}

/** Returns the first place between two tokens where a value is missing; the ends of the SQL are not judged. */
export function findMissingOperand(tokens: readonly SqlToken[]): MissingOperand | undefined {
  if (hasLooseSigns(tokens)) return undefined;
  const sql: Sql = {
    tokens,
    roles: rolesOf(tokens),
    isQuery: tokens.some((_, at) => isWord(tokens, at, /^(?:select|from)$/)),
    isSimpleCase: tokens.some((_, at) => isWord(tokens, at, /^case$/) && !isWord(tokens, at + 1, /^when$/)),
    closesCases: countWords(tokens, /^end$/) <= countWords(tokens, /^case$/),
  };
  for (let at = 1; at < tokens.length; at++) {
    const side = missingSide(sql, at);
    const token = tokens[side === 'behind' ? at - 1 : at];
    if (side && token) return { token, side };
  }
  return undefined;
}

interface Sql {
  readonly tokens: readonly SqlToken[];
  readonly roles: readonly Role[];
  readonly isQuery: boolean;
  /** Whether it has a `CASE x WHEN …`, in which a branch can begin with an operator. */
  readonly isSimpleCase: boolean;
  /** Whether each `END` ends a `CASE`, so that none is a column. */
  readonly closesCases: boolean;
}

/** Checks for operators without values: patterns of rows, `PATTERN (a+ b*)`, and names of operators, `OPERATOR(=)`. */
function hasLooseSigns(tokens: readonly SqlToken[]): boolean {
  return tokens.some(
    ({ text }, at) =>
      text === 'match_recognize' || (/^(?:pattern|operator)$/.test(text) && tokens[at + 1]?.kind === 'open'),
  );
}

function countWords(tokens: readonly SqlToken[], words: RegExp): number {
  return tokens.filter((_, at) => isWord(tokens, at, words)).length;
}

function missingSide(sql: Sql, at: number): MissingOperand['side'] | undefined {
  const { tokens, roles } = sql;
  const left = roles[at - 1];
  const right = roles[at];
  if (isDoubledWord(sql, at) || (!sql.isQuery && isSecondReference(tokens, at))) return 'before';
  if (left === 'comma') return besideComma(sql, at);
  if (left === 'open') return besideOpen(sql, at);
  if (isWord(tokens, at - 1, /^(?:select|as)$/)) return besideWord(sql, at);
  if (!left || !right || !wantsValue(left)) return undefined;
  if (endsValue(sql, at)) return isStarOfQuery(sql, at - 1) || isOuterJoin(tokens, at - 1) ? undefined : 'behind';
  return isBinaryBehind(sql, at, left) ? 'before' : undefined;
}

/** Checks for a word that never stands twice in a row; others that are doubled lack a value between them. */
function isDoubledWord({ tokens }: Sql, at: number): boolean {
  return (
    isWord(tokens, at, /^(?:select|by|join|in)$/) &&
    tokens[at - 1]?.text === tokens[at]?.text &&
    !isName(tokens, at - 1)
  );
}

/** Checks for a reference to a member or a table; calls and what the engine provides can stand for any text. */
function isPlainReference(token: SqlToken | undefined): boolean {
  return token?.kind === 'reference' && !token.text.includes('(') && !/^\$?\{\s*[A-Z]+_/.test(token.text);
}

/** Checks for a reference behind another one; without a blank between them, the engine refuses them. */
function isSecondReference(tokens: readonly SqlToken[], at: number): boolean {
  const isApart = (tokens[at - 1]?.end ?? 0) < (tokens[at]?.start ?? 0);
  return isApart && isPlainReference(tokens[at]) && endsReference(tokens, at - 1);
}

/** Checks for the end of a reference or of its column: `{a}`, `{CUBE}.a`. */
function endsReference(tokens: readonly SqlToken[], at: number): boolean {
  if (isPlainReference(tokens[at])) return true;
  return tokens[at]?.kind === 'word' && tokens[at - 1]?.text === '.' && isPlainReference(tokens[at - 2]);
}

function besideComma({ tokens, roles, isSimpleCase }: Sql, at: number): MissingOperand['side'] | undefined {
  const role = roles[at];
  if (role === 'comma' || role === 'joining') return 'before';
  if (role === 'operator') return isSimpleCase || /^[-+]$/.test(tokens[at]?.text ?? '') ? undefined : 'before';
  return role === 'branch' ? 'behind' : undefined;
}

/** Checks what follows `SELECT`, which may be `FROM`, and `AS`, which needs a name. */
function besideWord({ tokens, roles }: Sql, at: number): MissingOperand['side'] | undefined {
  if (tokens[at - 1]?.text === 'select') return roles[at] === 'comma' ? 'before' : undefined;
  return roles[at] === 'comma' || roles[at] === 'close' ? 'behind' : undefined;
}

function besideOpen({ tokens, roles }: Sql, at: number): MissingOperand['side'] | undefined {
  const role = roles[at];
  const isMissing =
    role === 'comma' ||
    role === 'joining' ||
    role === 'comparing' ||
    role === 'branch' ||
    (role === 'operator' && !/^[-+]$/.test(tokens[at]?.text ?? ''));
  return isMissing ? 'before' : undefined;
}

function wantsValue(role: Role): boolean {
  return role === 'operator' || role === 'joining' || role === 'comparing' || role === 'clause' || role === 'branch';
}

/** Checks for what can only follow a value. */
function endsValue({ tokens, roles, closesCases }: Sql, at: number): boolean {
  const role = roles[at];
  if (role === 'close' || role === 'comma' || role === 'branch') return true;
  if (role === 'end') return closesCases;
  const isBy = isWord(tokens, at, /^(?:group|order)$/) && isWord(tokens, at + 1, /^by$/);
  return isBy || isWord(tokens, at, /^(?:from|where|having|union|intersect)$/);
}

/** Checks for `SELECT TOP 10 * FROM`, whose star does not multiply. */
function isStarOfQuery({ tokens, isQuery }: Sql, at: number): boolean {
  return isQuery && tokens[at]?.text === '*';
}

/** Checks for Oracle's `(+)`. */
function isOuterJoin(tokens: readonly SqlToken[], at: number): boolean {
  return tokens[at]?.text === '+' && tokens[at - 1]?.kind === 'open' && tokens[at + 1]?.kind === 'close';
}

/** Checks for an operator or word that needs a value before it, behind something that needs one as well. */
function isBinaryBehind({ tokens, roles, isSimpleCase }: Sql, at: number, left: Role): boolean {
  const role = roles[at];
  const last = tokens[at - 1]?.text ?? '';
  if (role === 'joining') return true;
  // A branch can begin with an operator (`CASE x WHEN > 5`), and `NOT` can stand before one.
  if (last === 'not' || (last === 'when' && isSimpleCase)) return false;
  if (role === 'comparing') return true;
  return (
    role === 'operator' &&
    !/^[-+]$/.test(tokens[at]?.text ?? '') &&
    (left !== 'clause' || !/^(?:from|by|union|all)$/.test(last))
  );
}

/** Returns an `END` that ends no `CASE` and cannot be a column either. */
export function findStrayEnd(tokens: readonly SqlToken[]): SqlToken | undefined {
  const roles = rolesOf(tokens);
  const isQuery = tokens.some((_, at) => isWord(tokens, at, /^(?:select|from)$/));
  let open = 0;
  for (const [at, token] of tokens.entries()) {
    if (isWord(tokens, at, /^case$/)) open++;
    // Where a value is expected it is a column.
    if (roles[at] !== 'end' || !isValue(roles[at - 1])) continue;
    if (open > 0) open--;
    // Behind a value of a query it can be the name of that value.
    else if (!isQuery || roles[at + 1] === 'operator' || roles[at + 1] === 'joining' || isWord(tokens, at + 1, /^as$/))
      return token;
  }
  return undefined;
}
