import type { Client } from '#api/client/client.ts';
import { fileContents } from '#api/streams/file-contents.ts';
import { systemClock } from '#base/clock.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { type ReadPorts, RemoteReads, type ReadVersion, type WantedVersion } from '#sync/core/remote/remote-reads.ts';
import { branchKey } from './build-watch.ts';
import { sha1 } from './sha1.ts';

/** The size of the cache of file versions, in bytes. */
const KEPT_BYTES = 32 * 1024 * 1024;

/**
 * The contents of branches' files, by hash. The platform only sends whole branches, so each is read as a stream up to the last
 * wanted file. A broken connection continues with the rest, and a version that was read once is not read again for another
 * branch.
 */
export class BranchContents {
  readonly #client: (target: BranchTarget) => Client;
  readonly #reads = new Map<string, RemoteReads>();
  /** Least recently used versions come first. */
  readonly #kept = new Map<string, Uint8Array>();
  #size = 0;

  constructor(client: (target: BranchTarget) => Client) {
    this.#client = client;
  }

  /** Reads the wanted versions as they arrive: each verified by its hash, or the reason why it could not be read. */
  read(target: BranchTarget, wanted: readonly WantedVersion[]): AsyncIterable<ReadVersion> {
    const { deploymentId, branchName } = target;
    const client = this.#client(target);
    const ports: ReadPorts = {
      clock: systemClock,
      hasher: { hash: sha1 },
      remote: { read: (paths, signal) => fileContents(client, { deploymentId, branchName }, paths, signal) },
      blobs: {
        get: (hash) => Promise.resolve(this.#take(hash)),
        put: (hash, bytes) => Promise.resolve(this.keep(hash, bytes)),
      },
    };
    return this.#readsOf(target).versions(ports, wanted);
  }

  #readsOf(target: BranchTarget): RemoteReads {
    const key = branchKey(target);
    const reads = this.#reads.get(key) ?? new RemoteReads();
    this.#reads.set(key, reads);
    return reads;
  }

  #take(hash: string): Uint8Array | undefined {
    const bytes = this.#kept.get(hash);
    if (bytes) {
      this.#kept.delete(hash);
      this.#kept.set(hash, bytes);
    }
    return bytes;
  }

  /** Caches a version that is known from elsewhere. */
  keep(hash: string, bytes: Uint8Array): void {
    if (this.#kept.has(hash) || bytes.length > KEPT_BYTES) return;
    this.#kept.set(hash, bytes);
    this.#size += bytes.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#size <= KEPT_BYTES) return;
      this.#kept.delete(oldest);
      this.#size -= length;
    }
  }
}
