import { useRef, useState } from 'preact/hooks';
import type { ResultState } from '#features/data/messages.ts';
import { visible } from '#shared/page/visible.ts';
import { isNumber, type Order, TableHeads } from '#shared/page/table-heads.tsx';
import type { ResultsModel } from './model.ts';

const ROW_HEIGHT = 24;
/** Rows drawn beyond those in sight. */
const SPARE = 12;

/** The rows in sight of a result of any length; a click on a column orders them. */
export function Grid({ model, state }: { readonly model: ResultsModel; readonly state: ResultState }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [order, setOrder] = useState<Order | undefined>(undefined);
  const height = scroller.current?.clientHeight ?? 600;
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - SPARE);
  const last = Math.min(state.count, Math.ceil((top + height) / ROW_HEIGHT) + SPARE);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);

  const sort = (next: Order | undefined): void => {
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
            <TableHeads columns={state.columns} order={order} onSort={sort} />
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
        if (value === null)
          return (
            <td key={column.name} class="null">
              null
            </td>
          );
        const shown = value === undefined ? '…' : visible(value);
        return (
          <td key={column.name} class={isNumber(column.type) ? 'align-right' : undefined} title={shown}>
            {shown}
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
