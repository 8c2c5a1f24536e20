import type { Disposable } from '#base/disposable.ts';
import { Store } from '#base/store.ts';
import type { FieldConflict, FormConflicts } from '#shell/document-form.ts';
import type { Fields } from './rows.ts';

/**
 * Fields of a document that the user and someone else changed to different values. If a form is open, the user resolves each
 * conflict there; `adopt` then makes the platform's value the one that the document is compared with.
 */
export class ContestedFields implements FormConflicts {
  readonly list = new Store<readonly FieldConflict[]>([]);
  readonly #adopt: (field: string, theirs: unknown) => void;
  #forms = 0;

  constructor(adopt: (field: string, theirs: unknown) => void) {
    this.#adopt = adopt;
  }

  /** Whether a form shows the conflicts. */
  get isShown(): boolean {
    return this.#forms > 0;
  }

  /** Registers a form that shows the document, until the result is disposed. */
  show(): Disposable {
    this.#forms += 1;
    return {
      dispose: () => {
        this.#forms -= 1;
      },
    };
  }

  /** Records the conflicts that a save found; an empty list clears them. */
  found(fields: readonly string[], now: Fields): void {
    this.list.set(fields.map((field) => ({ field, theirs: Object.hasOwn(now, field) ? now[field] : undefined })));
  }

  /** Records the user's decision about a field: the next save compares it with the platform's current value. */
  decide(field: string): void {
    const conflict = this.list.value.find((each) => each.field === field);
    if (!conflict) return;
    this.#adopt(field, conflict.theirs);
    this.list.set(this.list.value.filter((each) => each !== conflict));
  }
}
