/** Where the code of a model stopped. The engine reports most errors without that. */
export interface ThrownAt {
  readonly fileName: string;
  /** The line in that file, from 1, where it is known. */
  readonly line?: number | undefined;
  /** The cube or view that the engine was reading; without it, the file itself was read or run. */
  readonly entity?: string | undefined;
}

/** Maps messages of errors to where they came from, during one compilation. */
const places = new Map<string, readonly ThrownAt[]>();
const MOST_MESSAGES = 1000;
const MOST_PLACES = 20;

/** Forgets the last compilation: another model may have errors of the same messages. */
export function forgetThrown(): void {
  places.clear();
}

/** Returns where errors came from, by their messages. */
export function thrownErrors(): ReadonlyMap<string, readonly ThrownAt[]> {
  return places;
}

/**
 * Notes where an error came from. Each step of a compilation runs all files again: only the first time, the line is asked for, and
 * what is noted stays.
 */
export function noteThrown(
  error: unknown,
  at: Omit<ThrownAt, 'line'>,
  line?: (message: string) => number | undefined,
): void {
  const message = messageOf(error);
  const known = places.get(message) ?? [];
  if (known.length >= MOST_PLACES || known.some(({ fileName }) => fileName === at.fileName)) return;
  if (places.size < MOST_MESSAGES || known.length > 0)
    places.set(message, [...known, { ...at, line: line?.(message) }]);
}

/** Returns the message under which the engine reports what was thrown, which can be anything. */
export function messageOf(error: unknown): string {
  // The engine fails where it reads the message, and reports that.
  if (error === undefined || error === null) return `Cannot read properties of ${error} (reading 'message')`;
  try {
    const { message, stack } = error as Partial<Record<'message' | 'stack', string>>;
    const text: unknown = message || stack || error;
    return String(text);
  } catch (inner) {
    return inner instanceof Error ? inner.message : 'The model threw an error that cannot be read.';
  }
}
