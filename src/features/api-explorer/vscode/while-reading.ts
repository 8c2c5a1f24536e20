import { CancelledError } from '#base/async.ts';
import { text } from '#base/user-text.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Reads what a request would do, with progress that the user can see and cancel: the platform may compile a whole model for it. */
export async function whileReading<T>(operationId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: text`Checking what ${operationId} sends`,
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort(new CancelledError()));
    return work(controller.signal);
  });
}
