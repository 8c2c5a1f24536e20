import type { SourceEdit } from '../../weakened-modules.ts';

/**
 * A rule of `docs/sync.md`: how the engine breaks it when a few of its words are changed, and a story that ends well only
 * where the engine keeps it.
 */
export interface Rule {
  /** The anchor of the rule on the page. */
  readonly id: string;
  /** What the weakened engine does instead, as a sentence without its full stop. */
  readonly broken: string;
  readonly edits: readonly SourceEdit[];
  /** Answers what went wrong; undefined: the rule was kept. */
  readonly story: () => Verdict | Promise<Verdict>;
}

export type Verdict = string | undefined;

/** The rules of one part of the page, where each edit is of a file below `src/`. */
export function rule(
  id: string,
  broken: string,
  edits: readonly (readonly [file: string, from: string, to: string])[],
  story: Rule['story'],
): Rule {
  return { id, broken, edits: edits.map(([file, from, to]) => ({ file: `src/${file}`, from, to })), story };
}

/** The verdict of a story that ends with one question. */
export function verdict(isKept: boolean, wrong: string): Verdict {
  return isKept ? undefined : wrong;
}
