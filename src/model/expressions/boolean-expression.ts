import { continuesExpression } from './expression-words.ts';
import { droppedLength } from './skipped-tokens.ts';

/** The engine's result for an expression: a value, one that only the engine knows, or a failure while it loads the model. */
export type BooleanValue = boolean | 'unknown' | 'fails';

/**
 * Returns the value of a boolean expression that the engine evaluates while it loads the model: `{true`, `not false`, `true day`.
 * Skips braces and stops at a word that does not continue the expression. See docs/model-language.md#strings.
 */
export function booleanValue(written: string): BooleanValue {
  // A list of one value is this value.
  const text = written.replace(/(?<=\w)(?:\s*,)+\s*$/, '');
  if (text === 'true' || text === 'false') return text === 'true';
  // Empty braces are an expression of another kind.
  if (/\{\s*(?:\}|$)/.test(text) || !/^[\s{}$\w().]*$/.test(text)) return 'unknown';
  return new Reader(text.slice(droppedLength(text)).match(/\w+|[().]/g) ?? []).whole();
}

/** Checks whether a key's expression is certainly true. */
export function isTrue(text: string | undefined): boolean {
  return text !== undefined && booleanValue(text) === true;
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  whole(): BooleanValue {
    const value = this.#alternatives();
    const next = this.#next;
    if (next === undefined || typeof value !== 'boolean') return value;
    const isOver = /^\w/.test(next) && (!continuesExpression(next) || isConstant(next));
    return isOver ? value : 'unknown';
  }

  get #next(): string | undefined {
    return this.#tokens[this.#at];
  }

  #takes(token: string): boolean {
    if (this.#next !== token) return false;
    this.#at++;
    return true;
  }

  #alternatives(): BooleanValue {
    let value = this.#conditions();
    while (this.#takes('or')) value = both(value, this.#conditions(), (one, other) => one || other);
    return value;
  }

  #conditions(): BooleanValue {
    let value = this.#condition();
    while (this.#takes('and')) value = both(value, this.#condition(), (one, other) => one && other);
    return value;
  }

  #condition(): BooleanValue {
    if (!this.#takes('not')) return this.#operand();
    const value = this.#condition();
    return typeof value === 'boolean' ? !value : value;
  }

  #operand(): BooleanValue {
    if (this.#takes('(')) {
      const value = this.#alternatives();
      return this.#takes(')') ? value : 'unknown';
    }
    const word = this.#next ?? '';
    if (!isConstant(word)) return 'unknown';
    this.#at++;
    return this.#member(word === 'true');
  }

  /**
   * Returns the value of a member of a boolean: it is undefined, which counts as false. A member of that fails, as does any call.
   */
  #member(value: boolean): BooleanValue {
    if (this.#takes('(')) return 'fails';
    if (!this.#takes('.')) return value;
    if (!/^[a-z_]/i.test(this.#next ?? '')) return 'fails';
    this.#at++;
    return this.#next === '.' || this.#next === '(' ? 'fails' : false;
  }
}

function isConstant(word: string): boolean {
  return word === 'true' || word === 'false';
}

function both(one: BooleanValue, other: BooleanValue, join: (one: boolean, other: boolean) => boolean): BooleanValue {
  if (one === 'fails' || other === 'fails') return 'fails';
  return one === 'unknown' || other === 'unknown' ? 'unknown' : join(one, other);
}
