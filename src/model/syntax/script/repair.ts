import { balance, type Correction } from './balance.ts';
import { spend } from '#model/syntax/work.ts';

/** A text that became readable after something half typed was replaced. */
export interface Repaired<T> {
  readonly read: T;
  /** As long as the original, except for brackets added at its end. */
  readonly text: string;
  /** The correction that was needed, if known. */
  readonly correction: Correction | undefined;
}

/** The result of reading a text, or the offset at which it failed. */
type Attempt<T> = { readonly read: T } | { readonly at: number };

/** Maximum number of characters to read in search of a readable text; the user must not wait while typing. */
const MOST_READ = 400_000;
const MOST_ROUNDS = 6;
/** How many lines above the parser's error position to search for its cause. */
const LINES_ABOVE = 30;

/**
 * Makes a text readable with as little change as possible; `at`: where reading it failed. Returns undefined if nothing helped.
 */
export function repaired<T>(text: string, at: number, read: (text: string) => Attempt<T>): Repaired<T> | undefined {
  let left = Math.max(MOST_READ, text.length * 3);
  const limited = (candidate: string): Attempt<T> => {
    left -= candidate.length;
    return left < 0 ? { at: -1 } : read(candidate);
  };
  const plain = withoutHalves(text);
  const first: Attempt<T> = plain === text ? { at } : limited(plain);
  if ('read' in first) return { read: first.read, text: plain, correction: undefined };
  const balanced = balance(plain);
  const second = limited(balanced.text);
  const [correction] = balanced.corrections;
  if ('read' in second) return { read: second.read, text: balanced.text, correction };
  const found = inSteps(balanced.text, second.at, limited);
  if (found) return { ...found, correction };
  const other = inSteps(plain, first.at, limited);
  return other && { ...other, correction: undefined };
}

interface Step {
  readonly text: string;
  readonly at: number;
}

/** Blanks one line after another, each so that more of the text can be read. */
function inSteps<T>(
  text: string,
  at: number,
  read: (text: string) => Attempt<T>,
): Omit<Repaired<T>, 'correction'> | undefined {
  let now: Step = { text, at };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let next: Step | undefined;
    for (const candidate of withoutLines(now.text, now.at)) {
      const attempt = read(candidate);
      if ('read' in attempt) return { read: attempt.read, text: candidate };
      if (attempt.at > (next?.at ?? now.at)) next = { text: candidate, at: attempt.at };
    }
    if (!next) return undefined;
    now = next;
  }
  return undefined;
}

/** References without one of their names: `${`, `${}`, `${CUBE.`, `${CUBE?.}`, `${.id}` and `${.sql()}`. */
const HALF_REFERENCE = /\$\{(?:[\w.?]*\.)?\}|\$\{[\w.?]*(?=`)|\$\{\.[\w.]*(?:\(\))?\}/g;
/** A dot without a name behind it or before it: `[CUBE.]`, `[CUBE., id]`, `CUBE. : 1`, `CUBE?.;`, `[.id]`. */
const HALF_PATH = /(?<=[\w$])\??\.(?=\s*(?:[,\])}:;+*%=<>&|]|\?(?!\.)))|(?<=[[,:(]\s*)\.(?=[A-Za-z_$])/g;
/** Returns the text without what is half typed. */
function withoutHalves(text: string): string {
  return text.replaceAll(HALF_REFERENCE, blank).replaceAll(HALF_PATH, blank);
}

/** Yields the text with one line blanked: the one where it failed, or one above. */
function* withoutLines(text: string, at: number): Iterable<string> {
  let end = text.indexOf('\n', at);
  if (end === -1) end = text.length;
  for (let count = 0; count < LINES_ABOVE && end > 0; count++) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    spend(line.length);
    if (line.trim() !== '' && start > 0) yield text.slice(0, start) + blank(line) + text.slice(end);
    end = start - 1;
  }
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
