import { isTransient } from './adaptive.ts';
import { asError, Sequencer } from '#base/async.ts';
import { delayBeforeRetry } from './retry-delay.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { SyncPorts } from '#sync/core/ports.ts';

export interface WantedVersion {
  readonly path: string;
  readonly hash: Hash;
}

/**
 * A version on the platform, proven by its hash, or why it could not be read. `notText`: its bytes did not survive
 * being sent as text. `different`: other bytes arrived than the platform lists. `missing`: nothing arrived.
 */
export type ReadVersion =
  | (WantedVersion & { readonly kind: 'read'; readonly bytes: Uint8Array })
  | (WantedVersion & { readonly kind: 'notText' | 'different' | 'missing' });

/** The ports that reading needs; hashing may be asynchronous. */
export interface ReadPorts extends Pick<SyncPorts, 'clock'> {
  readonly remote: Pick<SyncPorts['remote'], 'read'>;
  readonly blobs: Pick<SyncPorts['blobs'], 'get' | 'put'>;
  readonly hasher: { hash(bytes: Uint8Array): Hash | Promise<Hash> };
}

/** The number of attempts without any progress in between. */
const ATTEMPTS = 3;

/**
 * Reads versions of a branch. The platform only sends whole branches, so one read serves all callers that wait,
 * continues where a broken connection left off, and stores what it reads.
 */
export class RemoteReads {
  readonly #turn = new Sequencer();
  readonly #failed = new Set<Hash>();

  /** Whether a version was requested in this session and did not arrive as listed. */
  hasFailed(hash: Hash): boolean {
    return this.#failed.has(hash);
  }

  /**
   * Yields the wanted versions in any order: stored ones first, then the platform's as they arrive, with one in memory
   * at a time. Throws `PlatformError` when the platform cannot be read to the end.
   */
  async *versions(
    ports: ReadPorts,
    wanted: readonly WantedVersion[],
    signal?: AbortSignal,
  ): AsyncGenerator<ReadVersion, void> {
    const release = await this.#takeTurn();
    try {
      const missing = new Map<string, Hash>();
      for (const { path, hash } of wanted) {
        const bytes = await ports.blobs.get(hash);
        if (bytes) yield { kind: 'read', path, hash, bytes };
        else missing.set(path, hash);
      }
      yield* this.#fromPlatform(ports, missing, signal);
      for (const [path, hash] of missing) {
        this.#failed.add(hash);
        yield { kind: 'missing', path, hash };
      }
    } finally {
      release();
    }
  }

  /** Reads the branch until it has nothing more of what is missing; after a broken connection, continues with the rest. */
  async *#fromPlatform(
    ports: ReadPorts,
    missing: Map<string, Hash>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ReadVersion, void> {
    for (let attempt = 1; missing.size > 0; attempt++) {
      const before = missing.size;
      try {
        for await (const { path, bytes } of ports.remote.read(new Set(missing.keys()), signal)) {
          const hash = missing.get(path);
          if (hash === undefined) continue;
          missing.delete(path);
          yield await this.#verified(ports, { path, hash }, bytes);
        }
        return;
      } catch (thrown) {
        const error = asError(thrown);
        if (missing.size < before) attempt = 1;
        if (!isTransient(error) || attempt >= ATTEMPTS || signal?.aborted === true) throw error;
        await ports.clock.sleep(delayBeforeRetry(attempt, error), signal);
      }
    }
  }

  async #verified(
    { blobs, hasher }: ReadPorts,
    wanted: WantedVersion,
    bytes: Uint8Array | undefined,
  ): Promise<ReadVersion> {
    if (bytes && (await hasher.hash(bytes)) === wanted.hash) {
      this.#failed.delete(wanted.hash);
      await blobs.put(wanted.hash, bytes);
      return { kind: 'read', ...wanted, bytes };
    }
    this.#failed.add(wanted.hash);
    return { kind: !bytes || holdsReplacement(bytes) ? 'notText' : 'different', ...wanted };
  }

  /** Waits for the running read, whose stored versions need not be read again. Resolves to the function that ends this turn. */
  async #takeTurn(): Promise<() => void> {
    const { promise: ended, resolve: release } = Promise.withResolvers<void>();
    await new Promise<void>((start) => {
      this.#turn
        .queue(() => {
          start();
          return ended;
        })
        .catch(() => undefined);
    });
    return release;
  }
}

/** Checks whether the bytes contain U+FFFD, which replaces what is not text. */
function holdsReplacement(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) return true;
  }
  return false;
}
