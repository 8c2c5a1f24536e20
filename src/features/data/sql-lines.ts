const CLAUSE =
  /^(?:SELECT|FROM|WHERE|GROUP BY|ORDER BY|HAVING|LIMIT|OFFSET|UNION(?: ALL)?|(?:(?:LEFT|RIGHT|INNER|FULL|CROSS)(?: OUTER)? )?JOIN|WITH)\b/i;
/** A quoted name or text, a comment, a bracket or comma, white space, or a run of other characters. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|[(),]|\s+|[^\s(),'"`]+/g;

/**
 * Breaks generated SQL, which is a single line, into readable lines: each clause and each column of a query gets its own line,
 * and subqueries are indented. Only white space outside of quotes changes.
 */
export function sqlLines(sql: string): string {
  const lines = new Lines();
  for (const { 0: token, index } of sql.matchAll(TOKEN)) lines.add(token, sql.slice(index, index + 200));
  return lines.text();
}

/** A query that is being read; one for each open parenthesis. */
interface Scope {
  /** Whether it is a query rather than a function's arguments or a condition in parentheses. */
  readonly isQuery: boolean;
  /** Whether commas separate columns. */
  columns: boolean;
}

class Lines {
  readonly #scopes: Scope[] = [{ isQuery: true, columns: false }];
  #text = '';
  #isFresh = true;

  text(): string {
    return this.#text.trim();
  }

  /** Adds a token. `rest`: the text from the token on. */
  add(token: string, rest: string): void {
    if (/^\s/.test(token)) this.#space();
    else if (token === '(') this.#open(/^\(\s*(?:SELECT|WITH)\b/i.test(rest));
    else if (token === ')') this.#close();
    else if (token === ',') this.#comma();
    else this.#word(token, rest);
  }

  #space(): void {
    if (!this.#isFresh) this.#text += ' ';
    this.#isFresh = true;
  }

  #open(isQuery: boolean): void {
    this.#scopes.push({ isQuery, columns: false });
    this.#text += '(';
    this.#isFresh = true;
  }

  #close(): void {
    const scope = this.#scopes.length > 1 ? this.#scopes.pop() : undefined;
    this.#text = this.#text.trimEnd();
    if (scope?.isQuery) this.#break();
    this.#text += ')';
    this.#isFresh = false;
  }

  #comma(): void {
    this.#text = `${this.#text.trimEnd()},`;
    const { isQuery, columns } = this.#scope;
    if (isQuery && columns) this.#break(1);
    else this.#isFresh = false;
  }

  #word(token: string, rest: string): void {
    const clause = this.#scope.isQuery ? CLAUSE.exec(rest)?.[0] : undefined;
    const isSecondWord = /\b(?:LEFT|RIGHT|INNER|FULL|CROSS|OUTER) $/i.test(this.#text);
    if (clause !== undefined && !isSecondWord) {
      if (this.#text !== '') this.#break();
      this.#scope.columns = /^SELECT$/i.test(clause);
    }
    this.#text += token;
    this.#isFresh = false;
    if (token.startsWith('--')) this.#break(1);
  }

  get #scope(): Scope {
    return this.#scopes.at(-1) ?? { isQuery: true, columns: false };
  }

  #break(more = 0): void {
    const level = this.#scopes.filter(({ isQuery }) => isQuery).length - 1 + more;
    this.#text = `${this.#text.trimEnd()}\n${'  '.repeat(level)}`;
    this.#isFresh = true;
  }
}
