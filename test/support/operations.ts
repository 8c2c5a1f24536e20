import { Operations } from '#shell/operations.ts';

/** Returns operations that run at once, without progress and without a way to cancel them. */
export function runDirectly(): Operations {
  return new Operations(async (_label, _cancellable, work) =>
    work({ signal: new AbortController().signal, report: () => undefined }),
  );
}
