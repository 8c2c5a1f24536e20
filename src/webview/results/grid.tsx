import { useRef, useState } from 'preact/hooks';
import type { ResultState } from '#protocol/results.ts';
import type { ResultsModel } from './model.ts';

const ROW_HEIGHT = 24;
/** Rows drawn beyond those in sight. */
const SPARE = 12;

interface Order {
  readonly column: number;
  readonly descending: boolean;
}

/** The rows in sight of a result of any length; a click on a column orders them. */
export function Grid({ model, state }: { readonly model: ResultsModel; readonly state: ResultState }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [order, setOrder] = useState<Order | undefined>(undefined);
  const height = scroller.current?.clientHeight ?? 600;
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - SPARE);
  const last = Math.min(state.count, Math.ceil((top + height) / ROW_HEIGHT) + SPARE);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);

  const sort = (column: number): void => {
    const descending = order?.column === column && !order.descending;
    const next = order?.column === column && order.descending ? undefined : { column, descending };
    setOrder(next);
    model.post({ type: 'sort', column: next?.column, descending: next?.descending ?? false });
  };
  return (
    <div
      ref={scroller}
      class="grid"
      tabIndex={0}
      role="region"
      aria-label="Rows"
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <table aria-rowcount={state.count + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th class="number">#</th>
            {state.columns.map((column, at) => (
              <th
                key={column.name}
                aria-sort={sortOf(order, at)}
                class={isNumber(column.type) ? 'align-right' : undefined}
              >
                <button type="button" class="sort" title={`${column.name} (${column.type})`} onClick={() => sort(at)}>
                  {column.name}
                  <span aria-hidden="true">{order?.column === at ? (order.descending ? ' ↓' : ' ↑') : ''}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={first * ROW_HEIGHT} />
          {rows.map((index) => (
            <Row key={index} index={index} model={model} state={state} />
          ))}
          <Gap height={(state.count - last) * ROW_HEIGHT} />
        </tbody>
      </table>
    </div>
  );
}

function Row({
  index,
  model,
  state,
}: {
  readonly index: number;
  readonly model: ResultsModel;
  readonly state: ResultState;
}) {
  const cells = model.row(index);
  return (
    <tr aria-rowindex={index + 2}>
      <td class="number">{(index + 1).toLocaleString('en')}</td>
      {state.columns.map((column, at) => {
        const value = cells?.[at];
        if (value === null) return <td class="null">null</td>;
        return (
          <td key={column.name} class={isNumber(column.type) ? 'align-right' : undefined} title={value}>
            {value ?? '…'}
          </td>
        );
      })}
    </tr>
  );
}

/** Room for the rows that are not drawn. */
function Gap({ height }: { readonly height: number }) {
  return height > 0 ? <tr class="gap" style={{ height: `${height}px` }} aria-hidden="true" /> : null;
}

function sortOf(order: Order | undefined, column: number): 'ascending' | 'descending' | 'none' {
  if (order?.column !== column) return 'none';
  return order.descending ? 'descending' : 'ascending';
}

function isNumber(type: string): boolean {
  return /int|num|dec|float|double|real/i.test(type);
}
