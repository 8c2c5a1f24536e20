import { createHash, hash as hashOf } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import type { DiskCalls } from './disk-calls.ts';

const CHUNK = 1024 * 1024;
const buffer = Buffer.allocUnsafeSlow(CHUNK);
const ATTEMPTS = 3;
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

export interface StableRead {
  readonly hash: string;
  readonly stat: BigIntStats;
  readonly bytes: Buffer | undefined;
}

/**
 * Reads a regular file in one go and hashes the bytes; returns undefined when it kept changing during the read. Does
 * not follow links. Throws the system's error when the file cannot be opened.
 */
export function readStable(
  calls: DiskCalls,
  file: string,
  keep: boolean,
  before?: BigIntStats,
): StableRead | undefined {
  const descriptor = calls.openNow(file, constants.O_RDONLY | NO_FOLLOW);
  try {
    let known = before ?? calls.fstat(descriptor);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const read = readAll(calls, descriptor, keep, Number(known.size));
      const after = calls.fstat(descriptor);
      if (sameVersion(known, after) && BigInt(read.size) === after.size) {
        return { hash: read.hash, stat: after, bytes: read.bytes };
      }
      known = after;
    }
    return undefined;
  } finally {
    calls.closeNow(descriptor);
  }
}

/** A file with time stamps this much older than the read was not being written meanwhile: FAT counts in steps of two seconds. */
const QUIET_NS = 2_050_000_000n;

/**
 * Reads a small file with the fewest calls: one read and one check after it. Returns undefined when that does not prove
 * enough (a large or recently changed file): `readStable` then has to check before and after.
 */
export function readQuiet(calls: DiskCalls, file: string, startedNs: bigint): Omit<StableRead, 'bytes'> | undefined {
  const descriptor = calls.openNow(file, constants.O_RDONLY | NO_FOLLOW);
  try {
    const filled = calls.readNow(descriptor, buffer, 0, CHUNK, 0);
    if (filled === CHUNK) return undefined;
    const stat = calls.fstat(descriptor);
    const quiet = stat.mtimeNs + QUIET_NS < startedNs && stat.ctimeNs + QUIET_NS < startedNs;
    if (!quiet || stat.size !== BigInt(filled)) return undefined;
    return { hash: hashOf('sha1', buffer.subarray(0, filled)), stat };
  } finally {
    calls.closeNow(descriptor);
  }
}

/** Checks that the size, time stamps and inode of a file are unchanged. */
function sameVersion(a: BigIntStats, b: BigIntStats): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.ino === b.ino;
}

/** Reads at most one byte beyond the reported size, because a file that is still being written might never end. */
function readAll(
  calls: DiskCalls,
  descriptor: number,
  keep: boolean,
  size: number,
): { hash: string; size: number; bytes: Buffer | undefined } {
  if (size < CHUNK) {
    let filled = 0;
    while (filled <= size) {
      const count = calls.readNow(descriptor, buffer, filled, size + 1 - filled, filled);
      filled += count;
      // All reported bytes were read. Another read would only return “end”, and the size is checked afterwards.
      if (count === 0 || filled === size) break;
    }
    const content = buffer.subarray(0, filled);
    return { hash: hashOf('sha1', content), size: filled, bytes: keep ? Buffer.from(content) : undefined };
  }
  const digest = createHash('sha1');
  const chunks: Buffer[] = [];
  let at = 0;
  while (at <= size) {
    const count = calls.readNow(descriptor, buffer, 0, CHUNK, at);
    if (count === 0) break;
    const chunk = buffer.subarray(0, count);
    digest.update(chunk);
    if (keep) chunks.push(Buffer.from(chunk));
    at += count;
  }
  return { hash: digest.digest('hex'), size: at, bytes: keep ? Buffer.concat(chunks) : undefined };
}
