import * as v from 'valibot';
import { count, list, text } from '#base/message-shapes.ts';
import { parsed } from '#base/parsed.ts';
import { column, rowFilter, rowOrder, rows } from '#base/row-shapes.ts';

/** The messages between the extension host and two pages: the form that edits a document, and the table of a list. */

const Path = list(v.union([text, count]));
/** The position of a field in its document. */
export type FieldPath = v.InferOutput<typeof Path>;

/** The control of a field. A secret’s value never reaches the page. */
export type FieldControl =
  | { readonly is: 'text' | 'longText' | 'number'; readonly value: string }
  /** `isSet`: the platform or the document has a value. */
  | { readonly is: 'secret'; readonly isSet: boolean }
  | { readonly is: 'check'; readonly isOn: boolean }
  /** `chosen`: the index of a choice, or -1 for none. */
  | { readonly is: 'choice'; readonly choices: readonly string[]; readonly chosen: number }
  /** Values of one type, one per line. */
  | { readonly is: 'lines'; readonly value: string }
  | { readonly is: 'group'; readonly fields: readonly FormField[] }
  /** Entries with the same fields. `takesLines`: lines of an `.env` file can be added. */
  | {
      readonly is: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly FormField[])[];
      readonly takesLines: boolean;
    }
  /** A value that a form cannot edit. */
  | { readonly is: 'json'; readonly value: string };

/** A field of a document. */
export interface FormField {
  readonly path: FieldPath;
  readonly label: string;
  /** The meaning of the field; empty if it is not documented. */
  readonly help: string;
  readonly isRequired: boolean;
  /** The problem with the field; empty if there is none. */
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
  /** Both values as text; a secret’s value never reaches the page. */
  mine: text,
  theirs: text,
});
/** A field that the user and someone else changed to different values. */
export type FormConflict = Readonly<v.InferOutput<typeof Conflict>>;

const HostToForm = v.object({
  type: v.literal('state'),
  /** The heading: `User “ada@shop.example”`. */
  title: text,
  /** The account that owns the object. */
  owner: text,
  /** Whether the document has unsaved changes. */
  isDirty: v.boolean(),
  /** A problem with the document as a whole; empty if there is none. */
  problem: text,
  /** Conflicts that the user must resolve before the document is saved. */
  conflicts: list(Conflict),
  fields: list(Field),
  /** The number of the page's last edit that this state contains. */
  applied: count,
});
/** The current form of a document. */
export type FormState = v.InferOutput<typeof HostToForm>;

const Edit = { number: count, path: Path };

const FormToHost = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  /** The typed text, the index of a choice, or `true` or `false` for a check box. */
  v.object({ type: v.literal('set'), ...Edit, value: v.union([text, count, v.boolean()]) }),
  v.object({ type: v.literal('add'), ...Edit }),
  v.object({ type: v.literal('remove'), ...Edit }),
  /** Lines of an `.env` file. */
  v.object({ type: v.literal('addLines'), ...Edit, lines: text }),
  v.object({ type: v.literal('save') }),
  v.object({ type: v.literal('showJson') }),
  /** The value to keep for a conflicting field. */
  v.object({ type: v.literal('decide'), field: text, keep: v.picklist(['mine', 'theirs']) }),
]);
/** A message of a form. */
export type FormToHost = v.InferOutput<typeof FormToHost>;

/** Parses a message of the host; `undefined` if it is not one. */
export function parseHostToForm(value: unknown): FormState | undefined {
  return parsed(HostToForm, value);
}

/** Parses a message of a form; `undefined` if it is not one. */
export function parseFormToHost(value: unknown): FormToHost | undefined {
  return parsed(FormToHost, value);
}

/** The actions on the selected rows of a table. */
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
  /** The name of the list: `Users`. */
  title: text,
  /** The account that owns the list. */
  owner: text,
  columns: v.array(column),
  /** The number of rows that pass the filter, and of rows that are loaded. */
  count,
  loaded: count,
  isLoading: v.boolean(),
  /** Why not all rows are loaded; empty if they are. */
  problem: text,
  /** Changes whenever the rows, the order or the filter do: rows of another version are stale. */
  version: count,
  /** The indexes of the selected rows in the present order, and the number of all selected rows. */
  selected: v.array(count),
  selectedCount: count,
  /** The buttons, which name their objects: `Deactivate 3 Users`. */
  actions: v.array(v.object({ action: v.picklist(tableActions), label: text })),
  /** The type of a new object in this list; empty if the platform cannot create one. */
  creates: text,
});
/** The state of a table apart from its rows. */
export type TableState = v.InferOutput<typeof TableState>;

const HostToTable = v.variant('type', [
  TableState,
  v.object({ type: v.literal('rows'), version: count, offset: count, rows }),
]);
export type HostToTable = v.InferOutput<typeof HostToTable>;

const TableToHost = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'refresh', 'create']) }),
  v.object({ type: v.literal('rows'), offset: count, count }),
  v.object({ type: v.literal('sort'), order: v.optional(rowOrder) }),
  v.object({ type: v.literal('filter'), filter: rowFilter }),
  /** Selects or deselects a range of rows, both ends included, in the version that the user saw. */
  v.object({ type: v.literal('select'), version: count, from: count, to: count, isSelected: v.boolean() }),
  v.object({ type: v.literal('deselect') }),
  v.object({ type: v.literal('act'), action: v.picklist(tableActions) }),
]);
export type TableToHost = v.InferOutput<typeof TableToHost>;

/** Parses a message of the host; `undefined` if it is not one. */
export function parseHostToTable(value: unknown): HostToTable | undefined {
  return parsed(HostToTable, value);
}

/** Parses a message of a table; `undefined` if it is not one. */
export function parseTableToHost(value: unknown): TableToHost | undefined {
  return parsed(TableToHost, value);
}
