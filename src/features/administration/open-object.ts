import { isPlatformError } from '#api/errors.ts';
import { isObject } from '#api/schema.ts';
import { asError } from '#base/async.ts';
import { isEqual } from '#base/equal.ts';
import { UserError } from '#shell/user-error.ts';
import { changeLines } from './change-lines.ts';
import { type FieldChange, fieldChanges, mergedFields } from './changes.ts';
import { ContestedFields } from './contested-fields.ts';
import { type AdminDocument, type DocumentEdit, fieldOf, type FieldProblem } from './document.ts';
import type { Fields } from './rows.ts';
import { servedEdit } from './served-edit.ts';
import { adminError } from './admin-error.ts';

/** The confirmation before an object is saved. */
export interface SaveQuestion {
  readonly title: string;
  readonly detail: string;
  readonly button: string;
  /** The platform's current version, for comparison; absent for an object that is created. */
  readonly now: Fields | undefined;
}

export type ObjectSave =
  /** `shown` is the platform's current version; `isSent` is false if nothing had to be changed. */
  | { readonly kind: 'saved'; readonly shown: Fields; readonly isSent: boolean }
  /** A rule or the platform refused it; `problem` names the field. */
  | { readonly kind: 'refused'; readonly problem: FieldProblem; readonly error: Error };

/** What a save sends, on top of the platform's version `now`. */
interface SavePlan {
  readonly now: Fields;
  /** That version with the user's changes. */
  readonly fields: Fields;
  readonly changes: readonly FieldChange[];
  /** The fields that someone else changed, too. */
  readonly contested: readonly string[];
}

interface ObjectPorts {
  /** The account that owns the object, for confirmations. */
  readonly owner: string;
  /** Resolves to the server's description of its operations; `undefined` if it is not available. */
  readonly description: () => Promise<Fields | undefined>;
  readonly ask: (question: SaveQuestion) => Promise<boolean>;
}

/**
 * An object of a tenant that is open in an editor. Holds the version that the editor was given; checks an edited one, compares it
 * with what others changed meanwhile, and sends it.
 */
export class OpenObject {
  readonly contested: ContestedFields;
  readonly #ports: ObjectPorts;
  #document: AdminDocument;
  /** How the object can be edited, as of the last read. */
  #edit: DocumentEdit | undefined;
  /** The version that the editor was last given. */
  #shown: Fields = {};

  constructor(document: AdminDocument, ports: ObjectPorts) {
    this.#document = document;
    this.#edit = document.edit;
    this.#ports = ports;
    this.contested = new ContestedFields((field, theirs) => {
      this.#shown = { ...this.#shown, [field]: theirs };
    });
  }

  /** The open document; creating an object replaces it with the object's own document. */
  get document(): AdminDocument {
    return this.#document;
  }

  /** How the object can be edited, as of the last read. */
  get edit(): DocumentEdit | undefined {
    return this.#edit;
  }

  /** Resolves to how the object can be edited by the server's current description; `undefined` for a read-only object. */
  async editNow(): Promise<DocumentEdit | undefined> {
    const { edit, title } = this.#document;
    return edit && servedEdit(edit, title, await this.#ports.description());
  }

  /** Reads the current version. Throws `PlatformError`, or `UserError` if the permission is missing. */
  async read(): Promise<Fields> {
    this.#edit = await this.editNow();
    this.#shown = await this.#present();
    this.contested.found([], this.#shown);
    return this.#shown;
  }

  /** Returns the problem with an edited document. */
  check(edited: unknown): FieldProblem | undefined {
    if (!this.#edit || !isObject(edited)) return undefined;
    const checked = this.#edit.check(fieldsOf(edited), this.#edit.isNew ? {} : this.#shown);
    return checked.ok ? undefined : checked.error;
  }

  /**
   * Checks the document, asks for confirmation and sends it. Throws `UserError` if nothing can be saved, the user declined, or a
   * form has conflicts to resolve; `PlatformError` if the present version cannot be read. `onSent` runs after a request was sent,
   * whether it succeeded or not.
   */
  async save(edited: unknown, onSent: () => Promise<void>): Promise<ObjectSave> {
    const { title, readonlyReason } = this.#document;
    const edit = await this.editNow();
    if (!edit) {
      throw new UserError(readonlyReason ?? `The platform has no operation that changes ${title}, so it is read-only.`);
    }
    if (!isObject(edited)) return refused({ field: '', message: 'The document must be a JSON object.' });
    const fields = fieldsOf(edited);
    let plan = await this.#plan(edit, fields);
    for (let agreed: SavePlan | undefined; !isSamePlan(agreed, plan); plan = await this.#plan(edit, fields)) {
      const checked = edit.check(plan.fields, plan.now);
      if (!checked.ok) return refused(checked.error);
      if (plan.changes.length === 0) return this.#saved(plan.now, false);
      this.#requireDecisions(plan.contested, plan.now);
      await this.#confirm(edit, plan);
      agreed = plan;
    }
    try {
      this.#document = await edit.send(plan.fields, plan.now);
    } catch (error) {
      return this.#failed(error, plan.changes);
    } finally {
      await onSent();
    }
    return this.#saved(await this.#present(), true);
  }

  /** Compares the edited document with the platform’s current version, which others change also while a question is open. */
  async #plan(edit: DocumentEdit, edited: Fields): Promise<SavePlan> {
    const now = edit.isNew ? {} : await this.#present();
    this.contested.found([], now);
    const { fields, contested } = mergedFields(edit.isNew ? {} : this.#shown, edited, now);
    return { now, fields, contested, changes: fieldChanges(now, fields) };
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

  /** A form shows each conflicting field, so no single question has to cover all of them. */
  #requireDecisions(contested: readonly string[], now: Fields): void {
    if (contested.length === 0 || !this.contested.isShown) return;
    this.contested.found(contested, now);
    throw new UserError(
      `Someone changed ${this.#document.title} on the platform meanwhile. Choose in the form which values to keep, then save again.`,
    );
  }

  async #confirm({ isNew, schema }: DocumentEdit, { now, contested, changes }: SavePlan): Promise<void> {
    const { title } = this.#document;
    const isContested = contested.length > 0;
    const sure = await this.#ports.ask({
      title: isNew
        ? `Create this ${title.replace(/^new /, '')}?`
        : isContested
          ? `Someone changed ${title} on the platform meanwhile. Replace that version?`
          : `Save ${title}?`,
      detail: `${this.#ports.owner}\n\n${changeLines(changes, schema).join('\n')}`,
      button: isNew ? 'Create' : isContested ? 'Replace' : 'Save',
      now: isNew ? undefined : now,
    });
    if (!sure) throw new UserError('Cancelled: nothing was sent. Your change is still in the document.');
  }

  /**
   * Places the problem at the field that the platform names, or else at the only field that changed, or else at the whole
   * document.
   */
  #failed(thrown: unknown, changes: readonly FieldChange[]): ObjectSave {
    const error = adminError(asError(thrown), `save ${this.#document.title}`);
    const named = isPlatformError(error) ? fieldOf(error.field) : '';
    const field = named === '' && changes.length === 1 ? (changes[0]?.field ?? '') : named;
    return { kind: 'refused', problem: { field, message: error.message }, error };
  }
}

/** Whether the user who agreed to a plan also agrees to another one: others changed at most fields that it leaves alone. */
function isSamePlan(agreed: SavePlan | undefined, plan: SavePlan): boolean {
  return agreed !== undefined && isEqual(agreed.changes, plan.changes) && isEqual(agreed.contested, plan.contested);
}

function refused(problem: FieldProblem): ObjectSave {
  return { kind: 'refused', problem, error: new UserError(problem.message) };
}

/** Returns the fields of an edited document without `$schema`, which is for the editor. */
function fieldsOf(edited: Fields): Fields {
  const { $schema: _, ...fields } = edited;
  return fields;
}
