import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { toDisposable } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import type { WindowRegistry, Windows } from '#features/platform/windows.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { Session } from '#features/platform/session.ts';
import { orderedMemento } from '#shell/vscode/ordered-memento.ts';

const prefix = 'window.';
/** How often a window reports that it is open, in milliseconds. */
const beat = 60_000;

/** Creates a registry in VS Code's global state, which all windows share and in which each publishes its active branch. */
export function windowRegistry(memento: vscode.Memento): WindowRegistry {
  const state = orderedMemento(memento);
  return {
    all: () =>
      state
        .keys()
        .filter((key) => key.startsWith(prefix))
        .map((key) => state.get(key)),
    put: async (id, entry) => state.update(prefix + id, entry),
    remove: async (id) => state.update(prefix + id, undefined),
  };
}

interface WindowsDeps {
  readonly session: Session;
  readonly windows: Windows;
  readonly logger: Logger;
}

/** Keeps the registry current: on every switch of the branch, every minute, and when the window is focused. */
export function windowsContribution({ session, windows, logger }: WindowsDeps): Contribution {
  return {
    id: 'windows',
    register: (store) => {
      const quietly = (work: Promise<void>): void => {
        work.catch((error: unknown) =>
          logger.warn('The active branch could not be recorded for other windows', { error: String(error) }),
        );
      };
      const show = (): void =>
        quietly(windows.show(session.activeTarget(), vscode.workspace.name ?? 'a window without a folder'));
      store.add(session.active.onDidChange(show));
      store.add(session.onDidChangeDevMode(show));
      store.add(
        vscode.window.onDidChangeWindowState(({ focused }) => {
          if (focused) windows.refresh();
        }),
      );
      const timer = setInterval(() => quietly(windows.beat()), beat);
      store.add(toDisposable(() => clearInterval(timer)));
      show();
    },
  };
}
