import { visible } from '#shared/page/visible.ts';
import { useContext } from 'preact/hooks';
import type { ViewToolDetail } from '#features/chat/messages.ts';
import { FilterBar } from '#shared/page/grid/filter-bar.tsx';
import { Grid } from '#shared/page/grid/grid.tsx';
import { rowHeight } from '#shared/page/grid/sizes.ts';
import { useActions } from './actions.ts';
import { ModelContext } from './model-context.ts';
import { resultCountText } from './result-count.ts';

type SqlDetail = Extract<ViewToolDetail, { readonly kind: 'sql' }>;
export interface ResultProps {
  readonly turn: string;
  readonly id: string;
  readonly detail: SqlDetail;
}

/** With fewer rows there is nothing to search for. */
const fewRows = 8;
/** The maximum height of a table in an answer, in rows. */
const highest = 14;

/** The rows of a query: the host sorts and filters all that it holds, and only visible ones are drawn. */
export function ResultTable({ turn, id, detail }: ResultProps) {
  const { post } = useActions();
  const result = useContext(ModelContext)?.resultOf({ turn, id }, detail.rows);
  if (!result) return null;
  const shown = result.count.value;
  // The header, the rows, and a scroll bar below them.
  const height = (Math.min(shown, highest) + 1) * rowHeight + 16;
  return (
    <div class="result-grid">
      {detail.rows >= fewRows && (
        <FilterBar columns={detail.columns} filter={result.filter.value} onFilter={(next) => result.narrow(next)} />
      )}
      <p class="hint result-count">{resultCountText({ shown, loaded: detail.rows, total: detail.total })}</p>
      <div class="result-rows" style={{ height: `${height}px` }}>
        <Grid
          label={`Rows of ${visible(detail.title) || 'the query'}`}
          columns={detail.columns}
          count={shown}
          row={(index) => result.row(index)}
          order={result.order.value}
          cellActions={({ column, cells }) => (
            <button
              type="button"
              class="secondary"
              onClick={() => post({ type: 'explainCell', turn, id, column, cells: [...cells] })}
            >
              Explain This Number
            </button>
          )}
          onSort={(order) => result.sort(order)}
        />
      </div>
    </div>
  );
}
