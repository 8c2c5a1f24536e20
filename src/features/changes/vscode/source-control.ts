import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { changeText, type SyncSession } from '#features/folders/index.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import {
  type BranchChangeNode,
  branchChangeText,
  branchChangeNodes,
  commitLabel,
  type CommitPlan,
  commitPlaceholder,
} from '#features/changes/commit-nodes.ts';
import { commitPlanOf } from '#features/changes/commit-plan.ts';
import { derived } from '#base/derived.ts';
import { observe } from '#base/store.ts';
import { type CommitInput, gitConflictsOf } from '#features/history/index.ts';
import { fileTargetOf, fileUri } from '#features/folders/vscode/index.ts';
import { onDidChangeSetting, setting } from '#shell/vscode/settings.ts';
import type { FileState } from '#shell/vscode/menu-arguments.ts';
import type { SourceControlDeps } from './deps.ts';
import { exists } from '#shell/vscode/files-on-disk.ts';

/**
 * Shows linked folders in the Source Control view: commit box, changes, and marks in the editor against the platform's version. A
 * folder in a Git working tree is left to Git unless the user wants both: two providers would compete for it.
 */
export function showSourceControl(deps: SourceControlDeps, store: DisposableStore): void {
  const { syncs, logger } = deps;
  const shown = new Map<SyncSession['sync'], Disposable>();
  store.add({ dispose: () => shown.forEach((control) => control.dispose()) });
  const update = async (): Promise<void> => {
    const wanted: SyncSession[] = [];
    for (const session of syncs.all.value) if (await isWanted(session)) wanted.push(session);
    for (const [sync, control] of shown) {
      if (wanted.some((session) => session.sync === sync)) continue;
      control.dispose();
      shown.delete(sync);
    }
    for (const session of wanted) {
      if (!shown.has(session.sync)) shown.set(session.sync, new FolderControl(deps, session));
    }
  };
  const later = (): void => {
    update().catch((error: unknown) => logger.error('Source Control could not be shown', { error: String(error) }));
  };
  store.add(syncs.all.onDidChange(later));
  store.add(onDidChangeSetting(['scm.enabled'], later));
  later();
}

async function isWanted({ folder }: SyncSession): Promise<boolean> {
  const root = vscode.Uri.parse(folder.folderId, true);
  const wish = setting('scm.enabled', root);
  return wish === 'auto' ? !(await isInGit(root)) : wish === 'on';
}

/** Resolves to whether the folder is in a Git working tree. */
async function isInGit(folder: vscode.Uri): Promise<boolean> {
  for (let at = folder; ; at = vscode.Uri.joinPath(at, '..')) {
    if (await exists(vscode.Uri.joinPath(at, '.git'))) return true;
    if (at.path === '/' || at.path === vscode.Uri.joinPath(at, '..').path) return false;
  }
}

/** One linked folder in the Source Control view. */
class FolderControl implements Disposable, vscode.QuickDiffProvider {
  readonly #deps: SourceControlDeps;
  readonly #session: SyncSession;
  readonly #control: vscode.SourceControl;
  readonly #groups: Readonly<Record<'conflicts' | 'local' | 'commit' | 'remote', vscode.SourceControlResourceGroup>>;
  readonly #owned = new DisposableStore();

  constructor(deps: SourceControlDeps, session: SyncSession) {
    this.#deps = deps;
    this.#session = session;
    const { folder, target, sync } = session;
    const root = vscode.Uri.parse(folder.folderId, true);
    const control = this.#owned.add(
      vscode.scm.createSourceControl('modelbench', text`Modelbench: ${folder.name}`, root),
    );
    this.#control = control;
    // The badge is on the Changes view: two badges for the same files would look like twice as many, and for a folder in a Git
    // working tree this view does not exist.
    control.count = 0;
    control.quickDiffProvider = this;
    const group = (id: string, label: string): vscode.SourceControlResourceGroup => {
      const made = this.#owned.add(control.createResourceGroup(id, textOf(label)));
      made.hideWhenEmpty = true;
      return made;
    };
    this.#groups = {
      conflicts: group('conflicts', 'Conflicts'),
      local: group('local', 'To Push'),
      commit: group('commit', 'To Commit'),
      remote: group('remote', 'Incoming'),
    };
    this.#owned.add(sync.status.onDidChange(() => this.#show()));
    this.#owned.add(deps.attempts.onDidChange(() => this.#show()));
    this.#show();
    const commit = this.#owned.add(derived(() => commitPlanOf(deps, target, String).commit));
    this.#owned.add(observe(commit, (plan) => this.#showCommit(plan)));
  }

  /** Returns the platform's version of a model file: the base of the marks beside the lines. */
  provideOriginalResource(uri: vscode.Uri): vscode.Uri | undefined {
    const file = fileTargetOf(uri, [this.#session.folder]);
    return file && this.#deps.documents.uri(file, 'remote');
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #show(): void {
    const { conflicts, localChanges, remoteChanges } = this.#session.sync.status.value;
    const ofGit = gitConflictsOf(this.#deps, this.#session);
    this.#groups.conflicts.resourceStates = [
      ...conflicts.map((entry) => this.#state(entry, 'modelbench.conflict.merge', 'conflict')),
      ...ofGit.map((path) => this.#gitConflict(path)),
    ];
    this.#groups.local.resourceStates = localChanges.map((entry) =>
      this.#state(entry, 'modelbench.openChange', 'local'),
    );
    this.#groups.remote.resourceStates = remoteChanges.map((entry) =>
      this.#state(entry, 'modelbench.openChange', 'remote'),
    );
  }

  /** Shows what a commit would do: the input for its message names the branch. */
  #showCommit(plan: CommitPlan | undefined): void {
    const { target } = this.#session;
    const { inputBox } = this.#control;
    // VS Code replaces `{0}` by the shortcut.
    inputBox.placeholder = textOf(commitPlaceholder(plan, '{0}'));
    this.#control.acceptInputCommand = {
      command: 'modelbench.commit',
      title: plan ? commitLabel(plan) : 'Commit',
      arguments: [{ ...target, inputBox, to: plan?.parent } satisfies CommitInput],
    };
    // Below the input, whose text a narrow side bar cuts.
    this.#groups.commit.label = plan?.isProduction === true ? text`To Commit (production)` : text`To Commit`;
    const rows = plan ? branchChangeNodes(this.#session.folder.folderId, 'commit', plan) : [];
    this.#groups.commit.resourceStates = rows.map((row) => this.#branchChange(row));
  }

  #branchChange(row: BranchChangeNode): FileState {
    const { folderId, id, path, change } = row;
    const isGone = change === 'removed';
    return {
      folderId,
      path,
      resourceUri: fileUri(row),
      command: { command: 'modelbench.openChange', title: 'Open', arguments: [{ folderId, path, id }] },
      contextValue: 'commit',
      decorations: {
        tooltip: textOf(branchChangeText(row)),
        strikeThrough: isGone,
        faded: isGone,
      },
    };
  }

  #gitConflict(path: string): FileState {
    const file = { folderId: this.#session.folder.folderId, path };
    return {
      ...file,
      resourceUri: fileUri(file),
      command: { command: 'modelbench.conflict.merge', title: 'Open', arguments: [file] },
      contextValue: 'conflict',
      decorations: { tooltip: text`changed on both branches` },
    };
  }

  #state(entry: PlanEntry, command: string, contextValue: string): FileState {
    const file = { folderId: this.#session.folder.folderId, path: entry.path };
    const isGone = entry.kind === 'deleteRemote' || entry.kind === 'deleteLocal';
    return {
      ...file,
      resourceUri: fileUri(file),
      command: { command, title: 'Open', arguments: [file] },
      contextValue,
      decorations: { tooltip: textOf(changeText(entry)), strikeThrough: isGone, faded: isGone },
    };
  }
}
