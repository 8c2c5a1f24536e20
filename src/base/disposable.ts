/** Something that holds a resource until it is disposed. Shape-compatible with VS Code's own `Disposable`. */
export interface Disposable {
  dispose(): void;
}

/** Turns a function into a disposable that runs it at most once. */
export function toDisposable(release: () => void): Disposable {
  let done = false;
  return {
    dispose: () => {
      if (done) return;
      done = true;
      release();
    },
  };
}

/** Owns disposables and releases them together, last first. An item that is added after disposal is released at once. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  /** Releases one item early and forgets it. */
  delete(item: Disposable): void {
    if (this.#items.delete(item)) item.dispose();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const items = [...this.#items].reverse();
    this.#items.clear();
    const errors: unknown[] = [];
    for (const item of items) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Some resources could not be released.');
  }
}
