import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';
import { CancelledError } from '#base/async.ts';
import type { OperationContext, ShowProgress } from '#shell/operations.ts';

/** Shows progress as a notification with Cancel, or in the status bar if there is nothing to cancel. */
export const showProgress: ShowProgress = (label, cancellable, work) =>
  Promise.resolve(
    vscode.window.withProgress(
      {
        location: cancellable ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window,
        title: textOf(label),
        cancellable,
      },
      async (progress, token) => work(contextOf(progress, token)),
    ),
  );

function contextOf(progress: vscode.Progress, token: vscode.CancellationToken): OperationContext {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort(new CancelledError());
  token.onCancellationRequested(() => controller.abort(new CancelledError()));
  let shown = 0;
  return {
    signal: controller.signal,
    report: (message, fraction) => {
      if (fraction === undefined) {
        progress.report({ message: textOf(message) });
        return;
      }
      const percent = Math.max(shown, Math.min(100, fraction * 100));
      progress.report({ message: textOf(message), increment: percent - shown });
      shown = percent;
    },
  };
}
