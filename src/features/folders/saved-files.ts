import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { QuestionQueue } from '#shell/question-queue.ts';
import type { FileTarget } from '#shell/targets.ts';
import type { BegunMerges } from './begun-merges.ts';
import type { SaveChoices, SaveFacts } from './save-choice.ts';
import type { SyncSession, SyncSessions } from './sync-sessions.ts';
import type { UploadConsent } from './upload-consent.ts';

/** The dependencies of {@link SavedFiles}. */
export interface SavedFilesPorts {
  readonly saveChoices: SaveChoices;
  readonly syncs: Pick<SyncSessions, 'all' | 'ofFolder' | 'opened'>;
  readonly consent: Pick<UploadConsent, 'missing'>;
  /** Merges of conflicts that are not finished. */
  readonly merges: Pick<BegunMerges, 'of'>;
  readonly questions: QuestionQueue;
  /** Asks the user how to push the files of a folder, and stores the answer. */
  readonly choosePush: (session: SyncSession) => Promise<void>;
  /** Gives each sync the settings of its folder. */
  readonly configure: () => void;
  /** Reports a question that could not be asked. */
  readonly report: (error: unknown) => void;
}

/**
 * Reports saved files to the syncs of their folders, and asks at a save how to push the files of its folder while that is
 * undecided. Files that are saved before the answer follow it, even if the answer comes from the command.
 */
export class SavedFiles implements Disposable {
  readonly #ports: SavedFilesPorts;
  readonly #waiting = new WeakMap<SyncSession['sync'], Set<string>>();
  readonly #owned = new DisposableStore();

  constructor(ports: SavedFilesPorts) {
    this.#ports = ports;
    this.#owned.add(ports.saveChoices.onDidChange(() => this.#follow()));
  }

  /** Handles files that were saved, created, renamed or deleted here. */
  async saved(files: readonly FileTarget[]): Promise<void> {
    const byFolder = Map.groupBy(files, ({ folderId }) => folderId);
    await Promise.all([...byFolder].map(async ([folderId, own]) => this.#report(folderId, own)));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #report(folderId: string, files: readonly FileTarget[]): Promise<void> {
    // Right after a switch or a start the folder is still being opened: files that are saved then are for the new branch.
    const found = await this.#ports.syncs.opened(folderId);
    if (!found) return;
    found.sync.onSaved(files.map(({ path }) => path));
    // A merge editor saves its file before the user has resolved the conflict, which then uploads it.
    const asked = files.filter((file) => this.#ports.merges.of(file) === undefined).map(({ path }) => path);
    if (asked.length > 0) this.#ask(found, asked);
  }

  #ask(session: SyncSession, paths: readonly string[]): void {
    const { saveChoices, questions, syncs, choosePush, report } = this.#ports;
    const facts = this.#factsOf(session);
    if (session.sync.status.value.readOnly !== undefined || !saveChoices.isOpen(facts)) return;
    this.#waiting.set(session.sync, new Set([...(this.#waiting.get(session.sync) ?? []), ...paths]));
    const ask = async (): Promise<void> => {
      // Another window or the command may have set it while other questions were shown.
      const open = syncs.ofFolder(facts.folderId);
      if (open && saveChoices.isOpen(this.#factsOf(open))) await choosePush(open);
    };
    saveChoices.ask(facts, async () => questions.ask(ask)).catch(report);
  }

  /** Reports the files that waited for an answer. */
  #follow(): void {
    const { saveChoices, syncs, configure } = this.#ports;
    configure();
    for (const session of syncs.all.value) {
      const paths = this.#waiting.get(session.sync);
      if (!paths || saveChoices.isOpen(this.#factsOf(session))) continue;
      this.#waiting.delete(session.sync);
      session.sync.onSaved([...paths]);
    }
  }

  #factsOf({ folder, target }: SyncSession): SaveFacts {
    return { folderId: folder.folderId, isRisky: this.#ports.consent.missing(target) !== undefined };
  }
}
