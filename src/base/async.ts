/** Thrown (as an `AbortSignal`'s reason) when the user or a newer request cancelled the work: never shown as an error. */
export class CancelledError extends Error {
  override readonly name = 'AbortError';
  constructor(message = 'Cancelled') {
    super(message);
  }
}

/** Whether an error only means that the work was cancelled. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/** The longest delay of a timer, ms: `setTimeout` fires at once when asked for more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits `ms` milliseconds; rejects at once with the signal's reason when aborted. */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
  let left = ms;
  for (; left > LONGEST_TIMER_MS; left -= LONGEST_TIMER_MS) await timer(LONGEST_TIMER_MS, signal);
  await timer(left, signal);
}

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortReason(signal));
      return;
    }
    const onAbort = (): void => {
      clearTimeout(started);
      reject(abortReason(signal));
    };
    const started = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Yields to pending events such as messages and key presses. Browsers have no `setImmediate` and get a timer, which costs 1 ms.
 */
export async function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as { readonly setImmediate?: (then: () => void) => void };
  return new Promise((resolve) => (setImmediate ?? setTimeout)(resolve));
}

/** Returns the error that an aborted signal carries as its reason, or a `CancelledError`. */
export function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new CancelledError();
}

/** Waits for `work` until the signal aborts; ignores the outcome after that. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined);
    return Promise.reject(abortReason(signal));
  }
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortReason(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Wraps a thrown value in an `Error`; returns errors unchanged. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(typeof thrown === 'string' ? thrown : JSON.stringify(thrown));
}

/** Runs tasks one after the other, in the order they were given; one failure does not stop the next. */
export class Sequencer {
  #tail: Promise<unknown> = Promise.resolve();

  queue<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#tail.then(task, task);
    this.#tail = run.catch(() => undefined);
    return run;
  }
}

/** Shares one running task: callers that arrive while it runs get the same promise. */
export class SingleFlight<T> {
  #running: Promise<T> | undefined;

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  run(task: () => Promise<T>): Promise<T> {
    this.#running ??= task().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }
}

/** Runs `work` on `items`, at most `limit` at a time. Results keep the order of the items; the first failure rejects. */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = Array.from({ length: items.length });
  let next = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    while (!failed && next < items.length) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
  return results;
}
