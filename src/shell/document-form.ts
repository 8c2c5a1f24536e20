import type { Disposable } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { DocumentProblem } from './env-vars.ts';
import type { JsonSchema } from './request-schema.ts';

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

/** The form of a document. */
export interface DocumentForm {
  /** The heading: `User “ada@shop.example”`. */
  readonly title: string;
  /** The account or deployment that the object belongs to. */
  readonly owner: string;
  /** The labels, types and help texts of its fields. */
  readonly schema: () => Promise<JsonSchema>;
  /** Returns the problems that prevent saving, and warnings that the user should see before. */
  readonly problems: (edited: unknown) => readonly DocumentProblem[];
  /** Concurrent changes by others; absent if saving asks about them in another way. */
  readonly conflicts?: FormConflicts | undefined;
}
