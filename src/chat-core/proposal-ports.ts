import type { ProposedBlock } from './proposed-files.ts';

/** A file as the editor has it; line breaks are `\n`. */
export interface FileNow {
  readonly text: string;
  readonly isUnsaved: boolean;
}

/** Files of the linked folder, as the editor has them; paths are relative to it. */
export interface ProposalFiles {
  /** Resolves to `undefined` if there is no such file. */
  read(path: string): Promise<FileNow | undefined>;
  /** Returns why the disk refuses a file at this path (a link, a name in different letter case); `undefined` if it does not. */
  refusalOf?(path: string): string | undefined;
  /** Returns the first error that is reported for the current version of the file. */
  errorIn?(path: string): string | undefined;
  /**
   * Changes all of the files or none, and saves those without unsaved edits; puts what it replaces into the trash first. Rejects
   * with {@link FileMovedOn} if a file does not have the expected text, and with what `requireLanding` throws.
   */
  write(changes: readonly FileChange[], requireLanding?: RequireLanding): Promise<void>;
  /** Opens a three-way merge of a file; resolves when its editor is closed, to whether the merge was finished. */
  merge?(conflict: FileConflict): Promise<boolean>;
}

/** Throws if accepted files would go to another folder or branch by now than when the user accepted them. */
export type RequireLanding = () => void;

export interface FileChange {
  readonly path: string;
  /** The text that the file must still have; `undefined`: the file must not exist. */
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
  /** The title of `theirs` for the user. */
  readonly title: string;
}

/** Thrown when a file changed just before it was to be written. */
export class FileMovedOn extends Error {
  override readonly name = 'FileMovedOn';

  constructor(path: string) {
    super(`${path} changed in the meantime, so nothing was written. Try again.`);
  }
}

/** How the blocks of an answer relate to a file; see `classifyBlocks` in `src/model/proposed`. */
export type Classification =
  | { readonly kind: 'change'; readonly text: string; readonly removed: readonly string[] }
  | { readonly kind: 'quote' }
  | { readonly kind: 'draft'; readonly reason: string };

/** The verdict of the platform's own engine on a model that includes a proposal. Messages and reasons are sentences. */
export type EngineVerdict =
  | { readonly state: 'accepted' }
  | { readonly state: 'refused'; readonly errors: readonly EngineMessage[] }
  /** The engine could not check the model, or was not allowed to. */
  | { readonly state: 'unknown'; readonly reason: string };

export interface EngineMessage {
  readonly message: string;
  /** The position in the proposed text of a file; `line` counts from 0. */
  readonly location?: { readonly path: string; readonly line: number } | undefined;
}

/** Compiles the model with these texts in place of its files, without writing them. */
export type AskEngine = (
  changes: readonly { readonly path: string; readonly text: string }[],
  signal: AbortSignal | undefined,
) => Promise<EngineVerdict>;

/** Classifies proposals by the rules of the model language. */
export interface ProposalClassifier {
  classify(path: string, base: string | undefined, blocks: readonly ProposedBlock[]): Promise<Classification>;
  /** Resolves to a sentence if one text must not replace the other. `removed`: ids that may be removed. */
  problem(
    path: string,
    before: string | undefined,
    after: string,
    removed: readonly string[],
  ): Promise<string | undefined>;
}
