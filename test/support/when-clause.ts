/** Values of context keys, by name; a key that is absent is undefined. */
export type ContextValues = Readonly<Record<string, boolean | number | string | undefined>>;

/**
 * Evaluates a `when` clause as VS Code does: `||`, `&&`, `!`, parentheses, `==`, `!=` and `=~`. Throws for anything else, so that
 * a clause with another operator fails a test instead of being misread.
 */
export function holds(clause: string, values: ContextValues): boolean {
  const tokens = tokensOf(clause);
  let next = 0;
  const take = (token: string): boolean => {
    if (tokens[next] !== token) return false;
    next += 1;
    return true;
  };
  const word = (): string => {
    const token = tokens[next];
    if (token === undefined || /^(?:\|\||&&|[!()]|[=!]=|=~)$/.test(token))
      throw new Error(`no key or value in “${clause}”`);
    next += 1;
    return token;
  };
  const term = (): boolean => {
    if (take('!')) return !term();
    if (take('(')) {
      const inner = either();
      if (!take(')')) throw new Error(`“(” is not closed in “${clause}”`);
      return inner;
    }
    const value = valueOf(word(), values);
    // Both sides are compared as text: this is how VS Code compares a number with a literal.
    if (take('==')) return String(value) === unquoted(word());
    if (take('!=')) return String(value) !== unquoted(word());
    if (take('=~')) return patternOf(word()).test(value === undefined ? '' : String(value));
    return Boolean(value);
  };
  // Every operand is parsed, even if the result is already known: otherwise a mistake in a later one would pass.
  const both = (): boolean => {
    const results = [term()];
    while (take('&&')) results.push(term());
    return results.every(Boolean);
  };
  const either = (): boolean => {
    const results = [both()];
    while (take('||')) results.push(both());
    return results.some(Boolean);
  };
  const result = either();
  if (next < tokens.length) throw new Error(`“${tokens[next]}” is not expected in “${clause}”`);
  return result;
}

function isConstant(token: string): boolean {
  return token === 'true' || token === 'false';
}

function tokensOf(clause: string): readonly string[] {
  const pattern = /\s*(\|\||&&|[=!]=|=~|[!()]|\/(?:\\.|[^/\\])+\/[a-z]*|'[^']*'|[\w.:-]+)/gy;
  const tokens: string[] = [];
  const text = clause.trimEnd();
  while (pattern.lastIndex < text.length) {
    const { lastIndex } = pattern;
    const [, token] = pattern.exec(text) ?? [];
    if (token === undefined) throw new Error(`“${text.slice(lastIndex)}” is not read here`);
    tokens.push(token);
  }
  return tokens;
}

function valueOf(key: string, values: ContextValues): boolean | number | string | undefined {
  return isConstant(key) ? key === 'true' : values[key];
}

function unquoted(token: string): string {
  return token.replaceAll(/^'|'$/g, '');
}

function patternOf(token: string): RegExp {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/.exec(token) ?? [];
  if (source === undefined) throw new Error(`“${token}” is not a pattern`);
  return new RegExp(source, flags);
}
