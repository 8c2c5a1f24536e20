import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';
import { engineVersion } from '#model/engine/engine-version.ts';
import { versionNote } from '#features/language/engine-version.ts';
import type { StateStore } from '#shell/ports.ts';

const key = 'language.notedEngineVersions';

/** Notifies the user, once for each version of the platform's engine, that its rules may differ from those on this machine. */
export class VersionNote {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  show(deployed: string | undefined): void {
    const note = versionNote(deployed);
    const before = this.#noted();
    if (note === undefined || deployed === undefined || before.includes(deployed)) return;
    void this.#state.set(key, [...before, deployed]);
    void vscode.window.showInformationMessage(
      textOf(
        `${note} Models are compiled with ${engineVersion} on this machine. Each problem says which engine reported it.`,
      ),
    );
  }

  #noted(): readonly string[] {
    const value = this.#state.get(key);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }
}
