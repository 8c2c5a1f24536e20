import { isPlatformError, type PlatformError, type PlatformErrorKind } from '#api/errors.ts';
import { Sequencer } from '#base/async.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { OutboxStore, StoredSave } from '#sync/core/ports.ts';

/** Why a saved file is not on the platform yet. */
export type WaitKind =
  /** It is about to be uploaded. */
  | 'queued'
  /** An earlier window was closed before the upload. */
  | 'leftOver'
  | 'offline'
  /** The platform responds, but does not work now or asks for a pause. */
  | 'unavailable'
  | 'signedOut'
  /** A guard blocks the whole run until the user has reviewed it. */
  | 'guard'
  /** The platform refused it: retrying is the user's decision. */
  | 'refused'
  /** Something on this machine failed. */
  | 'failed';

export interface WaitReason {
  readonly kind: WaitKind;
  /** The reason, to follow “waiting: ”; empty for `queued`. */
  readonly message: string;
}

/** A saved file that the platform does not have yet. */
export interface WaitingSave {
  readonly path: string;
  readonly reason: WaitReason;
}

interface Item extends WaitingSave {
  /** Increases with every save, so that a newer save is not mistaken for the one that was just handled. */
  readonly turn: number;
  /** The saved version; `null`: the path was gone. Undefined until it was read. */
  readonly hash: Hash | null | undefined;
}

const queued: WaitReason = { kind: 'queued', message: '' };

/**
 * The saves that wait for their upload: stored on disk when they are made and removed when the platform has them, or
 * when they turn out not to be uploaded automatically. They are observations, not requests: what to upload is decided
 * again each time.
 */
export class Outbox {
  readonly #items = new Map<string, Item>();
  readonly #onChange: (items: readonly WaitingSave[]) => void;
  readonly #writing = new Sequencer();
  #store: { readonly store: OutboxStore; readonly hashOf: HashOf } | undefined;
  #turn = 0;
  #isWritten = true;

  constructor(onChange: (items: readonly WaitingSave[]) => void) {
    this.#onChange = onChange;
  }

  get items(): readonly WaitingSave[] {
    return [...this.#items.values()];
  }

  /** The turn of the most recent save: later saves have a higher one. */
  get turn(): number {
    return this.#turn;
  }

  add(paths: Iterable<string>): void {
    for (const path of paths) {
      const reason = this.#items.get(path)?.reason ?? queued;
      this.#items.set(path, {
        path,
        reason: reason.kind === 'refused' ? queued : reason,
        turn: ++this.#turn,
        hash: undefined,
      });
    }
    this.#changed();
  }

  /** Removes these saves, unless they were made again since `turn`. */
  release(paths: Iterable<string>, turn: number): void {
    for (const path of paths) if ((this.#items.get(path)?.turn ?? Infinity) <= turn) this.#items.delete(path);
    this.#changed();
  }

  /** Records why these saves could not be uploaded. */
  hold(paths: Iterable<string>, reason: WaitReason): void {
    for (const path of paths) {
      const item = this.#items.get(path);
      if (item) this.#items.set(path, { ...item, reason });
    }
    this.#changed();
  }

  /** Of the saves that are not newer than `turn`, keeps only those that `isWanted` accepts. */
  keepOnly(isWanted: (path: string) => boolean, turn: number): void {
    this.release(
      [...this.#items.keys()].filter((path) => !isWanted(path)),
      turn,
    );
  }

  /** Returns the paths that wait for one of these reasons. */
  waitingFor(kinds: readonly WaitKind[]): readonly string[] {
    return this.items.filter(({ reason }) => kinds.includes(reason.kind)).map(({ path }) => path);
  }

  /**
   * Takes over the saves that an earlier window left behind, where the file is still what was saved then, and stores
   * all changes from now on. Resolves to the paths that were taken over.
   */
  attach(store: OutboxStore, hashOf: HashOf): Promise<readonly string[]> {
    // Queued with the writes: the stored saves must be read before they are replaced.
    return this.#writing.queue(async () => {
      if (this.#store) return [];
      const taken: string[] = [];
      for (const { path, hash, reason } of await store.load()) {
        if (this.#items.has(path) || (await hashOf(path)) !== hash) continue;
        this.#items.set(path, { path, hash, turn: ++this.#turn, reason: { kind: 'leftOver', message: reason } });
        taken.push(path);
      }
      this.#store = { store, hashOf };
      this.#changed();
      return taken;
    });
  }

  /** Resolves when everything is stored. Rejects with the disk's error. */
  write(): Promise<void> {
    return this.#writing.queue(async () => {
      if (this.#isWritten || !this.#store) return;
      const { store, hashOf } = this.#store;
      this.#isWritten = true;
      try {
        for (const [path, item] of this.#items) {
          if (item.hash !== undefined) continue;
          const hash = await hashOf(path);
          if (this.#items.get(path) === item) this.#items.set(path, { ...item, hash });
        }
        await store.save([...this.#items.values()].map(storedSave));
      } catch (error) {
        this.#isWritten = false;
        throw error;
      }
    });
  }

  #changed(): void {
    this.#isWritten = false;
    this.#onChange(this.items);
  }
}

/** Resolves to the current hash of a path on this disk; `null`: there is nothing, or nothing readable. */
type HashOf = (path: string) => Promise<Hash | null>;

function storedSave({ path, hash = null, reason }: Item): StoredSave {
  return { path, hash, reason: reason.message };
}

/** Returns the reason why a save was not uploaded, derived from the error. */
export function waitReasonOf(error: Error): WaitReason {
  if (!isPlatformError(error)) return { kind: 'failed', message: error.message };
  return { kind: kinds[error.kind], message: phraseOf(error) };
}

/** Returns the phrase that follows “1 file waiting: ”; well-known problems do not need the full message. */
function phraseOf({ kind, status, retryAfter, message }: PlatformError): string {
  switch (kind) {
    case 'server':
      return status === undefined ? 'the platform reports an error' : `the platform answers ${status}`;
    case 'rateLimit':
      return `the platform asks for a pause${retryAfter === undefined ? '' : ` of ${retryAfter} s`}`;
    case 'network':
      return 'the platform cannot be reached';
    case 'timeout':
      return 'the platform does not answer in time';
    case 'auth':
      return 'the platform does not accept the key';
    default:
      return message;
  }
}

const kinds: Readonly<Record<PlatformErrorKind, WaitKind>> = {
  network: 'offline',
  timeout: 'offline',
  server: 'unavailable',
  rateLimit: 'unavailable',
  invalidResponse: 'unavailable',
  auth: 'signedOut',
  forbidden: 'refused',
  notFound: 'refused',
  conflict: 'refused',
  invalidRequest: 'refused',
  insecure: 'refused',
  unsupported: 'refused',
  cancelled: 'queued',
};

/** Reasons that may pass: the save is retried after a pause. */
export const passing: readonly WaitKind[] = ['leftOver', 'offline', 'unavailable', 'signedOut', 'failed'];
