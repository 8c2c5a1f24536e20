/** What is wrong with a user's SQL; the message says it in words. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
}

export interface Token {
  /** `word`: unquoted identifier or keyword; `name`: quoted identifier; `text`: string literal; `symbol`: anything else. */
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'symbol';
  /** Without quotes for `name` and `text`. */
  readonly value: string;
  /** As written. */
  readonly raw: string;
}

const pattern =
  /(?<space>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|(?<word>[A-Za-z_]\w*)|"(?<name>(?:[^"]|"")*)"|'(?<text>(?:[^']|'')*)'|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|(?<symbol>::|<=|>=|<>|!=|\|\||[-+*/%(),.=<>;])/gy;

/** Splits SQL into tokens; comments and spaces are dropped. */
export function tokenize(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < sql.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(sql);
    if (!match) throw new SqlError(`Unexpected character '${sql[at] ?? ''}' at position ${String(at + 1)}.`);
    const token = toToken(match);
    if (token) tokens.push(token);
  }
  while (tokens.at(-1)?.value === ';' && tokens.at(-1)?.kind === 'symbol') tokens.pop();
  return tokens;
}

function toToken(match: RegExpExecArray): Token | undefined {
  const [raw] = match;
  const { word, name, text, number, symbol } = match.groups ?? {};
  if (word !== undefined) return { kind: 'word', value: word, raw };
  if (name !== undefined) return { kind: 'name', value: name.replaceAll('""', '"'), raw };
  if (text !== undefined) return { kind: 'text', value: text.replaceAll("''", "'"), raw };
  if (number !== undefined) return { kind: 'number', value: number, raw };
  return symbol === undefined ? undefined : { kind: 'symbol', value: symbol, raw };
}

/** Whether a token is this keyword (case-insensitive). */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.value.toUpperCase());
}

export function isSymbol(token: Token | undefined, ...symbols: readonly string[]): boolean {
  return token?.kind === 'symbol' && symbols.includes(token.value);
}

/** The position after the parenthesis that closes the one at `open`. */
export function afterGroup(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (isSymbol(tokens[at], '(')) depth++;
    if (isSymbol(tokens[at], ')') && --depth === 0) return at + 1;
  }
  throw new SqlError('A parenthesis is not closed.');
}

/** Cuts a list at the commas that stand outside parentheses. */
export function splitAtCommas(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isSymbol(token, '(')) depth++;
    if (isSymbol(token, ')')) depth--;
    if (depth === 0 && isSymbol(token, ',')) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** Tokens back to SQL. A space between all of them is always right but after a dot and around `::`. */
export function render(tokens: readonly Token[]): string {
  return tokens
    .map((token) => token.raw)
    .join(' ')
    .replaceAll(' . ', '.')
    .replaceAll(' :: ', '::');
}
