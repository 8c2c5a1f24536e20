import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The hashes from which the engine makes names, in plain JavaScript. */
const HASHES = { md5, sha1, sha256 };

export function createHash(name: keyof typeof HASHES): Hash {
  return new Hash(HASHES[name].create());
}

interface HashState {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

class Hash {
  readonly #state: HashState;

  constructor(state: HashState) {
    this.#state = state;
  }

  update(data: string | Uint8Array): this {
    this.#state.update(typeof data === 'string' ? utf8ToBytes(data) : data);
    return this;
  }

  digest(encoding?: string): string | Uint8Array {
    const bytes = this.#state.digest();
    return encoding === 'hex' ? bytesToHex(bytes) : bytes;
  }
}

/** Names of compilations need not be secret, and the realm has no source of secure random numbers. */
export function randomFillSync<T extends Uint8Array>(bytes: T): T {
  for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(Math.random() * 256);
  return bytes;
}

export const randomBytes = (length: number): Uint8Array => randomFillSync(new Uint8Array(length));

export default { createHash, randomFillSync, randomBytes };
