import type { ProposedBlock } from './proposed-files.ts';

/** A file as the editor holds it; line breaks are `\n`. */
export interface FileNow {
  readonly text: string;
  readonly isUnsaved: boolean;
}

/** Files of the linked folder, as the editor holds them; paths are relative to it. */
export interface ProposalFiles {
  /** `undefined` where there is no such file. */
  read(path: string): Promise<FileNow | undefined>;
  /** Why the disk does not take a file at this path (a link, a name in other letter case); `undefined` where it does. */
  refusalOf?(path: string): string | undefined;
  /** The first error that is reported for the file as it is now. */
  errorIn?(path: string): string | undefined;
  /**
   * Changes files and saves those that had no unsaved edits, all or none; what is replaced goes to the trash first. Fails with
   * {@link FileMovedOn} where a file does not have the text that is expected.
   */
  write(changes: readonly FileChange[]): Promise<void>;
  /** Opens a three-way merge of a file; answers whether it was finished, once its editor is closed. */
  merge?(conflict: FileConflict): Promise<boolean>;
}

export interface FileChange {
  readonly path: string;
  /** The text that it must still have; `undefined`: there must be no such file. */
  readonly before: string | undefined;
  /** `undefined`: the file is deleted. */
  readonly text: string | undefined;
}

/** Two changes of one text. */
export interface FileConflict {
  readonly path: string;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  /** What `theirs` is, for the user. */
  readonly title: string;
}

/** A file that was changed in the moment before it was to be written. */
export class FileMovedOn extends Error {
  override readonly name = 'FileMovedOn';

  constructor(path: string) {
    super(`${path} changed in the meantime, so nothing was written. Try again.`);
  }
}

/** What the blocks of an answer are to a file; see `judgeBlocks` of the model. */
export type Judgement =
  | { readonly kind: 'change'; readonly text: string; readonly removed: readonly string[] }
  | { readonly kind: 'quote' }
  | { readonly kind: 'draft'; readonly reason: string };

/** The verdict of the platform's own engine on a model with a proposal in it. Messages and reasons are sentences. */
export type EngineVerdict =
  | { readonly state: 'accepted' }
  | { readonly state: 'refused'; readonly errors: readonly EngineMessage[] }
  /** It could not judge, or was not allowed to. */
  | { readonly state: 'unknown'; readonly reason: string };

export interface EngineMessage {
  readonly message: string;
  /** Where it is in the proposed text of a file; a line from 0. */
  readonly place?: { readonly path: string; readonly line: number } | undefined;
}

/** Compiles the model with these texts in the place of its files, without writing them. */
export type AskEngine = (
  changes: readonly { readonly path: string; readonly text: string }[],
  signal: AbortSignal | undefined,
) => Promise<EngineVerdict>;

/** Knows the language of models. */
export interface ProposalJudge {
  judge(path: string, base: string | undefined, blocks: readonly ProposedBlock[]): Promise<Judgement>;
  /** Why a text must not take the place of another: a sentence. `removed`: ids of what may go. */
  problem(
    path: string,
    before: string | undefined,
    after: string,
    removed: readonly string[],
  ): Promise<string | undefined>;
}
