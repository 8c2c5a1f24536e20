import { hash as hashOf } from 'node:crypto';

/** A version is a small number; its bytes and hash follow from it. 0 is the empty file that a crash leaves. */
export type Version = number;

export const TORN: Version = 0;

export const bytesOf = (version: Version): Uint8Array =>
  version === TORN ? new Uint8Array(0) : new Uint8Array([version >> 8, version & 255]);

export const versionOfBytes = (bytes: Uint8Array): Version => ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);

const hashes = new Map<Version, string>();
const versions = new Map<string, Version>();

/** Hashes as the platform does, so that the real disk layer gets the same hash. */
export function hashOfVersion(version: Version): string {
  const known = hashes.get(version);
  if (known !== undefined) return known;
  const hash = hashOf('sha1', bytesOf(version));
  hashes.set(version, hash);
  versions.set(hash, version);
  return hash;
}

// Never created by anyone: a crash leaves it.
hashOfVersion(TORN);

export const versionOfHash = (hash: string): Version => versions.get(hash) ?? -2;

export const sizeOfVersion = (version: Version): number => (version === TORN ? 0 : 2);
