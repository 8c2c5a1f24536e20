import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';

/** Messages between the extension host, which owns a document of the platform, and the form that edits it. */

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const list = <S extends v.GenericSchema>(schema: S) => v.pipe(v.array(schema), v.readonly());

const Path = list(v.union([text, count]));
/** Where a field is in its document. */
export type FieldPath = v.InferOutput<typeof Path>;

/** What a field takes. A secret’s value never reaches the page. */
export type FieldControl =
  | { readonly is: 'text' | 'longText' | 'number'; readonly value: string }
  /** `isSet`: the platform or the document has a value. */
  | { readonly is: 'secret'; readonly isSet: boolean }
  | { readonly is: 'check'; readonly isOn: boolean }
  /** `chosen`: the index of a choice; -1: none of them. */
  | { readonly is: 'choice'; readonly choices: readonly string[]; readonly chosen: number }
  /** Values of one kind, a line each. */
  | { readonly is: 'lines'; readonly value: string }
  | { readonly is: 'group'; readonly fields: readonly FormField[] }
  /** Entries with the same fields. `takesLines`: lines of an `.env` file can be added. */
  | {
      readonly is: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly FormField[])[];
      readonly takesLines: boolean;
    }
  /** What a form cannot edit. */
  | { readonly is: 'json'; readonly value: string };

/** A field of a document. */
export interface FormField {
  readonly path: FieldPath;
  readonly label: string;
  /** What it means; empty where nothing says so. */
  readonly help: string;
  readonly isRequired: boolean;
  /** What is wrong with it; empty where nothing is. */
  readonly problem: string;
  readonly severity: 'error' | 'warning';
  readonly control: FieldControl;
}

const Control: v.GenericSchema<FieldControl> = v.variant('is', [
  v.object({ is: v.picklist(['text', 'longText', 'number']), value: text }),
  v.object({ is: v.literal('secret'), isSet: v.boolean() }),
  v.object({ is: v.literal('check'), isOn: v.boolean() }),
  v.object({ is: v.literal('choice'), choices: list(text), chosen: v.pipe(v.number(), v.integer()) }),
  v.object({ is: v.literal('lines'), value: text }),
  v.object({ is: v.literal('group'), fields: v.lazy(() => list(Field)) }),
  v.object({
    is: v.literal('table'),
    columns: list(text),
    rows: v.lazy(() => list(list(Field))),
    takesLines: v.boolean(),
  }),
  v.object({ is: v.literal('json'), value: text }),
]);

const Field: v.GenericSchema<FormField> = v.object({
  path: Path,
  label: text,
  help: text,
  isRequired: v.boolean(),
  problem: text,
  severity: v.picklist(['error', 'warning']),
  control: Control,
});

const Conflict = v.object({
  field: text,
  label: text,
  /** Both values in words; a secret’s value never reaches the page. */
  mine: text,
  theirs: text,
});
/** A field that someone else changed meanwhile, to another value than the user. */
export type FormConflict = Readonly<v.InferOutput<typeof Conflict>>;

const HostToForm = v.object({
  type: v.literal('state'),
  /** The heading: `User “ada@shop.example”`. */
  title: text,
  /** Whose object it is. */
  owner: text,
  /** Whether the document has changes that were not saved. */
  isDirty: v.boolean(),
  /** What is wrong with the document as a whole; empty where nothing is. */
  problem: text,
  /** What the user must decide about before the document is saved. */
  conflicts: list(Conflict),
  fields: list(Field),
  /** Number of the last edit of the page that this state contains. */
  applied: count,
});
/** The form of a document as it is now. */
export type FormState = v.InferOutput<typeof HostToForm>;

const Edit = { number: count, path: Path };

const FormToHost = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  /** What was typed; a choice by its index, a check box as `true` or `false`. */
  v.object({ type: v.literal('set'), ...Edit, value: v.union([text, count, v.boolean()]) }),
  v.object({ type: v.literal('add'), ...Edit }),
  v.object({ type: v.literal('remove'), ...Edit }),
  /** Lines of an `.env` file. */
  v.object({ type: v.literal('addLines'), ...Edit, lines: text }),
  v.object({ type: v.literal('save') }),
  v.object({ type: v.literal('showJson') }),
  /** Which value of a contested field is kept. */
  v.object({ type: v.literal('decide'), field: text, keep: v.picklist(['mine', 'theirs']) }),
]);
/** What a user does in a form. */
export type FormToHost = v.InferOutput<typeof FormToHost>;

/** A message of the host, or `undefined` when it is none. */
export function parseHostToForm(value: unknown): FormState | undefined {
  return parsed(HostToForm, value);
}

/** A message of a form, or `undefined` when it is none. */
export function parseFormToHost(value: unknown): FormToHost | undefined {
  return parsed(FormToHost, value);
}
