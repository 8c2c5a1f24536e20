import { decodedText } from '#base/decoded-text.ts';
import { encodedText } from '#base/encoded-text.ts';
import { isText } from '#base/is-text.ts';
import { baseName } from '#base/path.ts';
import { standInBase } from '#base/two-way-merge.ts';
import { text } from '#base/user-text.ts';
import type { BegunMerge, SyncSession, SyncSessions } from '#features/folders/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { BranchTarget, FileTarget } from '#shell/targets.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { Resolution, SyncStatus } from '#sync/core/folder-sync.ts';
import type { ConflictChoice, ConflictSource, ConflictOpening, Resolved } from './conflict-source.ts';

/** The questions to the user and the file operations of a resolution. */
export interface ConflictEditor {
  readonly mayUpload: (target: BranchTarget) => Promise<boolean>;
  /** Resolves to the text of a file in its editor. */
  readonly textOf: (file: FileTarget) => Promise<string>;
  /** Resolves to the bytes of a file on disk; empty if there is no file. */
  readonly bytesOf: (file: FileTarget) => Promise<Uint8Array>;
  /** Resolves to the bytes of a file, saved and without conflict markers; throws `Hint` if it has some. */
  readonly finished: (file: FileTarget) => Promise<Uint8Array>;
  /** Asks which local version of a file to use while its merge is not finished. */
  readonly askLocalVersion: (file: FileTarget) => Promise<'beforeMerge' | 'now' | undefined>;
}

/** Merges that have begun in an editor. */
export interface BegunMergesPort {
  of(file: FileTarget): BegunMerge | undefined;
  keep(file: FileTarget, merge: BegunMerge): Promise<void>;
  end(file: FileTarget): Promise<void>;
}

/** The dependencies of {@link FolderConflicts}. */
export interface FolderConflictPorts {
  readonly syncs: Pick<SyncSessions, 'ofFolder'>;
  readonly merges: BegunMergesPort;
  readonly operations: Operations;
  readonly editor: ConflictEditor;
}

/** Conflicts of linked folders with their dev branches. */
export class FolderConflicts implements ConflictSource {
  readonly #ports: FolderConflictPorts;

  constructor(ports: FolderConflictPorts) {
    this.#ports = ports;
  }

  readonly open = async (file: FileTarget): Promise<ConflictOpening> => {
    const session = this.#sessionOf(file);
    const conflict = conflictOf(session, file);
    if (!conflict) throw new Hint(`“${baseName(file.path)}” is no longer in conflict.`);
    const { local, remote, eolOnly } = conflict;
    if (local === undefined || remote === undefined) return { kind: 'difference' };
    if (eolOnly) return { kind: 'lineEndings' };
    const [base, theirs] = await Promise.all([
      session.sync.baseContent(file.path),
      session.sync.remoteContent(file.path),
    ]);
    if (!isText(theirs) || !isText(await this.#ports.editor.bytesOf(file))) return { kind: 'difference' };
    return {
      kind: 'merge',
      remote,
      base: isText(base) ? decodedText(base) : standInBase,
      theirs: decodedText(theirs),
      inStep: false,
    };
  };

  readonly resolve = async (file: FileTarget, choice: ConflictChoice): Promise<Resolved | undefined> => {
    const { merges, operations, editor } = this.#ports;
    const session = this.#sessionOf(file);
    const version = await this.#versionOf(session, file, choice);
    if (version === undefined) return undefined;
    if (version !== 'theirs' && !(await editor.mayUpload(session.target))) return undefined;
    const begun = merges.of(file);
    await merges.end(file);
    const outcome = await operations.run({
      label: text`Resolving ${baseName(file.path)}`,
      key: file.folderId,
      run: async ({ signal }) => session.sync.resolve(file.path, version, { signal }),
    });
    if (outcome.status !== 'done') {
      if (begun) await merges.keep(file, begun);
      throw new UserError(outcome.message);
    }
    const left = session.sync.status.value.conflicts.length;
    return { rest: left === 0 ? 'no conflicts left' : `${left} left`, trashed: outcome.trashed };
  };

  async #versionOf(session: SyncSession, file: FileTarget, choice: ConflictChoice): Promise<Resolution | undefined> {
    if (choice === 'theirs') return choice;
    return choice === 'mine' ? this.#localVersion(session, file) : this.#mergedVersion(session, file);
  }

  /** Resolves to the local version; while a merge is in progress there are two, so the user chooses. */
  async #localVersion(session: SyncSession, file: FileTarget): Promise<Resolution | undefined> {
    const { merges, editor } = this.#ports;
    const begun = merges.of(file);
    const now = await editor.textOf(file);
    if (!begun || begun.remote !== conflictOf(session, file)?.remote || begun.mine === now) return 'mine';
    const answer = await editor.askLocalVersion(file);
    if (answer === undefined) return undefined;
    return answer === 'now' ? 'mine' : { merged: encodedText(begun.mine, await editor.bytesOf(file)) };
  }

  /** Resolves to the current file. Throws `UserError` if the platform has got another version since the merge began. */
  async #mergedVersion(session: SyncSession, file: FileTarget): Promise<Resolution> {
    const { merges, editor } = this.#ports;
    const merged = merges.of(file)?.remote ?? conflictOf(session, file)?.remote;
    const bytes = await editor.finished(file);
    await session.sync.plan();
    const now = conflictOf(session, file);
    if (now && now.remote !== merged) {
      throw new UserError(
        `“${baseName(file.path)}” changed on the platform again. Open the merge editor again to include that change.`,
      );
    }
    return { merged: bytes };
  }

  #sessionOf(file: FileTarget): SyncSession {
    const session = this.#ports.syncs.ofFolder(file.folderId);
    if (session) return session;
    throw new Hint('This folder is not in sync with a dev branch.', {
      title: text`Start Dev Mode`,
      command: 'modelbench.devMode.start',
    });
  }
}

function conflictOf({ sync }: SyncSession, file: FileTarget): SyncStatus['conflicts'][number] | undefined {
  return sync.status.value.conflicts.find(({ path }) => path === file.path);
}
