/**
 * Longest that a test waits for one thing, in milliseconds. Only a hang takes that long: on an idle machine a wait takes seconds,
 * and tests pass on one that is ten times slower and busy. No test has its own limit.
 */
export const longestWait = 600_000;

/** Longest that one test may take, in milliseconds: several waits, or some minutes of work on an idle machine. */
export const longestTest = 3_600_000;
