import type { TargetedClipboardEvent } from 'preact';
import { useId, useMemo, useRef } from 'preact/hooks';
import { useRowsInSight } from '../rows-in-sight.ts';
import { CellPane } from './cell-pane.tsx';
import { columnsInSight, edgesOf } from './columns.ts';
import type { GridProps, RowSelection } from './grid-props.ts';
import { GridHead } from './head.tsx';
import type { Position } from './keys.ts';
import { type Drawn, idOf, Row, type RowActions } from './row.tsx';
import { useRowKeys } from './row-keys.ts';
import { numbersWidth, rowHeight } from './sizes.ts';
import { type GridState, nextOrder, useGrid } from './use-grid.ts';

/** Rows drawn beyond the visible ones: two turns of a mouse wheel. */
const spare = 8;

/**
 * Shows any number of rows and columns, of which only the visible ones are drawn. One cell is active: keys move it, Enter shows
 * its full value below the grid, and copying takes it. If rows can be selected, Space selects the active one. On a column name,
 * Enter sorts, and Shift with an arrow key changes the width.
 */
export function Grid(props: GridProps) {
  const { columns, count, row, order, selection, onSort } = props;
  const id = useId();
  const grid = useGrid(props);
  const { scroller, active, viewport, left, widths } = grid;
  const rows = useRowsInSight({ scroller, count, rowHeight, spare });
  const keyOf = useRowKeys(rows);
  const edges = useMemo(() => edgesOf(widths), [widths]);
  const { first, last } = columnsInSight(edges, { left, width: viewport.width - numbersWidth });
  const drawn = useMemo(() => ({ id, columns, edges, first, last }), [id, columns, edges, first, last]);
  const actions = useRowActions(grid, selection);
  const cell = active.row < 0 ? undefined : row(active.row)?.[active.column];
  const isRowDrawn = active.row < 0 || within(active.row, rows);
  return (
    <div class="grid-frame">
      <div
        ref={scroller}
        class={left > 0 ? 'grid grid-shifted' : 'grid'}
        tabIndex={0}
        role="grid"
        aria-label={props.label}
        aria-multiselectable={selection ? true : undefined}
        aria-rowcount={count + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={isRowDrawn && within(active.column, drawn) ? idOf(id, active) : undefined}
        onKeyDown={grid.press}
        onCopy={(event) => copyCell(event, cell)}
        onScroll={({ currentTarget: box }) => {
          rows.scrolled(box.scrollTop);
          grid.scrolled(box.scrollLeft);
        }}
      >
        <GridHead
          drawn={drawn}
          active={active.row < 0 ? active.column : undefined}
          order={order}
          all={selection?.all}
          onSelectAll={() => selection?.set(0, Math.max(0, count - 1), selection.all !== true)}
          onSort={(column) => onSort(nextOrder(order, column))}
          onChoose={grid.choose}
          onResize={grid.resize}
        />
        <div
          class="grid-body"
          role="rowgroup"
          style={{ height: `${count * rowHeight}px`, width: `${numbersWidth + (edges.at(-1) ?? 0)}px` }}
        >
          {numbersFrom(rows).map((index) => (
            <GridRow key={keyOf(index)} {...props} grid={grid} drawn={drawn} index={index} actions={actions} />
          ))}
        </div>
      </div>
      {grid.isOpen && cell !== undefined && <OpenCell {...props} position={active} onClose={() => grid.open(false)} />}
    </div>
  );
}

interface GridRowProps extends GridProps {
  readonly grid: GridState;
  readonly drawn: Drawn;
  readonly index: number;
  readonly actions: RowActions;
}

/** Draws a visible row. */
function GridRow({ grid: { active }, drawn, index, actions, row, selection }: GridRowProps) {
  return (
    <Row
      drawn={drawn}
      index={index}
      cells={row(index)}
      active={active.row === index ? active.column : undefined}
      isSelected={selection?.has(index)}
      actions={actions}
    />
  );
}

/** Returns the callbacks of the rows, which always use the latest state of the grid. */
function useRowActions(grid: GridState, selection: RowSelection | undefined): RowActions {
  const latest = useRef({ grid, selection });
  latest.current = { grid, selection };
  return useMemo(
    () => ({
      select: (index, isRange) => selectRow(latest.current.selection, latest.current.grid, index, isRange),
      choose: (position) => latest.current.grid.choose(position),
      open: () => latest.current.grid.open(true),
    }),
    [],
  );
}

/** Shows the full value of the active cell, with its actions. */
function OpenCell({
  columns,
  row,
  cellActions,
  position,
  onClose,
}: GridProps & { readonly position: Position; readonly onClose: () => void }) {
  const { column } = position;
  const cells = row(position.row) ?? [];
  const actions = cellActions?.({ column, cells });
  return <CellPane column={columns[column]} value={cells[column] ?? null} actions={actions} onClose={onClose} />;
}

/** Toggles a row, or with Shift selects the rows from the active one to it. */
function selectRow(selection: RowSelection | undefined, grid: GridState, index: number, isRange: boolean): void {
  const isSelected = isRange || selection?.has(index) !== true;
  selection?.set(isRange ? Math.max(0, grid.active.row) : index, index, isSelected);
  grid.choose({ row: index, column: grid.active.column });
}

/** Returns the indices of the visible rows. */
function numbersFrom({ first, last }: { readonly first: number; readonly last: number }): readonly number[] {
  return Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
}

const within = (index: number, { first, last }: { readonly first: number; readonly last: number }): boolean =>
  index >= first && index < last;

/** Copies the active cell, unless text is selected. */
function copyCell(event: TargetedClipboardEvent<HTMLElement>, cell: string | null | undefined): void {
  const isText = document.getSelection()?.isCollapsed === false;
  if (isText || cell === undefined || !event.clipboardData) return;
  event.clipboardData.setData('text/plain', cell ?? '');
  event.preventDefault();
}
