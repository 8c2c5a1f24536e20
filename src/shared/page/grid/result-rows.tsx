import type { Column } from '#base/cells.ts';
import type { ArrangedRows } from './arranged-rows.ts';
import { FilterBar } from './filter-bar.tsx';
import { Grid } from './grid.tsx';

interface ResultRowsProps {
  readonly model: ArrangedRows;
  readonly result: { readonly columns: readonly Column[]; readonly count: number };
  /** Asks the agent about the cell in this column of a row. */
  readonly onAsk: (column: number, cells: (string | null)[]) => void;
}

/** Shows the rows of a result with a filter; the host sorts and filters all rows that it holds. */
export function ResultRows({ model, result, onAsk }: ResultRowsProps) {
  return (
    <>
      <FilterBar columns={result.columns} filter={model.filter.value} onFilter={(filter) => model.narrow(filter)} />
      <Grid
        label="Rows"
        columns={result.columns}
        count={result.count}
        row={(index) => model.row(index)}
        order={model.order.value}
        cellActions={({ column, cells }) => (
          <button type="button" class="secondary" onClick={() => onAsk(column, [...cells])}>
            Ask the Agent
          </button>
        )}
        onSort={(order) => model.sort(order)}
      />
    </>
  );
}
