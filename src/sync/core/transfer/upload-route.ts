import { ADAPTIVE_MAX, ADAPTIVE_START } from '#sync/core/remote/adaptive.ts';

/**
 * `transaction`: one request per file, and nothing is visible before the last one. `batches`: conditional writes of
 * many files each, every one of which is visible at once.
 */
export type Transport = 'transaction' | 'batches';

/** The longest acceptable duration of a push that becomes visible all at once, in ms. */
export const MAX_ROUNDS_MS = 1500;
/** Beyond this number of files, a transaction is too expensive for the platform, however fast the connection is. */
const FEW_FILES = 500;
/** The start and the finish, and reading the branch before each of them. */
const FIXED_REQUESTS = 4;

/** Chooses how files are uploaded, given the round-trip time in ms (undefined: not known). */
export function chooseTransport(files: number, roundTrip: number | undefined): Transport {
  if (files > FEW_FILES) return 'batches';
  return (roundTrip ?? 0) * transactionRounds(files) > MAX_ROUNDS_MS ? 'batches' : 'transaction';
}

/** Returns the number of round trips of a transaction, with as many concurrent uploads as `runAdaptive` allows. */
export function transactionRounds(files: number): number {
  let rounds = FIXED_REQUESTS;
  let limit = ADAPTIVE_START;
  for (let left = files; left > 0; rounds++) {
    left -= limit;
    limit = Math.min(ADAPTIVE_MAX, limit * 2);
  }
  return rounds;
}
