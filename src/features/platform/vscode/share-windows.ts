import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type DisposableStore, toDisposable } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import { WindowBoard, type WindowRegistry } from '#features/platform/window-board.ts';
import type { Session } from '#features/platform/session.ts';
import type { Windows } from '#features/platform/windows.ts';
import { hasEnded, ownMark, processMachine } from '#sync/disk/process-mark.ts';

/** How often a window reports that it is open, in milliseconds. */
const beat = 60_000;
/** How often a window checks whether the others are still open, in milliseconds. */
const check = 2000;

/** The dependencies of {@link shareWindows}. */
export interface SharedWindowsDeps {
  readonly session: Session;
  readonly windows: Windows;
  readonly registry: WindowRegistry;
  readonly logger: Logger;
}

/**
 * Publishes the active branch of this window on every switch and every minute, and finds those of the others. Loaded after the
 * start, as a bundle of its own.
 */
export function shareWindows({ session, windows, registry, logger }: SharedWindowsDeps, store: DisposableStore): void {
  const board = store.add(
    new WindowBoard({
      ...{ id: crypto.randomUUID(), registry, windows, now: () => Date.now() },
      process: ownMark(processMachine),
      hasEnded: (process) => hasEnded(process, processMachine),
    }),
  );
  const quietly = (work: Promise<void>): void => {
    work.catch((error: unknown) =>
      logger.warn('The active branch could not be recorded for other windows', { error: String(error) }),
    );
  };
  const show = (): void =>
    quietly(board.show(session.activeTarget(), vscode.workspace.name ?? 'a window without a folder'));
  store.add(session.active.onDidChange(show));
  store.add(session.onDidChangeDevMode(show));
  const timers = [setInterval(() => quietly(board.beat()), beat), setInterval(() => board.refresh(), check)];
  store.add(toDisposable(() => timers.forEach((timer) => clearInterval(timer))));
  show();
  board.refresh();
}
