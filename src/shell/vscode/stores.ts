import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { ListedState } from '#shell/erased-texts.ts';
import type { SecretStore, StateStore } from '#shell/ports.ts';
import { orderedMemento } from './ordered-memento.ts';
import type { Redactor } from './redactor.ts';

/** Adapts VS Code's secret storage to the port; every secret that passes through is hidden from the log from then on. */
export function secretStore(storage: vscode.SecretStorage, redactor: Redactor): SecretStore {
  return {
    get: async (key) => {
      const value = await storage.get(key);
      if (value !== undefined) redactor.hide(value);
      return value;
    },
    set: async (key, value) => {
      redactor.hide(value);
      await storage.store(key, value);
    },
    delete: async (key) => storage.delete(key),
    names: async () => storage.keys(),
    onDidChange: (listener) => storage.onDidChange(({ key }) => listener(key)),
  };
}

/** Adapts a memento whose names can be listed. */
export function listedState(memento: vscode.Memento): ListedState {
  return { ...stateStore(memento), keys: () => orderedMemento(memento).keys() };
}

/** Adapts a memento to the port. */
export function stateStore(memento: vscode.Memento): StateStore {
  const ordered = orderedMemento(memento);
  return {
    get: (key) => ordered.get(key),
    set: async (key, value) => ordered.update(key, value),
  };
}
