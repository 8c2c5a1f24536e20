import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { DisposableStore } from '#base/disposable.ts';
import { changeText } from '#features/folders/index.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { gitConflictsOf, type StoppedStepDeps } from '#features/history/index.ts';
import { fileUri } from '#features/folders/vscode/index.ts';

/** Marks files that differ from the dev branch in the Explorer, in tabs and in the Changes view. */
export function decorateChanges(deps: StoppedStepDeps, store: DisposableStore): void {
  const { attempts, syncs } = deps;
  const provider = store.add(new Decorations());
  store.add(vscode.window.registerFileDecorationProvider(provider));
  const show = (): void => {
    const next = new Map<string, PlanEntry>();
    for (const session of syncs.all.value) {
      const { folderId } = session.folder;
      const { localChanges, remoteChanges, conflicts } = session.sync.status.value;
      const ofGit = gitConflictsOf(deps, session).map(gitConflict);
      for (const entry of [...remoteChanges, ...localChanges, ...ofGit, ...conflicts]) {
        next.set(fileUri({ folderId, path: entry.path }).toString(), entry);
      }
    }
    provider.show(next);
  };
  store.add(syncs.onDidChange(show));
  store.add(attempts.onDidChange(show));
  show();
}

/** Returns a conflict between two branches; a mark does not need the hashes. */
function gitConflict(path: string): PlanEntry {
  const none = { base: undefined, local: undefined, remote: undefined };
  return { kind: 'conflict', path, reason: 'bothChanged', ...none, size: 0, eolOnly: false };
}

/** With more changed files than this, VS Code is notified that any file may have changed. */
const mostUris = 500;

class Decorations implements vscode.FileDecorationProvider {
  readonly #owned = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<vscode.Uri[] | undefined>();
  #entries: ReadonlyMap<string, PlanEntry> = new Map();

  constructor() {
    this.#owned.add(this.#changed);
  }

  get onDidChangeFileDecorations(): vscode.Event<vscode.Uri[] | undefined> {
    return this.#changed.event;
  }

  show(entries: ReadonlyMap<string, PlanEntry>): void {
    const touched = new Set<string>();
    for (const [uri, entry] of entries) if (!sameMark(this.#entries.get(uri), entry)) touched.add(uri);
    for (const uri of this.#entries.keys()) if (!entries.has(uri)) touched.add(uri);
    this.#entries = entries;
    if (touched.size === 0) return;
    this.#changed.fire(touched.size > mostUris ? undefined : [...touched].map((uri) => vscode.Uri.parse(uri, true)));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const entry = this.#entries.get(uri.toString());
    const mark = entry && marks[entry.kind];
    if (!entry || !mark) return undefined;
    const [badge, color] = mark;
    const decoration = new vscode.FileDecoration(
      badge,
      text`Modelbench: ${changeText(entry)}`,
      new vscode.ThemeColor(`gitDecoration.${color}ResourceForeground`),
    );
    decoration.propagate = entry.kind === 'conflict';
    return decoration;
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

const marks: Partial<Readonly<Record<PlanEntry['kind'], readonly [string, string]>>> = {
  upload: ['↑', 'modified'],
  renameRemote: ['↑', 'renamed'],
  deleteRemote: ['↑', 'deleted'],
  download: ['↓', 'submodule'],
  renameLocal: ['↓', 'submodule'],
  deleteLocal: ['↓', 'deleted'],
  conflict: ['⚠', 'conflicting'],
};

function sameMark(a: PlanEntry | undefined, b: PlanEntry): boolean {
  return a !== undefined && a.kind === b.kind && changeText(a) === changeText(b);
}
