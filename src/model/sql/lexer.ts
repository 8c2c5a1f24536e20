import type { SqlSource } from './source.ts';

export interface SqlToken {
  readonly kind: 'word' | 'text' | 'name' | 'number' | 'reference' | 'open' | 'close' | 'sign';
  /** Offsets are those of the text that contains the SQL. */
  readonly start: number;
  readonly end: number;
  /** Words are in lower case. */
  readonly text: string;
}

/** SQL split into tokens, without comments. */
export interface SqlTokens {
  readonly tokens: readonly SqlToken[];
  /** The unclosed quote, comment or brace, after which nothing was read. */
  readonly unclosed: { readonly start: number; readonly what: 'quote' | 'comment' | 'brace' } | undefined;
  /** Start of a comment that extends to the end and would hide the text that the engine appends. */
  readonly lastComment: number | undefined;
}

/** Tokens that all databases read alike; everything else is single characters. */
const TOKEN = /\s+|[A-Za-z_][\w$]*|\d[\w.]*|--|\/\*|::|[<>!=]=|<>|\|\||->>?|=>|[\s\S]/y;

/** Splits SQL into tokens on which all databases agree. */
export function lexSql(source: SqlSource): SqlTokens {
  const lexer = new Lexer(source);
  lexer.read();
  return lexer;
}

class Lexer implements SqlTokens {
  readonly tokens: SqlToken[] = [];
  unclosed: SqlTokens['unclosed'];
  lastComment: number | undefined;
  readonly #source: SqlSource;

  constructor(source: SqlSource) {
    this.#source = source;
  }

  read(): void {
    const { sql } = this.#source;
    const pattern = new RegExp(TOKEN);
    for (let at = 0; at < sql.length && !this.unclosed;) {
      pattern.lastIndex = at;
      const [piece = ''] = pattern.exec(sql) ?? [];
      at = this.#piece(piece, at);
    }
  }

  #piece(piece: string, at: number): number {
    const { sql, opener } = this.#source;
    if (/^\s/.test(piece)) return at + piece.length;
    if (piece === '--') return this.#line(at);
    if (piece === '/*') return this.#until(sql.indexOf('*/', at + 2), 2, at, 'comment');
    if (sql.startsWith(opener, at)) return this.#reference(at);
    if (piece === "'") return this.#until(sql.indexOf("'", at + 1), 1, at, 'quote', 'text');
    if (piece === '"' || piece === '`') return this.#until(sql.indexOf(piece, at + 1), 1, at, 'quote', 'name');
    return this.#push(kindOf(piece), at, at + piece.length);
  }

  #line(at: number): number {
    const { sql, start, isFolded, endsLine } = this.#source;
    const end = isFolded ? -1 : sql.indexOf('\n', at);
    if (end !== -1) return end;
    if (!endsLine) this.lastComment = start + at;
    return sql.length;
  }

  #until(close: number, length: number, at: number, what: 'quote' | 'comment', kind?: SqlToken['kind']): number {
    if (close === -1) {
      this.unclosed = { start: this.#source.start + at, what };
      return this.#source.sql.length;
    }
    return kind ? this.#push(kind, at, close + length) : close + length;
  }

  #reference(at: number): number {
    const { sql, start, opener } = this.#source;
    let depth = 0;
    for (let end = at + opener.length - 1; end < sql.length; end++) {
      if (sql[end] === '{') depth++;
      else if (sql[end] === '}' && --depth === 0) return this.#push('reference', at, end + 1);
    }
    this.unclosed = { start: start + at, what: 'brace' };
    return sql.length;
  }

  #push(kind: SqlToken['kind'], at: number, end: number): number {
    const { sql, start } = this.#source;
    const text = sql.slice(at, end);
    this.tokens.push({ kind, start: start + at, end: start + end, text: kind === 'word' ? text.toLowerCase() : text });
    return end;
  }
}

function kindOf(piece: string): SqlToken['kind'] {
  if (piece === '(') return 'open';
  if (piece === ')') return 'close';
  if (/^[A-Za-z_]/.test(piece)) return 'word';
  return /^\d/.test(piece) ? 'number' : 'sign';
}
