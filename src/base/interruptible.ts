import { abortReason } from './async.ts';

/** The items of a source until the signal ends them, also when the source does not listen to it; throws its reason then. */
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
    // Not awaited: a source that hangs would hold its reader too.
    iterator.return?.().catch(() => undefined);
  }
}
