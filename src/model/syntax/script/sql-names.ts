import { firstFrom } from '#base/first-from.ts';
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
    this.#hidden = hidden.toSorted((a, b) => a.at - b.at);
    this.#thrown = thrown;
  }

  /** Returns the statements in a range at which the SQL always ends with an error. */
  thrownIn({ start, end }: Range): readonly Range[] {
    return this.#thrown.filter((each) => start <= each.start && each.start < end);
  }

  /** Returns the references in a range that its text does not show. */
  hiddenIn({ start, end }: Range): readonly Path[] {
    const from = (offset: number): number =>
      firstFrom(this.#hidden.length, (at) => this.#hidden[at]?.at ?? Infinity, offset);
    return this.#hidden.slice(from(start), from(end));
  }

  /** Returns what is at an offset; undefined outside of SQL. */
  at(offset: number): SqlName | undefined {
    if (this.#certain.has(offset)) return 'certain';
    if (this.#possible.has(offset)) return 'possible';
    return this.#isCode(offset) ? 'none' : undefined;
  }

  #isCode(offset: number): boolean {
    const at = firstFrom(this.#code.length, (each) => this.#code[each]?.end ?? Infinity, offset + 1);
    return (this.#code[at]?.start ?? Infinity) <= offset;
  }
}
