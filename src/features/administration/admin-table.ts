import { asError, isCancelled } from '#base/async.ts';
import { arrangedRows, type RowArrangement } from '#base/arranged-rows.ts';
import type { Row } from '#base/cells.ts';
import type { Disposable } from '#base/disposable.ts';
import { plural, titleCase } from '#base/words.ts';
import { creatable } from './new-object.ts';
import { deletable } from './bulk-actions.ts';
import type { LoadRows } from './lists.ts';
import type { HostToTable, TableAction, TableState, TableToHost } from './messages.ts';
import { type AdminList, type AdminRow, listLabels, typeLabels } from './rows.ts';
import { tableColumns } from './table-columns.ts';

/** The data source and the actions of a table. */
export interface AdminTablePorts {
  readonly load: LoadRows;
  readonly post: (message: HostToTable) => void;
  /** Acts on the selected rows and refreshes the lists that this changes. */
  readonly act: (action: TableAction, rows: readonly [AdminRow, ...AdminRow[]]) => Promise<void>;
  readonly create: () => Promise<void>;
}

/** The maximum number of rows that a page can request at once. */
const mostAtOnce = 1_000;

/**
 * The host side of one list as a table. Loads all rows page by page, sorts and filters them, and keeps the selection by id so
 * that it survives a filter or a refresh.
 */
export class AdminTable implements Disposable {
  readonly #list: AdminList;
  readonly #owner: string;
  readonly #ports: AdminTablePorts;
  readonly #columns;
  #rows: readonly AdminRow[] = [];
  #arrangement: RowArrangement = {};
  #shown: readonly AdminRow[] = [];
  #selected: ReadonlySet<string> = new Set();
  #version = 0;
  #problem = '';
  #loading: AbortController | undefined;
  #isReady = false;

  constructor({ list, owner }: { readonly list: AdminList; readonly owner: string }, ports: AdminTablePorts) {
    this.#list = list;
    this.#owner = owner;
    this.#ports = ports;
    this.#columns = tableColumns(list.list);
  }

  /** Handles a message of the page; rejects with the error to show. */
  async receive(message: TableToHost): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        if (this.#loading || this.#rows.length > 0) this.#post();
        else await this.refresh();
        return;
      case 'refresh':
        await this.refresh();
        return;
      case 'create':
        await this.#ports.create();
        return;
      case 'rows':
        this.#sendRows(message.offset, Math.min(message.count, mostAtOnce));
        return;
      case 'sort':
        this.#arrange({ ...this.#arrangement, order: message.order });
        return;
      case 'filter':
        this.#arrange({ ...this.#arrangement, filter: message.filter });
        return;
      case 'select':
        if (message.version === this.#version) this.#select(message);
        return;
      case 'deselect':
        this.#selected = new Set();
        this.#post();
        return;
      default:
        await this.#act(message.action);
    }
  }

  /**
   * Reads the whole list again. The present rows stay until the new ones have arrived, and rows that are in both stay selected.
   */
  async refresh(): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#problem = '';
    this.#post();
    const isFirst = this.#rows.length === 0;
    let rows: readonly AdminRow[] = [];
    try {
      let after: string | undefined;
      do {
        const page = await this.#ports.load(after, loading.signal);
        if (loading.signal.aborted) return;
        rows = [...rows, ...page.items];
        after = page.next;
        if (isFirst) this.#take(rows);
      } while (after !== undefined);
      const here = new Set(rows.map(keyOf));
      this.#selected = new Set([...this.#selected].filter((key) => here.has(key)));
      this.#take(rows);
    } catch (error) {
      if (loading.signal.aborted || isCancelled(error)) return;
      this.#problem = asError(error).message;
    } finally {
      if (this.#loading === loading) {
        this.#loading = undefined;
        this.#post();
      }
    }
  }

  dispose(): void {
    this.#loading?.abort();
    this.#isReady = false;
  }

  #take(rows: readonly AdminRow[]): void {
    this.#rows = rows;
    this.#arrange(this.#arrangement);
  }

  #arrange(arrangement: RowArrangement): void {
    this.#arrangement = arrangement;
    const rows = this.#rows.map((row): Row => [...this.#columns.map(({ cell }) => cell(row)), row]);
    this.#shown = arrangedRows(rows, this.#columns, arrangement).map((cells) => cells.at(-1) as AdminRow);
    this.#version += 1;
    this.#post();
  }

  #select({ from, to, isSelected }: Extract<TableToHost, { readonly type: 'select' }>): void {
    const selected = new Set(this.#selected);
    for (const row of this.#shown.slice(Math.min(from, to), Math.max(from, to) + 1)) {
      if (isSelected) selected.add(keyOf(row));
      else selected.delete(keyOf(row));
    }
    this.#selected = selected;
    this.#post();
  }

  async #act(action: TableAction): Promise<void> {
    const [first, ...others] = this.#acted(action);
    if (first) await this.#ports.act(action, [first, ...others]);
  }

  /** Returns the selected rows in the order of the list, including those that the filter hides. */
  #chosen(): readonly AdminRow[] {
    return this.#rows.filter((row) => this.#selected.has(keyOf(row)));
  }

  /** Returns the selected rows that an action changes: an inactive user is not deactivated again. */
  #acted(action: TableAction): readonly AdminRow[] {
    const fits = fitting[action];
    return this.#chosen().filter((row) => fits(row, this.#list));
  }

  #sendRows(offset: number, count: number): void {
    if (!this.#isReady) return;
    const rows = this.#shown.slice(offset, offset + count).map((row) => this.#columns.map(({ cell }) => cell(row)));
    this.#ports.post({ type: 'rows', version: this.#version, offset, rows });
  }

  #post(): void {
    if (!this.#isReady) return;
    const made = creatable[this.#list.list];
    this.#ports.post({
      type: 'state',
      title: titleCase(listLabels[this.#list.list]),
      owner: this.#owner,
      columns: this.#columns.map(({ name, type }) => ({ name, type })),
      count: this.#shown.length,
      loaded: this.#rows.length,
      isLoading: this.#loading !== undefined,
      problem: this.#problem,
      version: this.#version,
      selected: this.#shown.flatMap((row, at) => (this.#selected.has(keyOf(row)) ? [at] : [])),
      selectedCount: this.#selected.size,
      actions: this.#actions(),
      creates: made ? titleCase(typeLabels[made]) : '',
    });
  }

  #actions(): TableState['actions'] {
    const actions = Object.keys(verbs) as TableAction[];
    return actions.flatMap((action) => {
      const rows = this.#acted(action);
      const [first] = rows;
      if (!first || (rows.length > 1 && onlyOne.has(action))) return [];
      return [{ action, label: `${verbs[action]} ${plural(rows.length, titleCase(typeLabels[first.type]))}` }];
    });
  }
}

const keyOf = ({ type, id }: AdminRow): string => `${type}/${id}`;

const verbs: Readonly<Record<TableAction, string>> = {
  open: 'Open',
  editValues: 'Edit Values of',
  activate: 'Activate',
  deactivate: 'Deactivate',
  connect: 'Connect',
  removeMembers: 'Remove',
  delete: 'Delete',
};

const onlyOne: ReadonlySet<TableAction> = new Set<TableAction>(['connect']);

const fitting: Readonly<Record<TableAction, (row: AdminRow, list: AdminList) => boolean>> = {
  open: ({ type }) => type !== 'embedTenant',
  editValues: ({ type }) => type === 'user',
  activate: ({ type, active }) => type === 'user' && active === false,
  deactivate: ({ type, active }) => type === 'user' && active !== false,
  connect: ({ type }) => type === 'oauthIntegration',
  removeMembers: ({ type }, { list }) => type === 'embedUser' && list === 'members',
  delete: ({ type }) => deletable.has(type),
};
