import type { JinjaToken } from './tokens.ts';

/** The position at which reading stopped, and what was expected. */
export class JinjaMistake extends Error {
  readonly token: JinjaToken;

  constructor(token: JinjaToken, message: string) {
    super(message);
    this.token = token;
  }
}

const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=']);
const ARITHMETIC = new Set(['+', '-', '*', '/', '//', '%', '**', '~']);
/** Names that templates cannot assign. */
const RESERVED = new Set(['true', 'True', 'false', 'False', 'none', 'None', 'loop', 'self']);
/** Nesting depth up to which the template engine reads. */
const DEEPEST = 150;
/** Words that continue an expression after a test and are not its argument. */
const AFTER_TEST = new Set(['and', 'or', 'else', 'is']);

/** Reads the grammar of the template engine's expressions; throws a `JinjaMistake`. Precedence does not matter here. */
export class JinjaReader {
  readonly #tokens: readonly JinjaToken[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly JinjaToken[]) {
    this.#tokens = tokens;
  }

  get token(): JinjaToken {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', start: 0 };
  }

  /** Checks whether the next token is one of these symbols or words. */
  sees(...texts: readonly string[]): boolean {
    const { kind, text } = this.token;
    return (kind === 'sign' || kind === 'name') && texts.includes(text);
  }

  /** Moves past a symbol or word, if it is next; returns whether it was. */
  skip(...texts: readonly string[]): boolean {
    const isThere = this.sees(...texts);
    if (isThere) this.#at++;
    return isThere;
  }

  need(text: string): void {
    if (!this.skip(text)) this.#fail(`\`${text}\` is missing`);
  }

  name(): string {
    const { kind, text } = this.token;
    if (kind !== 'name') this.#fail('A name is missing');
    this.#at++;
    return text;
  }

  /** Reads a name that is assigned here. */
  newName(): void {
    if (RESERVED.has(this.token.text)) this.#fail('A name that is not reserved is missing');
    this.name();
  }

  /** Reads an expression; `isWhole`: also `a if b else c`. */
  expression(isWhole = true): void {
    if (this.#depth === DEEPEST) this.#fail('The template engine allows no deeper nesting');
    this.#depth++;
    this.#either();
    if (isWhole) this.#choices();
    this.#depth--;
  }

  get isAtEnd(): boolean {
    return this.token.kind === 'end';
  }

  end(): void {
    if (!this.isAtEnd) this.#fail('Nothing more is allowed');
  }

  /** Reads the `(…)` of a call, from its bracket on. */
  arguments(): void {
    this.need('(');
    let isNamed = false;
    while (!this.skip(')')) {
      const isMap = this.skip('**');
      const isSpread = isMap || this.skip('*');
      const first = this.token;
      this.expression();
      const isAssignment = !isSpread && first.kind === 'name' && this.#tokens[this.#at - 1] === first && this.skip('=');
      if (isAssignment) this.expression();
      else if (isNamed && !isSpread) throw new JinjaMistake(first, 'Positional arguments must come first');
      isNamed ||= isAssignment || isMap;
      if (!this.sees(')')) this.need(',');
    }
  }

  #fail(message: string): never {
    throw new JinjaMistake(this.token, message);
  }

  #choices(): void {
    while (this.skip('if')) {
      this.#either();
      if (this.skip('else')) this.expression();
    }
  }

  #either(): void {
    do {
      while (this.skip('not'));
      this.#comparison();
    } while (this.skip('and', 'or'));
  }

  #comparison(): void {
    this.#sum();
    for (;;) {
      const { kind, text } = this.token;
      if (kind === 'sign' && COMPARISONS.has(text)) this.#at++;
      else if (this.skip('not')) this.need('in');
      else if (!this.skip('in')) return;
      this.#sum();
    }
  }

  #sum(): void {
    for (;;) {
      this.#operand();
      const { kind, text } = this.token;
      if (kind !== 'sign' || !ARITHMETIC.has(text)) return;
      this.#at++;
    }
  }

  #operand(): void {
    this.#unfiltered();
    for (;;) {
      if (this.skip('|')) {
        this.name();
        if (this.sees('(')) this.arguments();
      } else if (this.skip('is')) this.#test();
      else return;
    }
  }

  #test(): void {
    this.skip('not');
    this.name();
    const { kind, text } = this.token;
    const isArgument = kind === 'name' ? !AFTER_TEST.has(text) : kind === 'number' || kind === 'text';
    if (this.sees('(')) this.arguments();
    // A plus is read as the sign of an argument, which no expression can begin with.
    else if (isArgument || this.sees('[', '{', '+')) this.#unfiltered();
  }

  #unfiltered(): void {
    while (this.skip('-'));
    this.#primary();
    for (;;) {
      if (this.skip('.')) this.name();
      else if (this.skip('[')) this.#subscript();
      else if (this.sees('(')) this.arguments();
      else return;
    }
  }

  #primary(): void {
    const { kind } = this.token;
    if (kind === 'name' || kind === 'number') this.#at++;
    else if (kind === 'text') while (this.token.kind === 'text') this.#at++;
    else if (this.skip('(')) this.#list(')');
    else if (this.skip('[')) this.#list(']');
    else if (this.skip('{')) this.#list('}');
    else this.#fail('A value is missing');
  }

  #list(closer: ')' | ']' | '}'): void {
    while (!this.skip(closer)) {
      this.expression();
      if (closer === '}') {
        this.need(':');
        this.expression();
      }
      if (!this.sees(closer)) this.need(',');
    }
  }

  #subscript(): void {
    if (!this.sees(':')) this.expression();
    for (let count = 0; count < 2 && this.skip(':'); count++) if (!this.sees(']', ':')) this.expression();
    this.need(']');
  }
}
