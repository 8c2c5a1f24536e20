import type { SyncContext } from '#sync/core/context.ts';
import type { Hash } from '#sync/core/hash.ts';
import { keepForGood } from './keep-for-good.ts';
import type { LocalListing, RemoteListing } from '#sync/core/ports.ts';
import type { Agreement } from './sync-record.ts';

/** The time within which a request whose reply was lost may still be carried out, in ms. */
const LATE_MS = 10 * 60 * 1000;

/**
 * Finds the outcome of unconfirmed attempts. A side that has exactly the attempted version got it from this engine, so
 * that version counts as agreed. Otherwise a change that the user makes after a lost reply would conflict with the
 * user's own earlier version, and a file that was deleted and restored would seem to have been deleted by someone else.
 */
export async function confirmAttempts(
  { ports, state }: SyncContext,
  local: LocalListing,
  remote: RemoteListing,
): Promise<void> {
  const now = ports.clock.now();
  const agreements: Agreement[] = [];
  const arrived: string[] = [];
  for (const [path, attempts] of state.attempts) {
    const sides = { here: presentHere(path, local, state.root), there: presentThere(path, remote) };
    const done = attempts.findLast(({ side, hash }) => sides[side] && sides[side].hash === hash);
    if (done && done.hash !== state.entries.get(path)?.hash) {
      agreements.push({ path, hash: done.hash, size: done.size });
      if (done.side === 'here') arrived.push(path);
      continue;
    }
    const agreed = state.entries.get(path)?.hash;
    const open = attempts.filter(({ side, time }) => {
      const present = sides[side];
      if (!present) return true;
      return side === 'there' && (present.hash !== agreed || Math.abs(now - time) < LATE_MS);
    });
    if (open.length < attempts.length) state.keepAttempts(path, open);
  }
  const unkept = await keepForGood(ports.files, arrived);
  await state.commit(agreements.filter(({ path }) => !unkept.has(path)));
}

/** The state of a path on one side; without a hash, there is no file. */
interface Present {
  readonly hash: Hash | undefined;
}

/** Returns the state of a path on this disk, or `undefined` where it cannot be known. */
function presentHere(path: string, local: LocalListing, known: string | undefined): Present | undefined {
  const { files, frozen, complete, root } = local;
  // A missing or different folder shows nothing about what happened in the linked one.
  if (root === undefined || (known !== undefined && root !== known)) return undefined;
  const hash = files.get(path)?.hash;
  return hash === undefined && (!complete || frozen.size > 0) ? undefined : { hash };
}

/** Returns the state of a path on the platform, or `undefined` where it cannot be known. */
function presentThere(path: string, remote: RemoteListing): Present | undefined {
  const { files, frozen, others, complete } = remote;
  const hash = files.get(path)?.hash;
  return hash === undefined && (!complete || frozen.has(path) || others.has(path)) ? undefined : { hash };
}
