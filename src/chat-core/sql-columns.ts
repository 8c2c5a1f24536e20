/** How a column of a query over the model is computed. */
export interface ColumnSource {
  /** The item of the select list, without its alias. */
  readonly expression: string;
  /** Names in the model that it may refer to, such as `orders.count`: each name combined with each cube of the query. */
  readonly names: readonly string[];
}

/**
 * Finds how a column of a statement is computed, by its name or, if the statement has no such name, by its position. Returns
 * `undefined` if the statement is not a plain `SELECT … FROM …`: a guess would explain another number.
 */
export function columnSource(
  sql: string,
  column: { readonly name: string; readonly at: number },
): ColumnSource | undefined {
  const text = sql.replaceAll(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ').trim();
  const from = topLevel(text).find(({ word }) => word === 'from');
  const select = /^select\s+(?:distinct\s+)?/i.exec(text);
  if (!select || !from || topLevel(text).some(({ word }) => word === 'union')) return undefined;
  const items = splitList(text.slice(select[0].length, from.at)).map(readItem);
  if (items.some(({ expression }) => expression === '*')) return undefined;
  const found = items.find(({ name }) => name === column.name) ?? items[column.at];
  if (!found) return undefined;
  const cubes = cubesOf(text.slice(from.at));
  return { expression: found.expression, names: namesIn(found.expression, cubes) };
}

interface Item {
  readonly expression: string;
  readonly name: string;
}

/** Parses an item of the select list, including the name of its column. */
function readItem(item: string): Item {
  const text = item.trim();
  const alias = /(?<=\s)as\s+("[^"]+"|`[^`]+`|\w+)$/i.exec(text);
  const expression = alias ? text.slice(0, alias.index).trim() : text;
  const inner = expression.replace(/\)$/, '').trimEnd();
  const name = alias?.[1] ?? /(?:(?<!\w)\w+|"[^"]+")$/.exec(inner)?.[0] ?? '';
  return { expression, name: unquoted(name) };
}

function splitList(list: string): readonly string[] {
  const items: string[] = [''];
  let depth = 0;
  for (const piece of list.match(/'(?:[^']|'')*'|"[^"]*"|[^'"]/g) ?? []) {
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (piece === ',' && depth === 0) items.push('');
    else items[items.length - 1] += piece;
  }
  return items.map((item) => item.trim());
}

/** Returns the words outside parentheses and quotation marks, in lower case. */
function topLevel(text: string): readonly { readonly word: string; readonly at: number }[] {
  const words: { word: string; at: number }[] = [];
  let depth = 0;
  for (const match of text.matchAll(/'(?:[^']|'')*'|"[^"]*"|[()]|\w+/g)) {
    const [piece] = match;
    if (piece === '(') depth += 1;
    else if (piece === ')') depth -= 1;
    else if (depth === 0 && /^\w/.test(piece)) words.push({ word: piece.toLowerCase(), at: match.index });
  }
  return words;
}

/** Returns the cubes and views of a query, each by its own name and its alias. */
function cubesOf(from: string): ReadonlyMap<string, string> {
  const cubes = new Map<string, string>();
  const clause =
    /\b(?:from|join)\s+("[^"]+"|\w+)(?:\s+(?:as\s+)?(?!on\b|where\b|group\b|order\b|limit\b|join\b|cross\b|left\b|inner\b)(\w+))?/gi;
  for (const [, table = '', alias] of from.matchAll(clause)) {
    cubes.set(unquoted(table), unquoted(table));
    if (alias !== undefined) cubes.set(alias, unquoted(table));
  }
  return cubes;
}

/** SQL keywords that can occur where a name could. */
const WORDS = new Set([
  'case',
  'when',
  'then',
  'else',
  'end',
  'and',
  'or',
  'not',
  'null',
  'is',
  'in',
  'as',
  'distinct',
  'interval',
]);

/** Returns the names in an expression. A word before a parenthesis is a function, not a member. */
function namesIn(expression: string, cubes: ReadonlyMap<string, string>): readonly string[] {
  const names = new Set<string>();
  const text = expression.replaceAll(/'(?:[^']|'')*'/g, ' ');
  for (const [, first = '', second, call] of text.matchAll(/("[^"]+"|\w+)(?:\s*\.\s*("[^"]+"|\w+))?(\s*\()?/g)) {
    const owner = unquoted(first);
    if (second !== undefined) names.add(`${cubes.get(owner) ?? owner}.${unquoted(second)}`);
    else if (call === undefined && !/^\d/.test(first) && !WORDS.has(first.toLowerCase()))
      for (const cube of new Set(cubes.values())) names.add(`${cube}.${owner}`);
  }
  return [...names];
}

function unquoted(name: string): string {
  return name.replaceAll(/^["`]|["`]$/g, '');
}
