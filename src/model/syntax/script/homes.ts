import type { Range } from './value.ts';

/** The code of another file, and where in the script it is first used. */
export interface HomeOfCode extends Range {
  readonly home: Range;
}

/** Notes where a script uses the values of files that it imports, whose code lies behind the script's own. */
export class Homes {
  readonly #end: number;
  readonly #found = new Map<number, HomeOfCode>();
  #current: Range | undefined;

  /** `end`: the length of the script itself. */
  constructor(end: number) {
    this.#end = end;
  }

  /** The code of the script that is running, also while it calls a function of another file. */
  get current(): Range | undefined {
    return this.#current;
  }

  /** All that was noted so far. */
  get found(): readonly HomeOfCode[] {
    return [...this.#found.values()];
  }

  /** Notes that code begins to run; returns what ran before, which is given to `leave` when it ends. */
  enter(node: Range): Range | undefined {
    const before = this.#current;
    if (node.start < this.#end) this.#current = node;
    return before;
  }

  leave(before: Range | undefined): void {
    this.#current = before;
  }

  /** Notes that code of the script, or code that it runs, yields a value; `value`: the code that the value comes from. */
  note({ start, end }: Range): void {
    const home = this.#current;
    if (start >= this.#end && home && !this.#found.has(start)) this.#found.set(start, { start, end, home });
  }
}

/** Returns where a script uses code of another file. */
export function homeOf(offset: number, homes: readonly HomeOfCode[]): Range | undefined {
  const around = homes.filter(({ start, end }) => start <= offset && offset <= end);
  around.sort((one, other) => one.end - one.start - (other.end - other.start));
  return around[0]?.home;
}
