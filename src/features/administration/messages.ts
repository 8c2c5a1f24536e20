import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';
import { rowConditions } from '#base/row-filter.ts';

/**
 * Messages between the extension host and two pages: the form that edits a document of the platform, and the table of a list.
 */

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

/** What can be done with the selected rows of a table. */
export const tableActions = [
  'open',
  'editValues',
  'activate',
  'deactivate',
  'connect',
  'removeMembers',
  'delete',
] as const;
export type TableAction = (typeof tableActions)[number];

const TableState = v.object({
  type: v.literal('state'),
  /** What the list holds: `Users`. */
  title: text,
  /** Whose they are. */
  owner: text,
  columns: v.array(v.object({ name: text, type: text })),
  /** Rows that the filter leaves, and rows that have arrived. */
  count,
  loaded: count,
  isLoading: v.boolean(),
  /** Why not all rows are here; empty where they are. */
  problem: text,
  /** Changes whenever rows, order or filter do: rows of another version are stale. */
  version: count,
  /** Numbers of the selected rows in the present order, and how many are selected in all. */
  selected: v.array(count),
  selectedCount: count,
  /** The buttons, which name what they act on: `Deactivate 3 Users`. */
  actions: v.array(v.object({ action: v.picklist(tableActions), label: text })),
  /** What a new object of the list is; empty where the platform makes none. */
  creates: text,
});
/** What a table shows around its rows. */
export type TableState = v.InferOutput<typeof TableState>;

const HostToTable = v.variant('type', [
  TableState,
  v.object({ type: v.literal('rows'), version: count, offset: count, rows: v.array(v.array(v.nullable(text))) }),
]);
export type HostToTable = v.InferOutput<typeof HostToTable>;

const TableToHost = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'refresh', 'create']) }),
  v.object({ type: v.literal('rows'), offset: count, count }),
  v.object({ type: v.literal('sort'), order: v.optional(v.object({ column: count, descending: v.boolean() })) }),
  v.object({
    type: v.literal('filter'),
    filter: v.object({ column: v.optional(count), condition: v.picklist(rowConditions), value: text }),
  }),
  /** Selects or deselects rows from one number to another, both included, of the version that the user saw. */
  v.object({ type: v.literal('select'), version: count, from: count, to: count, isSelected: v.boolean() }),
  v.object({ type: v.literal('deselect') }),
  v.object({ type: v.literal('act'), action: v.picklist(tableActions) }),
]);
export type TableToHost = v.InferOutput<typeof TableToHost>;

/** A message of the host, or `undefined` when it is none. */
export function parseHostToTable(value: unknown): HostToTable | undefined {
  return parsed(HostToTable, value);
}

/** A message of a table, or `undefined` when it is none. */
export function parseTableToHost(value: unknown): TableToHost | undefined {
  return parsed(TableToHost, value);
}
