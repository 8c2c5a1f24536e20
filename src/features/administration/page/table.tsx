import { type Signal, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import type { FieldControl, FieldPath, FormField } from '#features/administration/messages.ts';
import { plural } from '#base/words.ts';
import { visible } from '#shared/page/visible.ts';
import { type FormModel, idOf, keyOf } from './model.ts';

type TableControl = Extract<FieldControl, { readonly is: 'table' }>;

interface TableProps {
  readonly model: FormModel;
  readonly field: FormField;
  readonly control: TableControl;
  /** The control for the value of a cell. */
  readonly Control: ComponentType<{ readonly model: FormModel; readonly field: FormField; readonly label?: string }>;
}

/** The number of entries from which the table can be searched. */
const searchable = 6;

/** Entries with the same fields, one per row, edited in place. */
export function Table({ model, field, control, Control }: TableProps) {
  const search = useSignal('');
  const all = control.rows.map((cells, at) => ({ cells, at }));
  const shown = all.filter(({ cells }) => matches(cells, search.value));
  const add = (): void => {
    search.value = '';
    model.add(field.path);
  };
  return (
    <>
      {(all.length >= searchable || search.value !== '') && (
        <Search label={field.label} search={search} shown={shown.length} all={all.length} />
      )}
      {all.length > 0 && (
        <table>
          <Heads columns={control.columns} />
          <tbody>
            {shown.map(({ cells, at }) => (
              <Row key={at} model={model} list={field.path} cells={cells} at={at} Control={Control} />
            ))}
          </tbody>
        </table>
      )}
      <div class="tools">
        <button type="button" class="secondary" onClick={add}>
          Add Row
        </button>
        {control.takesLines && <Lines model={model} field={field} />}
      </div>
    </>
  );
}

interface SearchProps {
  readonly label: string;
  readonly search: Signal<string>;
  readonly shown: number;
  readonly all: number;
}

function Search({ label, search, shown, all }: SearchProps) {
  return (
    <div class="tools">
      <input
        type="search"
        aria-label={`Search ${visible(label)}`}
        placeholder="Search"
        value={search.value}
        onInput={({ currentTarget }) => (search.value = currentTarget.value)}
      />
      <span class="hint" role="status">
        {search.value === '' ? plural(all, 'row') : `${shown} of ${plural(all, 'row')}`}
      </span>
    </div>
  );
}

function Heads({ columns }: { readonly columns: readonly string[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {visible(column)}
          </th>
        ))}
        <th>
          <span class="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

interface RowProps extends Pick<TableProps, 'model' | 'Control'> {
  readonly list: FieldPath;
  readonly cells: readonly FormField[];
  readonly at: number;
}

function Row({ model, list, cells, at, Control }: RowProps) {
  const number = `row ${at + 1}`;
  const name = nameOf(cells);
  return (
    <tr>
      {cells.map((cell) => (
        <td key={keyOf(cell.path)} data-label={visible(cell.label)}>
          <Control model={model} field={cell} label={`${cell.label}, ${number}`} />
          {model.showsProblem(cell) && (
            <p class={cell.severity === 'error' ? 'problem' : 'warning'} id={`${idOf(cell.path)}-problem`}>
              {visible(cell.problem)}
            </p>
          )}
        </td>
      ))}
      <td class="remove">
        <button
          type="button"
          class="secondary"
          aria-label={`Remove ${name === '' ? number : visible(name)}`}
          onClick={() => model.remove([...list, at])}
        >
          Remove
        </button>
      </td>
    </tr>
  );
}

/** An input for lines of an `.env` file. */
function Lines({ model, field }: { readonly model: FormModel; readonly field: FormField }) {
  const isOpen = useSignal(false);
  const lines = useSignal('');
  if (!isOpen.value) {
    return (
      <button type="button" class="secondary" onClick={() => (isOpen.value = true)}>
        Paste .env Lines
      </button>
    );
  }
  const close = (): void => {
    isOpen.value = false;
    lines.value = '';
  };
  return (
    <div class="lines">
      <label for="env-lines">Lines such as NAME=value. A known name gets the new value.</label>
      <textarea
        id="env-lines"
        rows={5}
        spellcheck={false}
        value={lines.value}
        onInput={({ currentTarget }) => (lines.value = currentTarget.value)}
      />
      <div class="tools">
        <button
          type="button"
          disabled={lines.value.trim() === ''}
          onClick={() => {
            model.addLines(field.path, lines.value);
            close();
          }}
        >
          Add Variables
        </button>
        <button type="button" class="secondary" onClick={close}>
          Cancel
        </button>
      </div>
    </div>
  );
}

function matches(cells: readonly FormField[], search: string): boolean {
  return search === '' || nameOf(cells).toLowerCase().includes(search.toLowerCase());
}

/** Returns the first text of a row that is not secret. */
function nameOf(cells: readonly FormField[]): string {
  const [first] = cells.flatMap(({ control }) => (control.is === 'text' ? [control.value] : []));
  return first ?? '';
}
