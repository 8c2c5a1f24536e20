import type { CancellationToken } from 'vscode-languageserver';

/** Returns a signal that follows the client's cancellation. */
export function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
