let left = Infinity;

/** Thrown when reading a text costs more than its length justifies. It passes through every reader up to the file. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/**
 * Counts characters that are read again, for example after each bracket that may begin something. Code that searches a text from
 * many positions counts what it reads, so that reading a file is linear whatever it contains.
 */
export function spend(characters: number): void {
  left -= characters;
  if (left < 0) throw new TooMuchWork('This text takes too long to parse.');
}

/** Runs a function that may read this many characters; beyond that, `spend` throws. */
export function withinWork<T>(characters: number, run: () => T): T {
  const outer = left;
  left = characters;
  try {
    return run();
  } finally {
    left = outer;
  }
}
