import type { SqlToken } from './lexer.ts';

/** What a token is to its neighbours. `other` is everything that says nothing about them. */
export type Role =
  | 'value'
  | 'operator'
  | 'joining'
  | 'comparing'
  | 'clause'
  | 'branch'
  | 'end'
  | 'comma'
  | 'open'
  | 'close'
  | 'other';

/** Signs that stand between two values in every database. */
const OPERATOR = /^(?:[-+*/%=<>]|<=|>=|!=|<>|==|\|\||::)$/;
/** Signs that can be one operator of some database with those beside them: `<=>`, `@>`, `|/`, `:=`. */
const PART_OF_OPERATOR = /^[-+*/%=<>!|&^~#@?:$]+$/;
/** Signs in the path of files of Snowflake, `@stage/2024/`. */
const IN_PATH = /^[-/%*]$/;
const TYPE_WITH_PARAMETERS = /^(?:array|struct|map|list|table|range|row|multiset)$/;
const WORDS: ReadonlyMap<string, Role> = new Map<string, Role>([
  ...['and', 'or'].map((word) => [word, 'joining'] as const),
  ...['is', 'like', 'ilike', 'between'].map((word) => [word, 'comparing'] as const),
  ...['where', 'having', 'not', 'from', 'union', 'intersect'].map((word) => [word, 'clause'] as const),
  ...['when', 'then', 'else'].map((word) => [word, 'branch'] as const),
  ['end', 'end'],
  ...['select', 'distinct', 'all', 'case', 'join', 'using', 'as', 'in'].map((word) => [word, 'other'] as const),
]);

/** Returns what each token is to its neighbours, wherever all databases agree on it. */
export function rolesOf(tokens: readonly SqlToken[]): readonly Role[] {
  const surroundings: Surroundings = {
    hasPath: tokens.some(({ text }) => text === '@'),
    hasTypes: tokens.some(({ text }, at) => TYPE_WITH_PARAMETERS.test(text) && tokens[at + 1]?.text === '<'),
  };
  const roles: Role[] = [];
  for (const at of tokens.keys()) roles.push(roleAt(tokens, at, roles, surroundings));
  return roles;
}

interface Surroundings {
  readonly hasPath: boolean;
  readonly hasTypes: boolean;
}

function roleAt(tokens: readonly SqlToken[], at: number, before: readonly Role[], surroundings: Surroundings): Role {
  const token = tokens[at];
  if (!token) return 'other';
  if (token.kind === 'word') return wordRole(tokens, at, before[at - 1]);
  if (token.kind === 'open' || token.kind === 'close') return token.kind;
  if (token.kind !== 'sign') return 'value';
  if (token.text === ',') return 'comma';
  if (token.text === '?') return 'value';
  return isOperator(tokens, at, before[at - 1], surroundings) ? 'operator' : token.text === '*' ? 'value' : 'other';
}

function wordRole(tokens: readonly SqlToken[], at: number, before: Role | undefined): Role {
  const { text } = tokens[at] ?? { text: '' };
  if (isName(tokens, at)) return 'value';
  const role = WORDS.get(text) ?? 'value';
  // Some databases have functions of these names: `and(a, b)`.
  const isFunction = (role === 'joining' || role === 'comparing') && tokens[at + 1]?.kind === 'open';
  if (isFunction && !isValue(before)) return 'value';
  return beginsClause(text, tokens[at - 1]?.text ?? '', before) ? 'clause' : role;
}

/** Checks for words that a value follows only behind certain others. */
function beginsClause(word: string, last: string, before: Role | undefined): boolean {
  if (word === 'by') return /^(?:group|order|partition)$/.test(last);
  if (word === 'on') return before === 'value' || before === 'close';
  return word === 'all' && /^(?:union|intersect|except)$/.test(last);
}

/** Checks for a word that is the name of something, whatever it means elsewhere: `t.end`, `payload:from`, `x AS order`, `x::union`. */
export function isName(tokens: readonly SqlToken[], at: number): boolean {
  const last = tokens[at - 1]?.text ?? '';
  const next = tokens[at + 1]?.text ?? '';
  return /^(?:[.:@$]|::|as)$/.test(last) || next === '=>' || next === ':';
}

/** Checks for one of some words where it is not a name. */
export function isWord(tokens: readonly SqlToken[], at: number, words: RegExp): boolean {
  return tokens[at]?.kind === 'word' && words.test(tokens[at].text) && !isName(tokens, at);
}

/** Checks for a token that is, or ends, a value. */
export function isValue(role: Role | undefined): boolean {
  return role === 'value' || role === 'close' || role === 'end';
}

function isOperator(
  tokens: readonly SqlToken[],
  at: number,
  before: Role | undefined,
  { hasPath, hasTypes }: Surroundings,
): boolean {
  const text = tokens[at]?.text ?? '';
  const isElse = (hasPath && IN_PATH.test(text)) || (hasTypes && /^[<>]$/.test(text));
  if (!OPERATOR.test(text) || isElse || touchesSign(tokens, at)) return false;
  // Elsewhere it stands for all columns, and before a word of DuckDB for those that the word selects.
  return text !== '*' || (isBeforeStar(before) && tokens[at + 1]?.text !== 'columns');
}

/** Checks for another sign without a blank between them. */
function touchesSign(tokens: readonly SqlToken[], at: number): boolean {
  const isPart = (token: SqlToken | undefined): boolean => token?.kind === 'sign' && PART_OF_OPERATOR.test(token.text);
  const [last, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  return (isPart(last) && last?.end === token?.start) || (isPart(next) && next?.start === token?.end);
}

/** Checks whether a star behind a token of this role can only multiply. */
function isBeforeStar(role: Role | undefined): boolean {
  return isValue(role) || role === 'operator' || role === 'joining' || role === 'comparing' || role === 'branch';
}
