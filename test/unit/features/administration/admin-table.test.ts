import { describe, expect, it } from 'vitest';
import { AdminTable, type AdminTablePorts } from '#features/administration/admin-table.ts';
import type { HostToTable, TableState, TableToHost } from '#features/administration/messages.ts';
import { tableColumns } from '#features/administration/table-columns.ts';
import type { AdminList, AdminRow } from '#features/administration/rows.ts';

const user = (at: number, active = true): AdminRow => ({
  type: 'user',
  id: String(at),
  name: `user-${String(at).padStart(4, '0')}@shop.example`,
  detail: '',
  active,
  fields: { displayName: `User ${at}`, userName: `u${at}` },
});

type Loaded = Awaited<ReturnType<AdminTablePorts['load']>>;

class Stage {
  readonly posted: HostToTable[] = [];
  readonly acts: unknown[] = [];
  readonly table: AdminTable;
  rows: readonly AdminRow[];
  failure: Error | undefined;

  constructor(rows: readonly AdminRow[], list: AdminList = { list: 'users' }) {
    this.rows = rows;
    this.table = new AdminTable(
      { list, owner: 'Acme' },
      {
        load: async (after) => this.#page(after),
        post: (message) => this.posted.push(message),
        act: (action, chosen) => {
          this.acts.push([action, chosen.map(({ id }) => id)]);
          return Promise.resolve();
        },
        create: () => Promise.resolve(),
      },
    );
  }

  #page(after = '0'): Promise<Loaded> {
    const from = Number(after);
    if (this.failure && from > 0) return Promise.reject(this.failure);
    const next = from + 500;
    const items = this.rows.slice(from, next);
    return Promise.resolve({ items, next: next < this.rows.length ? String(next) : undefined });
  }

  async does(...messages: readonly TableToHost[]): Promise<TableState> {
    for (const message of messages) await this.table.receive(message);
    return this.state;
  }

  get state(): TableState {
    const last = this.posted.findLast((message) => message.type === 'state');
    if (!last) throw new Error('Nothing was shown.');
    return last;
  }

  select(from: number, to: number, isSelected = true): TableToHost {
    return { type: 'select', version: this.state.version, from, to, isSelected };
  }

  /** The names of the rows that are shown, in their order. */
  async names(): Promise<readonly (string | null | undefined)[]> {
    await this.table.receive({ type: 'rows', offset: 0, count: 1_000 });
    const last = this.posted.at(-1);
    return last?.type === 'rows' ? last.rows.map(([name]) => name) : [];
  }
}

const contains = (value: string): TableToHost => ({ type: 'filter', filter: { condition: 'contains', value } });
const labels = ({ actions }: TableState): readonly string[] => actions.map(({ label }) => label);

describe('the table of a list', () => {
  it('loads all of thousands of users, and gives out the part that is asked for', async () => {
    const stage = new Stage(Array.from({ length: 2_345 }, (_, at) => user(at)));
    const state = await stage.does({ type: 'ready' });
    expect(state).toMatchObject({ title: 'Users', owner: 'Acme', count: 2_345, loaded: 2_345, isLoading: false });
    expect(state.columns.map(({ name }) => name)).toEqual(['User', 'Display Name', 'Status', 'Sign-In Name', 'ID']);
    await stage.does({ type: 'rows', offset: 2_344, count: 200 });
    expect(stage.posted.at(-1)).toEqual({
      type: 'rows',
      version: state.version,
      offset: 2_344,
      rows: [['user-2344@shop.example', 'User 2344', 'active', 'u2344', '2344']],
    });
  });

  it('is searched and sorted over all of its rows', async () => {
    const stage = new Stage([user(3), user(1, false), user(2)]);
    await stage.does({ type: 'ready' }, { type: 'sort', order: { column: 0, descending: true } });
    expect(await stage.names()).toEqual([3, 2, 1].map((at) => user(at).name));
    expect(await stage.does(contains('inactive'))).toMatchObject({ count: 1, loaded: 3 });
    expect(await stage.names()).toEqual([user(1).name]);
  });

  it('keeps what is selected through filters and refreshes, and drops what is gone', async () => {
    const stage = new Stage([user(1), user(2), user(3)]);
    await stage.does({ type: 'ready' });
    await stage.does(stage.select(0, 2));
    expect(await stage.does(contains('User 3'))).toMatchObject({ selected: [0], selectedCount: 3 });
    stage.rows = [user(1), user(3), user(4)];
    expect(await stage.does({ type: 'refresh' }, contains(''))).toMatchObject({ selected: [0, 1], selectedCount: 2 });
    expect(await stage.does({ type: 'deselect' })).toMatchObject({ selected: [], selectedCount: 0, actions: [] });
  });

  it('offers what fits the selected rows, each with the number that it acts on', async () => {
    const stage = new Stage([user(1), user(2, false), user(3)]);
    await stage.does({ type: 'ready' });
    expect(labels(await stage.does(stage.select(0, 2)))).toEqual([
      'Open 3 Users',
      'Edit Values of 3 Users',
      'Activate 1 User',
      'Deactivate 2 Users',
      'Delete 3 Users',
    ]);
    await stage.does({ type: 'act', action: 'deactivate' }, { type: 'act', action: 'delete' });
    expect(stage.acts).toEqual([
      ['deactivate', ['1', '3']],
      ['delete', ['1', '2', '3']],
    ]);
  });

  it('selects nothing by numbers of rows that the user does not see any more', async () => {
    const stage = new Stage([user(1), user(2)]);
    await stage.does({ type: 'ready' });
    const stale = stage.select(0, 0);
    await stage.does({ type: 'sort', order: { column: 0, descending: true } });
    expect(await stage.does(stale)).toMatchObject({ selectedCount: 0 });
  });

  it('shows the rows that arrived where a later page fails, and why there are no more', async () => {
    const stage = new Stage(Array.from({ length: 700 }, (_, at) => user(at)));
    stage.failure = new Error('The platform cannot be reached.');
    expect(await stage.does({ type: 'ready' })).toMatchObject({
      loaded: 500,
      isLoading: false,
      problem: 'The platform cannot be reached.',
    });
    stage.failure = undefined;
    expect(await stage.does({ type: 'refresh' })).toMatchObject({ loaded: 700, problem: '' });
  });

  it('has a name, an id and no action that the platform lacks in every list', async () => {
    const lists = ['groups', 'attributes', 'oauthIntegrations', 'oauthTokens', 'oidcConfigs', 'embedTenants'] as const;
    for (const list of lists) {
      const names = tableColumns(list).map(({ name }) => name);
      expect([names.at(0), names.at(-1)]).toEqual(['Name', 'ID']);
    }
    const stage = new Stage([{ ...user(1), type: 'group' }], { list: 'groups' });
    await stage.does({ type: 'ready' });
    expect(labels(await stage.does(stage.select(0, 0)))).toEqual(['Open 1 Group']);
  });
});
