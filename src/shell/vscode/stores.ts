import * as v from 'valibot';
import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { SecretStore, StateStore } from '#shell/ports.ts';
import type { Redactor } from './redactor.ts';

/** Where the names of the kept secrets are: before 1.104 VS Code does not list them. */
const namesKey = 'secrets';
const namesSchema = v.array(v.string());

/** VS Code's secret storage as the port; every secret that passes is hidden from the log from then on. */
export function secretStore(storage: vscode.SecretStorage, state: StateStore, redactor: Redactor): SecretStore {
  const written = (): ReadonlySet<string> => {
    const parsed = v.safeParse(namesSchema, state.get(namesKey));
    return new Set(parsed.success ? parsed.output : []);
  };
  return {
    get: async (key) => {
      const value = await storage.get(key);
      if (value !== undefined) redactor.hide(value);
      return value;
    },
    set: async (key, value) => {
      redactor.hide(value);
      await storage.store(key, value);
      if (!written().has(key)) await state.set(namesKey, [...written(), key]);
    },
    delete: async (key) => {
      await storage.delete(key);
      if (written().has(key)) {
        await state.set(
          namesKey,
          [...written()].filter((name) => name !== key),
        );
      }
    },
    names: async () => [...new Set([...written(), ...(await listedKeys(storage))])],
    onDidChange: (listener) => storage.onDidChange(({ key }) => listener(key)),
  };
}

/** The names as a newer VS Code lists them, including those of other windows. */
async function listedKeys(
  storage: vscode.SecretStorage & { keys?(): Thenable<readonly string[]> },
): Promise<readonly string[]> {
  return (await storage.keys?.()) ?? [];
}

/** A memento as the port. */
export function stateStore(memento: vscode.Memento): StateStore {
  return {
    get: (key) => memento.get(key),
    set: async (key, value) => memento.update(key, value),
  };
}
