import type { Disposable } from '#base/disposable.ts';
import { Store } from '#base/store.ts';
import type { FieldConflict, FormConflicts } from '#shell/form-conflicts.ts';
import type { Fields } from './rows.ts';

/**
 * Fields of a document that someone else changed on the platform meanwhile, to another value than the user. Where a form is open, the
 * user decides there about each of them; `adopt` makes what the platform has the version that the document is compared with.
 */
export class ContestedFields implements FormConflicts {
  readonly list = new Store<readonly FieldConflict[]>([]);
  readonly #adopt: (field: string, theirs: unknown) => void;
  #forms = 0;

  constructor(adopt: (field: string, theirs: unknown) => void) {
    this.#adopt = adopt;
  }

  /** Whether a form shows what is contested. */
  get isShown(): boolean {
    return this.#forms > 0;
  }

  /** A form shows the document until this is disposed. */
  show(): Disposable {
    this.#forms += 1;
    return {
      dispose: () => {
        this.#forms -= 1;
      },
    };
  }

  /** What a save found; nothing where there is no conflict. */
  found(fields: readonly string[], now: Fields): void {
    this.list.set(fields.map((field) => ({ field, theirs: Object.hasOwn(now, field) ? now[field] : undefined })));
  }

  /** The user has decided about a field: the next save compares it with what the platform has. */
  decide(field: string): void {
    const conflict = this.list.value.find((each) => each.field === field);
    if (!conflict) return;
    this.#adopt(field, conflict.theirs);
    this.list.set(this.list.value.filter((each) => each !== conflict));
  }
}
