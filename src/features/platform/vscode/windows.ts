import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { WindowRegistry } from '#features/platform/window-board.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { orderedMemento } from '#shell/vscode/ordered-memento.ts';
import type { SharedWindowsDeps } from './share-windows.ts';

const prefix = 'window.';

/** Creates a registry in VS Code's global state, which all windows share and in which each publishes its active branch. */
function windowRegistry(memento: vscode.Memento): WindowRegistry {
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

/** Keeps the user's other windows current. */
export function windowsContribution(
  globalState: vscode.Memento,
  deps: Omit<SharedWindowsDeps, 'registry'>,
): Contribution {
  return {
    id: 'windows',
    register: async (store) => {
      // All writes of this state are in one order, so they are made here and not in the bundle that is loaded.
      const registry = windowRegistry(globalState);
      (await import('#features/platform/vscode/share-windows.ts')).shareWindows({ ...deps, registry }, store);
    },
  };
}
