/** Thrown (as an `AbortSignal`'s reason) when a user or a newer request ended the work: never shown as an error. */
export class CancelledError extends Error {
  override readonly name = 'AbortError';
  constructor(message = 'Cancelled') {
    super(message);
  }
}

/** Whether an error only says that the work was cancelled. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/** Timers know no longer time, ms: one that is asked for more fires at once. */
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

/** Lets the host do what waits: a message, a key. A timer would take a millisecond each time, so only browsers get one. */
export async function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as { readonly setImmediate?: (then: () => void) => void };
  return new Promise((resolve) => (setImmediate ?? setTimeout)(resolve));
}

/** The error that an aborted signal stands for. */
export function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new CancelledError();
}

/** Waits for `work`, but no longer than until the signal aborts; what comes after that is ignored. */
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

/** Turns whatever was thrown into an `Error`, keeping one that already is. */
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

/** Shares one running task: callers that come while it runs get the same promise. */
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

/** Runs `work` over `items` with at most `limit` under way; results keep the items' order; the first failure rejects. */
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
