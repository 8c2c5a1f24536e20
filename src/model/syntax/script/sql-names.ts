import type { Range } from './value.ts';

/**
 * What a name in the SQL of a script is: `certain` if the engine evaluates it whenever it loads the model, `possible` if it may not
 * (a branch, an inner function), `none` if it is not a reference (a key of an object, a variable of the code, a word in a comment).
 */
export type SqlName = 'certain' | 'none' | 'possible';

/** A variable at the top of an arrow function for the SQL of a definition, whose parameters the engine chooses itself. */
export interface SqlVariable extends Range {
  readonly name: string;
}

/** The names in the SQL of a script by their offsets. */
export class SqlNames {
  readonly variables: readonly SqlVariable[];
  readonly #code: readonly Range[];
  readonly #certain: ReadonlySet<number>;
  readonly #possible: ReadonlySet<number>;

  /** `code`: the ranges of all SQL, in order. */
  constructor(
    code: readonly Range[],
    certain: ReadonlySet<number>,
    possible: ReadonlySet<number>,
    variables: readonly SqlVariable[],
  ) {
    this.variables = variables;
    this.#code = code;
    this.#certain = certain;
    this.#possible = possible;
  }

  /** Returns what is at an offset; undefined outside of SQL. */
  at(offset: number): SqlName | undefined {
    if (this.#certain.has(offset)) return 'certain';
    if (this.#possible.has(offset)) return 'possible';
    return this.#isCode(offset) ? 'none' : undefined;
  }

  #isCode(offset: number): boolean {
    let low = 0;
    let high = this.#code.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#code[middle]?.end ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return (this.#code[low]?.start ?? Infinity) <= offset;
  }
}
