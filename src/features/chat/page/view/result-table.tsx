import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { ViewToolDetail } from '#features/chat/messages.ts';
import { isNumberType } from '#base/cells.ts';
import { ordered, type RowOrder } from '#base/row-order.ts';
import { TableHeads } from '#shared/page/table-heads.tsx';
import { visible } from '#shared/page/visible.ts';
import { partKey } from '../model.ts';
import { useActions } from './actions.ts';
import { dayColumns, dayOf } from './dates.ts';
import { Icon } from './icons.tsx';
import { ModelContext } from './model-context.ts';

type SqlDetail = Extract<ViewToolDetail, { readonly kind: 'sql' }>;
interface ResultProps {
  readonly turn: string;
  readonly id: string;
  readonly detail: SqlDetail;
}
const PAGE = 100;

/** The rows of a query, sorted by a click on a column; more rows come when asked for. */
export function ResultTable({ turn, id, detail }: ResultProps) {
  const model = useContext(ModelContext);
  const { post } = useActions();
  const rows = model?.rows.value.get(partKey(turn, id)) ?? [];
  const [order, setOrder] = useState<RowOrder | undefined>(undefined);
  useEffect(() => {
    if (rows.length === 0) post({ type: 'rows', turn, id, offset: 0, count: PAGE });
  }, [turn, id]);
  const sorted = useMemo(() => (order ? ordered(rows, detail.columns, order) : rows), [rows, order, detail]);
  const days = useMemo(() => dayColumns(rows, detail.columns.length), [rows, detail]);
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={`Rows of ${detail.title || 'the query'}`}>
      <table>
        <thead>
          <tr>
            <TableHeads columns={detail.columns} order={order} onSort={setOrder} />
          </tr>
        </thead>
        <tbody>
          {sorted.map((row, at) => (
            <tr key={at}>
              {detail.columns.map((column, cell) => (
                <Cell
                  key={column.name}
                  value={row[cell] ?? null}
                  number={isNumberType(column.type)}
                  isDay={days.has(cell)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > 0 && rows.length < detail.rows && (
        <button
          type="button"
          class="secondary"
          onClick={() => post({ type: 'rows', turn, id, offset: rows.length, count: PAGE })}
        >
          Show more rows
        </button>
      )}
    </div>
  );
}

function Cell(props: { readonly value: string | null; readonly number: boolean; readonly isDay: boolean }) {
  const { value, number, isDay } = props;
  if (value === null) return <td class="null">null</td>;
  return <td class={number ? 'align-right' : isDay ? 'day' : undefined}>{visible(isDay ? dayOf(value) : value)}</td>;
}

/** What one does with a query and its rows. */
export function ResultActions({ turn, id, detail }: ResultProps) {
  const { tool } = useActions();
  const partial = detail.rows < detail.total;
  return (
    <div class="actions">
      {partial && (
        <span class="hint">
          {detail.rows.toLocaleString('en')} of {detail.total.toLocaleString('en')} rows
        </span>
      )}
      {detail.sql !== '' && (
        <>
          <button type="button" class="secondary" onClick={() => tool(turn, id, 'runSql')}>
            <Icon name="play" /> {partial ? 'Run for all rows' : 'Run'}
          </button>
          <button type="button" class="secondary" onClick={() => tool(turn, id, 'openSql')}>
            <Icon name="file" /> Open SQL
          </button>
        </>
      )}
      {detail.rows > 0 && (
        <>
          <button type="button" class="secondary" onClick={() => tool(turn, id, 'copyTable')}>
            <Icon name="copy" /> Copy
          </button>
          <button type="button" class="secondary" onClick={() => tool(turn, id, 'saveCsv')}>
            <Icon name="save" /> Save as CSV…
          </button>
        </>
      )}
    </div>
  );
}
