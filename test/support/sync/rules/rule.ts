import type { SourceEdit } from '../../weakened-modules.ts';

/**
 * A rule of `docs/sync.md`: how a weakened engine breaks it, by a few changed words, and a story that ends well only if the
 * engine obeys the rule.
 */
export interface Rule {
  /** The anchor of the rule on the page. */
  readonly id: string;
  /** The behaviour of the weakened engine, as a sentence without its full stop. */
  readonly broken: string;
  readonly edits: readonly SourceEdit[];
  /** Returns what went wrong; `undefined` if the rule was obeyed. */
  readonly story: () => Verdict | Promise<Verdict>;
}

export type Verdict = string | undefined;

/** Returns a rule of one chapter of the page; each edit is of a file below `src/`. */
export function rule(
  id: string,
  broken: string,
  edits: readonly (readonly [file: string, from: string, to: string])[],
  story: Rule['story'],
): Rule {
  return { id, broken, edits: edits.map(([file, from, to]) => ({ file: `src/${file}`, from, to })), story };
}

/** Returns the verdict of a story that ends with one check. */
export function verdict(isKept: boolean, wrong: string): Verdict {
  return isKept ? undefined : wrong;
}
