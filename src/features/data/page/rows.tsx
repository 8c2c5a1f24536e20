import type { ResultState } from '#features/data/messages.ts';
import { FilterBar } from '#shared/page/grid/filter-bar.tsx';
import { Grid } from '#shared/page/grid/grid.tsx';
import type { ResultsModel } from './model.ts';

/** The rows of a result with their filter; the host orders and filters all that it holds. */
export function Rows({ model, state }: { readonly model: ResultsModel; readonly state: ResultState }) {
  return (
    <>
      <FilterBar columns={state.columns} filter={model.filter.value} onFilter={(filter) => model.narrow(filter)} />
      <Grid
        label="Rows"
        columns={state.columns}
        count={state.count}
        row={(index) => model.row(index)}
        order={model.order.value}
        cellActions={({ column, cells }) => (
          <button
            type="button"
            class="secondary"
            onClick={() => model.post({ type: 'ask', column, cells: [...cells] })}
          >
            Ask the Agent
          </button>
        )}
        onSort={(order) => model.sort(order)}
      />
    </>
  );
}
