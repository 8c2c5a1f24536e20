import { plural } from '#base/words.ts';
import type { TableState } from '#features/administration/messages.ts';
import { FilterBar } from '#shared/page/grid/filter-bar.tsx';
import { Grid } from '#shared/page/grid/grid.tsx';
import { visible } from '#shared/page/visible.ts';
import type { ListModel } from './list-model.ts';

/** A list of the administration as a table, with the actions for the selected rows. */
export function ListApp({ model }: { readonly model: ListModel }) {
  const state = model.state.value;
  if (!state) return null;
  const { columns, count, creates, owner, problem, title } = state;
  const selected = model.selected.value;
  return (
    <main class="list" aria-busy={state.isLoading}>
      <header>
        <div class="about">
          <h1>{visible(title)}</h1>
          <span class="hint">{visible(owner)}</span>
        </div>
        <div class="buttons">
          {creates !== '' && (
            <button type="button" class="secondary" onClick={() => model.post({ type: 'create' })}>
              New {visible(creates)}…
            </button>
          )}
          <button type="button" class="secondary" onClick={() => model.post({ type: 'refresh' })}>
            Refresh
          </button>
        </div>
      </header>
      <p class="hint" role="status">
        {summary(state)}
      </p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {visible(problem)}
        </p>
      )}
      <Actions model={model} state={state} />
      <FilterBar columns={columns} filter={model.filter.value} onFilter={(filter) => model.narrow(filter)} />
      <Grid
        label={visible(title)}
        columns={columns}
        count={count}
        row={(index) => model.row(index)}
        order={model.order.value}
        selection={{
          has: (index) => selected.has(index),
          all: selected.size > 0 && (selected.size === count || 'mixed'),
          set: (from, to, isSelected) => model.select(from, to, isSelected),
        }}
        onSort={(order) => model.sort(order)}
      />
    </main>
  );
}

/** The buttons for the selected rows. Their row stays when nothing is selected, so that the table does not jump. */
function Actions({
  model,
  state: { actions, selectedCount },
}: {
  readonly model: ListModel;
  readonly state: TableState;
}) {
  return (
    <div class="actions" role="group" aria-label="Selected rows">
      {selectedCount === 0 && <span class="hint">Select rows with their check boxes or with Space.</span>}
      {actions.map(({ action, label }) => (
        <button key={action} type="button" class="secondary" onClick={() => model.post({ type: 'act', action })}>
          {visible(label)}
          {asks.has(action) ? '…' : ''}
        </button>
      ))}
      {selectedCount > 0 && (
        <button type="button" class="secondary" onClick={() => model.post({ type: 'deselect' })}>
          Clear Selection
        </button>
      )}
    </div>
  );
}

/** Actions that ask for confirmation first. */
const asks: ReadonlySet<string> = new Set(['deactivate', 'delete']);

function summary({ count, loaded, isLoading, selected, selectedCount }: TableState): string {
  const rows = `${count === loaded ? '' : `${count.toLocaleString('en')} of `}${plural(loaded, 'row')}`;
  const hidden = selectedCount - selected.length;
  const chosen = selectedCount === 0 ? '' : ` · ${selectedCount.toLocaleString('en')} selected`;
  const note = hidden === 0 ? '' : `, ${hidden.toLocaleString('en')} of them hidden by the filter`;
  return `${isLoading ? 'Loading… ' : ''}${rows}${chosen}${note}`;
}
