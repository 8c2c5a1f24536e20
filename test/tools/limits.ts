/**
 * Longest that a test waits for one thing, in milliseconds. Only what hangs takes that much: on an idle machine a
 * wait takes seconds, and tests pass on one that is ten times slower and busy. No test has a limit of its own.
 */
export const longestWait = 600_000;

/** Longest that one test may take, in milliseconds: several waits, or some minutes of work on an idle machine. */
export const longestTest = 3_600_000;
