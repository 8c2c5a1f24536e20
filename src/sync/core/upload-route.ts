import { ADAPTIVE_MAX, ADAPTIVE_START } from './adaptive.ts';

/**
 * `transaction`: a request for each file, and nothing is visible before the last one. `batches`: conditional writes of many
 * files each, of which every one is visible at once.
 */
export type Transport = 'transaction' | 'batches';

/** Waiting this long for a push that is visible all at once is worth it; ms. */
export const PATIENCE_MS = 1500;
/** Beyond this many files a transaction costs the platform too much, however close it is. */
const FEW_FILES = 500;
/** The branch is read before the start and again before the finish. */
const FIXED_REQUESTS = 4;

/** How files travel where the round trip takes this many ms (undefined: not known). */
export function chooseTransport(files: number, roundTrip: number | undefined): Transport {
  if (files > FEW_FILES) return 'batches';
  return (roundTrip ?? 0) * transactionRounds(files) > PATIENCE_MS ? 'batches' : 'transaction';
}

/** Round trips of a transaction, with as many uploads under way as `runAdaptive` allows. */
export function transactionRounds(files: number): number {
  let rounds = FIXED_REQUESTS;
  let limit = ADAPTIVE_START;
  for (let left = files; left > 0; rounds++) {
    left -= limit;
    limit = Math.min(ADAPTIVE_MAX, limit * 2);
  }
  return rounds;
}
