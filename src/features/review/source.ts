import type { ReadonlyStore } from '#base/store.ts';
import type { ReviewDocument, ReviewInput } from './messages.ts';

/** Both texts of a row, and what they change in the model. */
export interface RowTexts {
  /** `undefined`: there is no such file on this side. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** A note above the difference, such as why a side cannot be read. */
  readonly note?: string | undefined;
  /** What the file changes in the model, one line each. */
  readonly changes?: readonly string[] | undefined;
}

/** The content and actions of a review; one for each push, pull, commit, merge, deploy or restore. */
export interface ReviewSource {
  /** Identifies the tab: another source with the same key replaces the first. */
  readonly key: string;
  /** The account whose data the review shows: its tab closes when the user signs out. None if it shows only files of this disk. */
  readonly accountId: string | undefined;
  /** Follows changes on either side; `undefined` ends the review and closes its tab. */
  readonly document: ReadonlyStore<ReviewDocument | undefined>;
  readonly tick: (ids: readonly string[], isTicked: boolean) => void;
  /** Resolves to both texts of a row, for the difference on the page. */
  readonly texts: (id: string) => Promise<RowTexts>;
  /** Opens a row in VS Code's own editor. */
  readonly diff: (id: string) => Promise<unknown>;
  /** Opens all differences in one editor of VS Code. */
  readonly diffAll?: (() => Promise<unknown>) | undefined;
  /** Shows why a file is in the review. */
  readonly explain?: ((id: string) => Promise<unknown>) | undefined;
  /** Runs a link of the document. */
  readonly run?: ((id: string) => Promise<unknown>) | undefined;
  /** Receives the user's input as it is typed: a draft that outlives the tab. */
  readonly input?: ((input: ReviewInput) => void) | undefined;
  /** Runs the primary button; `true` closes the tab. An error is shown, and the user's input stays. */
  readonly apply: (input: ReviewInput) => Promise<boolean>;
  /** Called once when the review ends, for whatever reason. */
  readonly close: () => void;
}

/** Opens reviews in the editor area. */
export interface Reviews {
  /** Shows a review; resolves once its tab is open. */
  readonly open: (source: ReviewSource) => Promise<void>;
  /** Shows the tab of a key again; resolves to whether there is one. */
  readonly reveal: (key: string) => Promise<boolean>;
}
