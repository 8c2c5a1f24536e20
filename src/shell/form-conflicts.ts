import type { Disposable } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';

/** A field that the user and someone else changed to different values. */
export interface FieldConflict {
  readonly field: string;
  /** What the platform has now; `undefined`: nothing. */
  readonly theirs: unknown;
}

/** The conflicts of a document, for the form that shows it. */
export interface FormConflicts {
  readonly list: ReadonlyStore<readonly FieldConflict[]>;
  /** A form shows the document until this is disposed. */
  show(): Disposable;
  /** The user has decided about a field: the document holds the value that is wanted. */
  decide(field: string): void;
}
