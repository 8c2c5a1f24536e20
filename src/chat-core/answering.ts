import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { type ChatThread, isRunning } from './thread.ts';

/** Changes of the threads of a window. */
interface ThreadChanges {
  readonly onDidChangeThread: Event<ChatThread>;
  readonly onDidRemove: Event<string>;
}

/** Follows which threads have an answer that can be stopped: one that runs and is not being stopped already. */
export class AnsweringThreads implements Disposable {
  readonly #keys = new Store<readonly string[]>([]);
  readonly #owned = new DisposableStore();

  constructor({ onDidChangeThread, onDidRemove }: ThreadChanges) {
    this.#owned.add(
      onDidChangeThread(({ key, turns }) => {
        const last = turns.at(-1);
        this.#set(key, last !== undefined && isRunning(last) && last.phase !== 'stopping');
      }),
    );
    this.#owned.add(onDidRemove((key) => this.#set(key, false)));
  }

  /** The keys of these threads, the one whose answer began last at the end. */
  get keys(): ReadonlyStore<readonly string[]> {
    return this.#keys;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#keys.dispose();
  }

  #set(key: string, canStop: boolean): void {
    if (canStop === this.#keys.value.includes(key)) return;
    this.#keys.update((keys) => (canStop ? [...keys, key] : keys.filter((other) => other !== key)));
  }
}
