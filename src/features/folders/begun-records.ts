import { Sequencer } from '#base/async.ts';
import { isEqual } from '#base/equal.ts';
import { accountOf } from '#shell/account-of.ts';
import type { ListedState } from '#shell/erased-texts.ts';
import type { BranchTarget, FolderTarget } from '#shell/targets.ts';
import type { WriterLock } from '#sync/core/ports.ts';
import { attemptKey, lentPrefix, mergeKey } from './begun-keys.ts';

/** Where the begun work of a folder is recorded. */
export interface BegunStore {
  load(): Promise<Begun>;
  save(begun: Begun): Promise<void>;
}

type Begun = Readonly<Record<string, unknown>>;

/** The states that begun work is in. What is set here is not recorded again. */
export interface BegunStates {
  readonly user: ListedState;
  readonly window: ListedState;
}

/**
 * The begun work of a linked folder, recorded beside its records of sync. The window that writes the folder records its changes and
 * takes up what the record has (docs/sync.md#begun-work).
 */
export class BegunRecords {
  readonly #store: BegunStore;
  readonly #states: BegunStates;
  readonly #target: BranchTarget & FolderTarget;
  readonly #work = new Sequencer();
  #isWriter = false;

  /** `target`: the folder, and the branch that it is in sync with. */
  constructor(store: BegunStore, states: BegunStates, target: BranchTarget & FolderTarget) {
    this.#store = store;
    this.#states = states;
    this.#target = target;
  }

  /** Records a change of begun work, if this window writes the folder that it is about. */
  readonly record = (key: string, value: unknown): Promise<void> =>
    this.#work.queue(async () => {
      if (!this.#isWriter || !this.#isOwn(key)) return;
      const { [key]: _before, ...others } = await this.#store.load();
      await this.#store.save(value === undefined ? others : { ...others, [key]: value });
    });

  /** Call it when this window gets the folder's lock, before anything is compared: an unfinished file is not a version of the user. */
  takeUp(): Promise<void> {
    return this.#work.queue(async () => {
      const recorded = await this.#store.load();
      const begun = Object.fromEntries(
        Object.entries(recorded).filter(([key]) => this.#isOwn(key) && !this.#isLeft(key)),
      );
      if (!isEqual(begun, recorded)) await this.#store.save(begun);
      await this.#forgetEnded(begun);
      for (const [key, value] of Object.entries(begun)) await this.#adopt(key, value);
      this.#isWriter = true;
    });
  }

  /** Takes up recorded work that the state lacks or has as it was before another window continued it. */
  async #adopt(key: string, value: unknown): Promise<void> {
    const isLent = key.startsWith(lentPrefix(this.#target));
    // All windows share the user's state, so what that has is never older than the record.
    const state = isLent ? this.#states.user : this.#states.window;
    const known = state.get(key);
    if (known === undefined || (!isLent && !isEqual(known, value))) await state.set(key, value);
  }

  /** Forgets the merges that another window has ended since this one recorded them. */
  async #forgetEnded(begun: Begun): Promise<void> {
    const { window } = this.#states;
    for (const key of window.keys().filter((each) => each.startsWith(this.#merges))) {
      if (!(key in begun) && accountOf(window.get(key)) === this.#target.accountId) await window.set(key, undefined);
    }
  }

  #isOwn(key: string): boolean {
    return [this.#merges, this.#attempts, lentPrefix(this.#target)].some((prefix) => key.startsWith(prefix));
  }

  /** Whether it is the stopped step of another branch: that ends when the folder leaves its branch. */
  #isLeft(key: string): boolean {
    return key.startsWith(this.#attempts) && key !== attemptKey(this.#target);
  }

  get #merges(): string {
    return mergeKey({ ...this.#target, path: '' });
  }

  get #attempts(): string {
    return attemptKey({ ...this.#target, branchName: '' });
  }
}

/** Returns a lock with which a window also takes up the begun work of the folder. */
export function takingUp(lock: WriterLock, records: Pick<BegunRecords, 'takeUp'>): WriterLock {
  return {
    isHeld: async () => lock.isHeld(),
    release: async () => lock.release(),
    acquire: async () => {
      if (!(await lock.acquire())) return false;
      try {
        await records.takeUp();
        return true;
      } catch (error) {
        // The next attempt, by this window or another, must find the lock free.
        await lock.release();
        throw error;
      }
    },
  };
}
