import type { Path } from '#model/expressions/strings.ts';
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

/** A reference that the text does not show as one: a name with an escape, or one that a pattern takes out of a cube. */
export interface HiddenPath extends Path {
  /** The offset of the code that has it. */
  readonly at: number;
}

/** What is found in the SQL of a script. */
export interface FoundNames {
  readonly certain: Set<number>;
  readonly possible: Set<number>;
  readonly variables: SqlVariable[];
  readonly hidden: HiddenPath[];
  /** Statements that end the code with an error whenever it runs. */
  readonly thrown: Range[];
}

/** The names in the SQL of a script by their offsets. */
export class SqlNames {
  readonly variables: readonly SqlVariable[];
  readonly #code: readonly Range[];
  readonly #certain: ReadonlySet<number>;
  readonly #possible: ReadonlySet<number>;
  readonly #hidden: readonly HiddenPath[];
  readonly #thrown: readonly Range[];

  /** `code`: the ranges of all SQL, in order. */
  constructor(code: readonly Range[], { certain, possible, variables, hidden, thrown }: FoundNames) {
    this.variables = variables;
    this.#code = code;
    this.#certain = certain;
    this.#possible = possible;
    this.#hidden = hidden;
    this.#thrown = thrown;
  }

  /** Returns the statements in a range at which the SQL always ends with an error. */
  thrownIn({ start, end }: Range): readonly Range[] {
    return this.#thrown.filter((each) => start <= each.start && each.start < end);
  }

  /** Returns the references in a range that its text does not show. */
  hiddenIn({ start, end }: Range): readonly Path[] {
    return this.#hidden.filter(({ at }) => start <= at && at < end);
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
