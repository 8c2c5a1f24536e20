import type { Disposable } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';

/** A field that the user and someone else changed to different values. */
export interface FieldConflict {
  readonly field: string;
  /** The platform's current value; `undefined`: none. */
  readonly theirs: unknown;
}

/** The conflicts of a document, for the form that shows it. */
export interface FormConflicts {
  readonly list: ReadonlyStore<readonly FieldConflict[]>;
  /** Marks the document as shown in a form until the result is disposed. */
  show(): Disposable;
  /** Records that the user resolved the conflict of a field: the document has the wanted value. */
  decide(field: string): void;
}
