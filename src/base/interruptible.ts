import { abortReason } from './async.ts';

/** Yields the items of a source until the signal aborts, even if the source ignores the signal; then throws its reason. */
export async function* interruptible<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(abortReason(signal));
  aborted.promise.catch(() => undefined);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a source that hangs would block its reader as well.
    iterator.return?.().catch(() => undefined);
  }
}
