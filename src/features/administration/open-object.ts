import { isPlatformError } from '#api/errors.ts';
import { isObject } from '#api/schema.ts';
import { asError } from '#base/async.ts';
import { UserError } from '#shell/user-error.ts';
import { changeText, type FieldChange, fieldChanges, mergedFields } from './changes.ts';
import { ContestedFields } from './contested-fields.ts';
import { type AdminDocument, type DocumentEdit, fieldOf, type FieldProblem } from './document.ts';
import type { Fields } from './rows.ts';
import { servedEdit } from './served-edit.ts';
import { adminError } from './admin-error.ts';

/** What a user is asked before an object is sent. */
export interface SaveQuestion {
  readonly title: string;
  readonly detail: string;
  readonly button: string;
  /** What the platform has now, to compare with; absent for an object that is created. */
  readonly now: Fields | undefined;
}

export type ObjectSave =
  /** `shown` is what the platform has now, and `isSent` whether it had to be changed for that. */
  | { readonly kind: 'saved'; readonly shown: Fields; readonly isSent: boolean }
  /** A rule or the platform refused it; `problem` says at which field. */
  | { readonly kind: 'refused'; readonly problem: FieldProblem; readonly error: Error };

interface ObjectPorts {
  /** The account that the object belongs to, for questions. */
  readonly owner: string;
  /** The server's own description of its operations; nothing where it cannot be asked now. */
  readonly description: () => Promise<Fields | undefined>;
  readonly ask: (question: SaveQuestion) => Promise<boolean>;
}

/**
 * An object of a tenant that is open in an editor: the version that the editor was given, and how an edited one is checked, compared
 * with what others changed meanwhile, and sent.
 */
export class OpenObject {
  readonly contested: ContestedFields;
  readonly #ports: ObjectPorts;
  #document: AdminDocument;
  /** How it was edited when it was read. */
  #edit: DocumentEdit | undefined;
  /** What the editor was last given. */
  #shown: Fields = {};

  constructor(document: AdminDocument, ports: ObjectPorts) {
    this.#document = document;
    this.#edit = document.edit;
    this.#ports = ports;
    this.contested = new ContestedFields((field, theirs) => {
      this.#shown = { ...this.#shown, [field]: theirs };
    });
  }

  /** What is open; saving a new object makes it another document. */
  get document(): AdminDocument {
    return this.#document;
  }

  /** How it was edited when it was read last. */
  get edit(): DocumentEdit | undefined {
    return this.#edit;
  }

  /** How it is edited by the server's description; nothing for an object that is only shown. */
  async editNow(): Promise<DocumentEdit | undefined> {
    const { edit, title } = this.#document;
    return edit && servedEdit(edit, title, await this.#ports.description());
  }

  /** Throws `PlatformError`; `UserError` without the permission. */
  async read(): Promise<Fields> {
    this.#edit = await this.editNow();
    this.#shown = await this.#present();
    this.contested.found([], this.#shown);
    return this.#shown;
  }

  /** What is wrong with an edited text. */
  check(edited: unknown): FieldProblem | undefined {
    if (!this.#edit || !isObject(edited)) return undefined;
    const checked = this.#edit.check(fieldsOf(edited), this.#edit.isNew ? {} : this.#shown);
    return checked.ok ? undefined : checked.error;
  }

  /**
   * Checks, asks and sends. Throws `UserError` where nothing can be saved, the user declined, or a form shows fields to decide about;
   * `PlatformError` where the present version cannot be read. `onSent` runs once something was sent, whatever came of it.
   */
  async save(edited: unknown, onSent: () => Promise<void>): Promise<ObjectSave> {
    const { title, readonlyReason } = this.#document;
    const edit = await this.editNow();
    if (!edit) {
      throw new UserError(readonlyReason ?? `The platform has no operation that changes ${title}, so it is read-only.`);
    }
    if (!isObject(edited)) return refused({ field: '', message: 'The document must be a JSON object.' });
    const now = edit.isNew ? {} : await this.#present();
    this.contested.found([], now);
    const merged = mergedFields(edit.isNew ? {} : this.#shown, fieldsOf(edited), now);
    const checked = edit.check(merged.fields, now);
    if (!checked.ok) return refused(checked.error);
    const changes = fieldChanges(now, checked.value);
    if (changes.length === 0) return this.#saved(now, false);
    this.#requireDecisions(merged.contested, now);
    await this.#confirm(edit.isNew, merged.contested.length > 0, changes, now);
    try {
      this.#document = await edit.send(checked.value, now);
    } catch (error) {
      return this.#failed(error, changes);
    } finally {
      await onSent();
    }
    return this.#saved(await this.#present(), true);
  }

  #saved(shown: Fields, isSent: boolean): ObjectSave {
    this.#shown = shown;
    return { kind: 'saved', shown, isSent };
  }

  async #present(): Promise<Fields> {
    const { title } = this.#document;
    return this.#document.read().catch((error: unknown) => {
      throw adminError(error, `read ${title}`);
    });
  }

  /** A form shows each contested field, so that nothing has to be asked about all of them together. */
  #requireDecisions(contested: readonly string[], now: Fields): void {
    if (contested.length === 0 || !this.contested.isShown) return;
    this.contested.found(contested, now);
    throw new UserError(
      `Someone changed ${this.#document.title} on the platform meanwhile. Choose in the form which values to keep, then save again.`,
    );
  }

  async #confirm(isNew: boolean, isContested: boolean, changes: readonly FieldChange[], now: Fields): Promise<void> {
    const { title } = this.#document;
    const sure = await this.#ports.ask({
      title: isNew
        ? `Create this ${title.replace(/^new /, '')}?`
        : isContested
          ? `Someone changed ${title} on the platform meanwhile. Replace that version?`
          : `Save ${title}?`,
      detail: `${this.#ports.owner}\n\n${changes.map(changeText).join('\n')}`,
      button: isNew ? 'Create' : isContested ? 'Replace' : 'Save',
      now: isNew ? undefined : now,
    });
    if (!sure) throw new UserError('Cancelled: nothing was sent. Your change is still in the document.');
  }

  /** The problem is at the field that the platform names, else at the only one that was changed, else at the whole document. */
  #failed(thrown: unknown, changes: readonly FieldChange[]): ObjectSave {
    const error = adminError(asError(thrown), `save ${this.#document.title}`);
    const named = isPlatformError(error) ? fieldOf(error.field) : '';
    const field = named === '' && changes.length === 1 ? (changes[0]?.field ?? '') : named;
    return { kind: 'refused', problem: { field, message: error.message }, error };
  }
}

function refused(problem: FieldProblem): ObjectSave {
  return { kind: 'refused', problem, error: new UserError(problem.message) };
}

/** The fields of an edited document; `$schema` belongs to the editor. */
function fieldsOf(edited: Fields): Fields {
  const { $schema: _, ...fields } = edited;
  return fields;
}
