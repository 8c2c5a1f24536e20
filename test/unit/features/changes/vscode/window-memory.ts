import type * as vscode from 'vscode';

/** A window's memory, as VS Code keeps it. */
export function windowMemory(): vscode.Memento {
  const kept = new Map<string, unknown>();
  return {
    get: (key: string) => kept.get(key) as never,
    update: (key: string, value: unknown) => {
      if (value === undefined) kept.delete(key);
      else kept.set(key, value);
      return Promise.resolve();
    },
    keys: () => [...kept.keys()],
  };
}
