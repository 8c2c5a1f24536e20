import { lexSql, type SqlToken } from '../sql/lexer.ts';

/** Thrown for SQL that no query of the data API can express. */
export class Unreadable extends Error {}

/** A column as a statement names it. */
export interface ColumnName {
  readonly owner: string | undefined;
  readonly name: string;
}

/** Reads the tokens of a statement in order. Every `take…` throws {@link Unreadable} if something else is there. */
export class SqlTokenReader {
  readonly #tokens: readonly SqlToken[];
  readonly #sql: string;
  #at = 0;

  constructor(sql: string) {
    const { tokens, unclosed } = lexSql({ sql, start: 0, opener: '${', isFolded: false, endsLine: true });
    if (unclosed) throw new Unreadable();
    this.#tokens = tokens;
    this.#sql = sql;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  /** Moves past these words, parentheses or signs if they come next; `false` if they do not. */
  skip(...texts: readonly string[]): boolean {
    const isNext = texts.every((text, by) => this.#isBare(this.#tokens[this.#at + by], text));
    if (isNext) this.#at += texts.length;
    return isNext;
  }

  take(...texts: readonly string[]): void {
    if (!this.skip(...texts)) throw new Unreadable();
  }

  /** Takes a name: in double quotes, or a lower-case word that is not a keyword; SQL would fold any other. */
  takeName(): string {
    const { kind, start, end, text } = this.#take();
    if (kind === 'name' && text.startsWith('"')) return this.#quoted(text, end);
    if (kind !== 'word' || KEYWORDS.has(text) || this.#sql.slice(start, end) !== text) throw new Unreadable();
    return text;
  }

  /** Takes a name if one comes next. */
  nextName(): string | undefined {
    const next = this.#tokens[this.#at];
    const isName = next?.kind === 'name' || (next?.kind === 'word' && !KEYWORDS.has(next.text));
    return isName ? this.takeName() : undefined;
  }

  takeColumn(): ColumnName {
    const first = this.takeName();
    return this.skip('.') ? { owner: first, name: this.takeName() } : { owner: undefined, name: first };
  }

  takeText(): string {
    const text = this.nextText();
    if (text === undefined) throw new Unreadable();
    return text;
  }

  nextText(): string | undefined {
    const next = this.#tokens[this.#at];
    if (next?.kind !== 'text') return undefined;
    this.#at += 1;
    return this.#quoted(next.text, next.end);
  }

  /** Takes a number as it is written, including its sign. */
  nextNumber(): string | undefined {
    const from = this.#at;
    const sign = this.skip('-') ? '-' : '';
    const next = this.#tokens[this.#at];
    if (next?.kind !== 'number' || !/^\d+(?:\.\d+)?(?:e\d+)?$/i.test(next.text)) {
      this.#at = from;
      return undefined;
    }
    this.#at += 1;
    return sign + next.text;
  }

  /** Takes a positive whole number. */
  takeCount(): number {
    const count = Number(this.nextNumber());
    if (!Number.isInteger(count) || count < 1) throw new Unreadable();
    return count;
  }

  #take(): SqlToken {
    const token = this.#tokens[this.#at];
    if (!token) throw new Unreadable();
    this.#at += 1;
    return token;
  }

  #isBare(token: SqlToken | undefined, text: string): boolean {
    return token !== undefined && token.kind !== 'text' && token.kind !== 'name' && token.text === text;
  }

  /** Returns the text in quotes, which the tokenizer splits where a quote is doubled. */
  #quoted(first: string, firstEnd: number): string {
    const [quote = ''] = first;
    const parts = [first.slice(1, -1)];
    for (let end = firstEnd, next = this.#tokens[this.#at]; next?.start === end && next.text.startsWith(quote);) {
      parts.push(next.text.slice(1, -1));
      end = next.end;
      this.#at += 1;
      next = this.#tokens[this.#at];
    }
    return parts.join(quote);
  }
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'all and any array as asc between by case cast cross current_date current_timestamp date desc distinct else end except ' +
    'exists extract false fetch filter for from full group having ilike in inner intersect interval is join lateral left ' +
    'like limit natural not null offset on or order outer over partition right select similar then timestamp true union ' +
    'using when where window with'
  ).split(' '),
);
