import { isPlatformError, type PlatformError, type PlatformErrorKind } from '#api/errors.ts';
import { Sequencer } from '#base/async.ts';
import type { Hash } from './hash.ts';
import type { OutboxStore, StoredSave } from './ports.ts';

/** Why a saved file is not on the platform yet. */
export type WaitKind =
  /** Its turn comes in a moment. */
  | 'queued'
  /** An earlier window was closed before it went. */
  | 'leftOver'
  | 'offline'
  /** The platform answers, but does not work now or asks for a pause. */
  | 'unavailable'
  | 'signedOut'
  /** A guard holds the whole run until the user has reviewed it. */
  | 'guard'
  /** The platform refused it: another attempt is the user's decision. */
  | 'refused'
  /** Something on this machine failed. */
  | 'failed';

export interface WaitReason {
  readonly kind: WaitKind;
  /** Says why, after “waiting: ”; empty for `queued`. */
  readonly message: string;
}

/** A saved file that the platform does not have yet. */
export interface WaitingSave {
  readonly path: string;
  readonly reason: WaitReason;
}

interface Item extends WaitingSave {
  /** Increases with every save, so that a newer save is not taken for the one that was just handled. */
  readonly turn: number;
  /** What was saved; `null`: the path was gone. Undefined until it was read. */
  readonly hash: Hash | null | undefined;
}

const queued: WaitReason = { kind: 'queued', message: '' };

/**
 * The saves that are on their way: noted on disk when they are made and forgotten when the platform has them, or when they
 * turn out to be nothing that is sent automatically. It holds observations, not requests: what is sent is decided again each
 * time.
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

  /** Marks the present: later saves are newer than it. */
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

  /** These saves do not wait any more, unless they were made again since `turn`. */
  release(paths: Iterable<string>, turn: number): void {
    for (const path of paths) if ((this.#items.get(path)?.turn ?? Infinity) <= turn) this.#items.delete(path);
    this.#changed();
  }

  /** These saves did not go, for this reason. */
  hold(paths: Iterable<string>, reason: WaitReason): void {
    for (const path of paths) {
      const item = this.#items.get(path);
      if (item) this.#items.set(path, { ...item, reason });
    }
    this.#changed();
  }

  /** Keeps only what `isWanted` of the saves that are not newer than `turn`. */
  keepOnly(isWanted: (path: string) => boolean, turn: number): void {
    this.release(
      [...this.#items.keys()].filter((path) => !isWanted(path)),
      turn,
    );
  }

  /** Paths that wait for one of these reasons. */
  waitingFor(kinds: readonly WaitKind[]): readonly string[] {
    return this.items.filter(({ reason }) => kinds.includes(reason.kind)).map(({ path }) => path);
  }

  /**
   * Takes up what an earlier window left, where the file is still what was saved then, and writes down everything from now
   * on. Answers the paths that were taken up.
   */
  attach(store: OutboxStore, hashOf: HashOf): Promise<readonly string[]> {
    // In turn with writing: what is there must be read before it is replaced.
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

  /** Resolves when everything is written down. Rejects with the disk's error. */
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

/** What a path is on this disk now; `null`: nothing, or nothing that can be read. */
type HashOf = (path: string) => Promise<Hash | null>;

function storedSave({ path, hash = null, reason }: Item): StoredSave {
  return { path, hash, reason: reason.message };
}

/** What kept a save from the platform, read off the error. */
export function waitReasonOf(error: Error): WaitReason {
  if (!isPlatformError(error)) return { kind: 'failed', message: error.message };
  return { kind: kinds[error.kind], message: phraseOf(error) };
}

/** What goes after “1 file waiting: ”; troubles that everybody knows need no sentence. */
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

/** Reasons that may pass: another attempt is made after a pause. */
export const passing: readonly WaitKind[] = ['leftOver', 'offline', 'unavailable', 'signedOut', 'failed'];
