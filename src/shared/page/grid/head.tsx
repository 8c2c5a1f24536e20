import type { TargetedPointerEvent } from 'preact';
import { isNumberType } from '#base/cells.ts';
import type { RowOrder } from '#base/row-order.ts';
import { visible } from '../visible.ts';
import type { Position } from './keys.ts';
import { type Drawn, idOf, spanOf } from './row.tsx';
import { TickBox } from './tick-box.tsx';

interface HeadProps {
  readonly drawn: Drawn;
  /** The column of the active cell, if that is a column name. */
  readonly active: number | undefined;
  readonly order: RowOrder | undefined;
  /** Whether all, some or none of the shown rows are selected; `undefined`: rows cannot be selected. */
  readonly all: boolean | 'mixed' | undefined;
  readonly onSelectAll: () => void;
  readonly onSort: (column: number) => void;
  readonly onChoose: (position: Position) => void;
  /** `by`: the change of the width, in pixels. */
  readonly onResize: (column: number, by: number) => void;
}

/** Draws the names of the visible columns: a click sorts, dragging the right edge changes the width. */
export function GridHead({ drawn, active, order, all, onSelectAll, onSort, onChoose, onResize }: HeadProps) {
  const { id, columns, edges, first, last } = drawn;
  return (
    <div class="grid-head" role="rowgroup" style={{ width: `calc(var(--grid-numbers) + ${edges.at(-1) ?? 0}px)` }}>
      <div role="row" aria-rowindex={1}>
        {all === undefined ? (
          <div class="grid-number" role="columnheader" aria-colindex={1} aria-label="Row">
            #
          </div>
        ) : (
          <div class="grid-number" role="columnheader" aria-colindex={1} aria-label="Selected">
            <button
              type="button"
              class="grid-all"
              role="checkbox"
              aria-checked={all}
              aria-label="Select all rows"
              title="Select all rows (Ctrl+A, ⌘A)"
              tabIndex={-1}
              onClick={onSelectAll}
            >
              <TickBox tick={all} />
            </button>
          </div>
        )}
        {columns.slice(first, last).map(({ name, type }, at) => {
          const column = first + at;
          const position = { row: -1, column };
          const isActive = active === column;
          return (
            <div
              key={`${column} ${name}`}
              id={idOf(id, position)}
              class={`grid-cell${isActive ? ' grid-active' : ''}${isNumberType(type) ? ' align-right' : ''}`}
              role="columnheader"
              aria-colindex={column + 2}
              aria-sort={sortOf(order, column)}
              style={spanOf(edges, column)}
            >
              <button
                type="button"
                class="sort"
                tabIndex={-1}
                title={`${visible(name)} (${type})`}
                onClick={() => {
                  onChoose(position);
                  onSort(column);
                }}
              >
                <bdi>{visible(name)}</bdi>
                <span aria-hidden="true">{order?.column === column ? (order.descending ? ' ↓' : ' ↑') : ''}</span>
              </button>
              <div class="grid-edge" aria-hidden="true" onPointerDown={(event) => pull(event, column, onResize)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Follows the pointer until it is released. */
function pull(event: TargetedPointerEvent<HTMLElement>, column: number, onResize: HeadProps['onResize']): void {
  const edge = event.currentTarget;
  event.preventDefault();
  edge.setPointerCapture(event.pointerId);
  const from = event.clientX;
  // `onResize` still has the width from when the edge was pressed.
  const move = (next: PointerEvent): void => onResize(column, next.clientX - from);
  const end = (): void => {
    edge.removeEventListener('pointermove', move);
    edge.removeEventListener('lostpointercapture', end);
  };
  edge.addEventListener('pointermove', move);
  edge.addEventListener('lostpointercapture', end);
}

function sortOf(order: RowOrder | undefined, column: number): 'ascending' | 'descending' | 'none' {
  if (order?.column !== column) return 'none';
  return order.descending ? 'descending' : 'ascending';
}
