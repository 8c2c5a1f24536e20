let left = Infinity;

/** Reading a text costs more than texts of its length do. It passes through every reader and ends at the file. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/**
 * Counts characters that are read again, for example behind each bracket that may begin something. Code that searches a text
 * from many positions counts what it reads, so that reading a file is linear whatever the file holds.
 */
export function spend(characters: number): void {
  left -= characters;
  if (left < 0) throw new TooMuchWork('This text takes too long to parse.');
}

/** Runs something that may read this many characters; `spend` throws beyond. */
export function withinWork<T>(characters: number, run: () => T): T {
  const outer = left;
  left = characters;
  try {
    return run();
  } finally {
    left = outer;
  }
}
