import stripComments from 'strip-json-comments';
import { isObject } from '#api/schema.ts';
import { isEqual } from '#base/equal.ts';
import type { DocumentProblem } from '#shell/env-vars.ts';
import type { DocumentForm } from '#shell/document-form.ts';
import { type JsonPath, keyOf } from '#shell/json-text.ts';
import { UserError } from '#shell/user-error.ts';
import {
  addedEntry,
  addedVariables,
  type EditedDocument,
  keepsSecret,
  type TextEdit,
  typedValue,
  writeAt,
} from './form-edits.ts';
import { shown } from './change-lines.ts';
import { formFields } from './form-fields.ts';
import { properties, requiredOf, valueAt } from './form-schema.ts';
import { labelAt } from './field-label.ts';
import type { FieldPath, FormConflict, FormField, FormState, FormToHost } from './messages.ts';

/** The editor with the document of the object. */
export interface FormDocument {
  readonly text: () => string;
  readonly isDirty: () => boolean;
  /** Applies edits of the present text as one undoable step; resolves to `false` if the text changed before they were applied. */
  readonly apply: (edits: readonly TextEdit[]) => Promise<boolean>;
  /** Returns the problems that the last save of the document reported. */
  readonly refused: () => readonly DocumentProblem[];
  readonly save: () => Promise<void>;
  readonly showJson: () => Promise<void>;
}

/** The dependencies of a form. */
export interface FormPorts {
  readonly object: DocumentForm;
  readonly document: FormDocument;
  /** Parses lines of an `.env` file. */
  readonly readLines: (lines: string) => Readonly<Record<string, string | undefined>>;
  readonly post: (state: FormState) => void;
}

type PageEdit = Extract<FormToHost, { readonly number: number }>;

/**
 * The host side of one form. Its only state is the text of the document, which VS Code saves, undoes and compares like any other.
 */
export class FormSession {
  readonly #ports: FormPorts;
  #last: Promise<void> = Promise.resolve();
  #applied = 0;
  /** Problems that the last save reported and the user has not edited since. */
  #refused: readonly DocumentProblem[] = [];
  /** The original values of secrets that the user typed over. */
  #secrets = new Map<string, unknown>();

  constructor(ports: FormPorts) {
    this.#ports = ports;
  }

  /** Handles a message of the page after all earlier ones. */
  async receive(message: FormToHost): Promise<void> {
    const done = this.#last.then(async () => this.#handle(message));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Shows the document again after it changed, was saved or was reverted. */
  async update(): Promise<void> {
    const done = this.#last.then(async () => this.#show());
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Shows the problems that a save of the document reported. */
  async refuse(): Promise<void> {
    this.#refused = this.#ports.document.refused();
    return this.update();
  }

  async #handle(message: FormToHost): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.#show();
      case 'save':
        return this.#ports.document.save();
      case 'showJson':
        return this.#ports.document.showJson();
      case 'decide':
        return this.#decide(message.field, message.keep);
      default:
        await this.#edit(message);
    }
  }

  /** Resolves the conflict of a field that someone else changed too. */
  async #decide(field: string, keep: 'mine' | 'theirs'): Promise<void> {
    const { conflicts } = this.#ports.object;
    const conflict = conflicts?.list.value.find((each) => each.field === field);
    if (!conflicts || !conflict) return;
    if (keep === 'theirs') await this.#apply(({ text }) => writeAt(text, [field], conflict.theirs));
    conflicts.decide(field);
    await this.#show();
  }

  async #edit(message: PageEdit): Promise<void> {
    this.#applied = message.number;
    this.#refused = this.#refused.filter(({ path }) => !isEqual(path, message.path));
    await this.#apply((edited) => this.#edits(edited, message));
    await this.#show();
  }

  /**
   * Applies the edits that `editsOf` makes of the document, and makes them again if its text was changed elsewhere at that moment.
   * Does nothing while the document is not an object.
   */
  async #apply(editsOf: (edited: EditedDocument) => readonly TextEdit[]): Promise<void> {
    for (;;) {
      const edited = await this.#edited();
      const edits = edited ? editsOf(edited) : [];
      if (edits.length === 0 || (await this.#ports.document.apply(edits))) return;
      if (this.#ports.document.text() === edited?.text)
        throw new UserError('VS Code did not apply the change. Nothing was changed.');
    }
  }

  #edits(edited: EditedDocument, message: PageEdit): readonly TextEdit[] {
    const { path } = message;
    if (message.type === 'set') return this.#setEdits(edited, path, message.value);
    switch (message.type) {
      case 'add':
        return addedEntry(edited, path);
      case 'remove':
        this.#secrets = withoutEntry(this.#secrets, path);
        return writeAt(edited.text, path, undefined);
      default:
        return addedVariables(edited, path, this.#ports.readLines(message.lines));
    }
  }

  #setEdits(edited: EditedDocument, path: FieldPath, typed: string | number | boolean): readonly TextEdit[] {
    const key = keyOf(path);
    const before = valueAt(edited.value, path);
    if (keepsSecret(edited.value, path, typed)) {
      return this.#secrets.has(key) ? writeAt(edited.text, path, this.#secrets.get(key)) : [];
    }
    const next = typedValue(edited, path, typed);
    if (isEqual(next, before)) return [];
    if (!this.#secrets.has(key)) this.#secrets.set(key, before);
    return writeAt(edited.text, path, next);
  }

  async #edited(): Promise<EditedDocument | undefined> {
    const schema = await this.#ports.object.schema();
    // Read last: edits are made for the text that the document has now.
    const text = this.#ports.document.text();
    const value = read(text);
    return isObject(value) ? { text, value, schema } : undefined;
  }

  /** Returns both values of each conflicting field; secrets are not sent to the page. */
  #conflicts({ value, schema }: EditedDocument): readonly FormConflict[] {
    const open = this.#ports.object.conflicts?.list.value ?? [];
    if (open.length === 0) return [];
    const fields = formFields(schema, value, () => undefined);
    return open.map(({ field, theirs }) => {
      const known = fields.find(({ path }) => isEqual(path, [field]));
      const isSecret = known?.control.is === 'secret';
      const text = (of: unknown): string =>
        of === undefined ? 'Not set' : isSecret ? '•••' : shown(field, of, schema);
      return {
        field,
        label: labelAt(schema, [field]),
        mine: text(valueAt(value, [field])),
        theirs: text(theirs),
      };
    });
  }

  async #show(): Promise<void> {
    const { object, document, post } = this.#ports;
    const { title, owner } = object;
    const edited = await this.#edited();
    const conflicts = edited ? this.#conflicts(edited) : [];
    const state = {
      type: 'state',
      title,
      owner,
      isDirty: document.isDirty(),
      applied: this.#applied,
      conflicts,
    } as const;
    if (!edited) {
      post({ ...state, problem: 'This document is not a JSON object now. Edit it as JSON.', fields: [] });
      return;
    }
    const found = [...this.#refused, ...missingFields(edited), ...object.problems(edited.value)];
    const fields = formFields(edited.schema, edited.value, (path) => found.find((each) => isEqual(each.path, path)));
    const shown = new Set(pathsOf(fields));
    const rest = found.filter(({ path, severity }) => severity === 'error' && !shown.has(keyOf(path)));
    post({ ...state, fields, problem: rest[0]?.message ?? '' });
  }
}

/** Returns a problem for each required field that is blank. */
function missingFields({ value, schema }: EditedDocument): readonly DocumentProblem[] {
  const needed = requiredOf(schema).filter((name) => typeof name === 'string' && name in properties(schema));
  return (needed as readonly string[])
    .filter((name) => ['', null].includes(valueAt(value, [name]) as string | null))
    .map((name) => ({ path: [name], message: 'Fill in this field.', severity: 'error' }));
}

/** Returns values by the keys of their paths once an entry of a list was removed: those of the entries after it move up. */
function withoutEntry(values: ReadonlyMap<string, unknown>, removed: FieldPath): Map<string, unknown> {
  const [list, at] = [removed.slice(0, -1), Number(removed.at(-1))];
  const moved = [...values].flatMap(([key, value]) => {
    const path = JSON.parse(key) as FieldPath;
    const index = Number(path[list.length]);
    if (!isEqual(path.slice(0, list.length), list) || !(index >= at)) return [[key, value] as const];
    return index === at ? [] : [[keyOf(path.with(list.length, index - 1)), value] as const];
  });
  return new Map(moved);
}

function pathsOf(fields: readonly FormField[]): readonly string[] {
  return fields.flatMap(({ path, control }) => {
    const inner: readonly FormField[] =
      control.is === 'group' ? control.fields : control.is === 'table' ? control.rows.flat() : [];
    return [keyOf(path), ...pathsOf(inner)];
  });
}

function read(text: string): unknown {
  try {
    return JSON.parse(stripComments(text));
  } catch {
    return undefined;
  }
}

/** Converts a dotted field to a path of the document; a name can itself contain a dot. */
export function pathOfField(document: unknown, field: string): JsonPath {
  if (field === '') return [];
  if (isObject(document) && Object.hasOwn(document, field)) return [field];
  return field.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
