import type { ReadonlyStore } from '#base/store.ts';
import type { ReviewDocument, ReviewInput } from './messages.ts';

/** Both texts of a row, and what they change of the model. */
export interface RowTexts {
  /** `undefined`: there is no such file on this side. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Said above the difference, such as why a side cannot be read. */
  readonly note?: string | undefined;
  /** What the file changes of the model, a line each. */
  readonly changes?: readonly string[] | undefined;
}

/** What a review shows and what can be done with it; one for each push, pull, commit, merge, deploy or restore. */
export interface ReviewSource {
  /** Names the tab: another source of the same key takes the place of the first. */
  readonly key: string;
  /** Follows what changes on either side; `undefined` ends the review and closes its tab. */
  readonly document: ReadonlyStore<ReviewDocument | undefined>;
  readonly tick: (ids: readonly string[], isTicked: boolean) => void;
  /** Both texts of a row, for the difference on the page. */
  readonly texts: (id: string) => Promise<RowTexts>;
  /** Opens a row in VS Code's own editor. */
  readonly diff: (id: string) => Promise<unknown>;
  /** Opens all differences in one editor of VS Code. */
  readonly diffAll?: (() => Promise<unknown>) | undefined;
  /** Shows why a file is here. */
  readonly explain?: ((id: string) => Promise<unknown>) | undefined;
  /** A link of the document was used. */
  readonly run?: ((id: string) => Promise<unknown>) | undefined;
  /** What the user types, while it is typed: a draft that outlives the tab. */
  readonly input?: ((input: ReviewInput) => void) | undefined;
  /** The primary button; `true` closes the tab. An error is shown, and what was typed stays. */
  readonly apply: (input: ReviewInput) => Promise<boolean>;
  /** The review is over, whoever ended it; called once. */
  readonly close: () => void;
}

/** Opens reviews in the editor area. */
export interface Reviews {
  /** Shows a review; resolves once its tab is open. */
  readonly open: (source: ReviewSource) => Promise<void>;
  /** Brings the tab of a key to the front again; answers whether there is one. */
  readonly reveal: (key: string) => Promise<boolean>;
}
