import { Emitter } from '#base/event.ts';
import { type FileChange, type ProposalFiles, ProposalReview } from '#chat/proposal-review.ts';
import { type ProposedFile, proposedFiles } from '#chat/proposed-files.ts';
import { type ChatTurn, finalAnswer } from '#chat/thread.ts';
import type { Decide, ProposalHost } from '#vscode/chat/host.ts';

/** Files in memory as an editor holds them. */
export class MemoryProposalFiles implements ProposalFiles {
  readonly texts = new Map<string, string>();
  readonly unsaved = new Set<string>();
  /** What the disk says against a path. */
  readonly refusals = new Map<string, string>();
  /** The paths of each write. */
  readonly writes: (readonly string[])[] = [];

  read(path: string): Promise<{ readonly text: string; readonly isUnsaved: boolean } | undefined> {
    const text = this.texts.get(path);
    return Promise.resolve(text === undefined ? undefined : { text, isUnsaved: this.unsaved.has(path) });
  }

  refusalOf(path: string): string | undefined {
    return this.refusals.get(path);
  }

  write(changes: readonly FileChange[]): Promise<void> {
    this.writes.push(changes.map(({ path }) => path));
    for (const { path, text } of changes) {
      if (text === undefined) this.texts.delete(path);
      else this.texts.set(path, text);
    }
    return Promise.resolve();
  }
}

/** The editor's part in proposals, in memory. */
export class MemoryProposals implements ProposalHost {
  readonly files = new MemoryProposalFiles();
  /** The paths that were shown as changes. */
  readonly shown: (readonly string[])[] = [];
  readonly changed = new Emitter<void>();
  readonly onDidChangeFiles = this.changed.event;
  allowed = true;
  /** What the editor of the last shown file would call. */
  decide: Decide = () => Promise.reject(new Error('nothing is shown'));
  readonly #reviews = new Map<string, ProposalReview>();

  reviewOf(threadKey: string, turn: ChatTurn): ProposalReview {
    const key = `${threadKey}/${turn.id}`;
    const review = this.#reviews.get(key) ?? new ProposalReview(this.files, proposedFiles(finalAnswer(turn)), 'model');
    this.#reviews.set(key, review);
    return review;
  }

  mayAccept(): Promise<boolean> {
    return Promise.resolve(this.allowed);
  }

  show(files: readonly ProposedFile[], decide: Decide): Promise<void> {
    this.decide = decide;
    this.shown.push(files.map(({ path }) => path));
    return Promise.resolve();
  }
}
