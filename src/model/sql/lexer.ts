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
  /** Whether databases may divide it differently: a sign that begins a comment in some of them, a quote of only one. */
  readonly isAmbiguous: boolean;
}

/** Tokens that all databases read alike; everything else is single characters. */
const TOKEN = /\s+|[\p{L}_][\p{L}\p{N}\p{M}_$]*|\d[\w.]*|--|\/\*|\/\/|#>>?|#-|::|[<>!=]=|<>|\|\||->>?|=>|[\s\S]/uy;
/** What begins a comment in some databases and is an operator in others. */
const AMBIGUOUS = /^(?:#|\/\/)$/;
/** A name between square brackets. */
const BRACKETED_NAME = /\[[\p{L}_][^\]\n]*\]/uy;

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
  isAmbiguous = false;
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
    if (piece === "'") return this.#text(at);
    if (piece === '[') return this.#bracket(at);
    if (AMBIGUOUS.test(piece)) this.isAmbiguous = true;
    if (piece === '"' || piece === '`') return this.#until(sql.indexOf(piece, at + 1), 1, at, 'quote', 'name');
    return this.#push(kindOf(piece), at, at + piece.length);
  }

  #line(at: number): number {
    const { sql, start, isFolded, endsLine } = this.#source;
    const end = isFolded ? -1 : sql.indexOf('\n', at);
    if (end !== -1) return end;
    // Some databases read two signs between values as operators.
    const isOperator = /\S/.test(sql[at - 1] ?? ' ') && /\S/.test(sql[at + 2] ?? ' ');
    if (!endsLine && !isOperator) this.lastComment = start + at;
    return sql.length;
  }

  #text(at: number): number {
    const { sql } = this.#source;
    const last = this.tokens.at(-1);
    // Texts of some databases have three quotes, or brackets that hold quotes.
    const isOdd = sql.startsWith("'''", at) || (last !== undefined && /^n?q$/.test(last.text));
    if (isOdd) this.isAmbiguous = true;
    return this.#until(sql.indexOf("'", at + 1), 1, at, 'quote', 'text');
  }

  /** Reads a bracket that stands for quotes in some databases; one behind a value is an index. */
  #bracket(at: number): number {
    const { sql, start } = this.#source;
    const last = this.tokens.at(-1);
    const isIndex = last?.end === start + at && last.kind !== 'sign' && last.kind !== 'open';
    const pattern = new RegExp(BRACKETED_NAME);
    pattern.lastIndex = at;
    const [name = ''] = isIndex ? [] : (pattern.exec(sql) ?? []);
    return name === '' ? this.#push('sign', at, at + 1) : this.#push('name', at, at + name.length);
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
  if (/^[\p{L}_]/u.test(piece)) return 'word';
  return /^\d/.test(piece) ? 'number' : 'sign';
}
