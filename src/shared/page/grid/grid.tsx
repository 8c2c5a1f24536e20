import type { TargetedClipboardEvent } from 'preact';
import { useId } from 'preact/hooks';
import { useRowsInSight } from '../rows-in-sight.ts';
import { CellPane } from './cell-pane.tsx';
import { columnsInSight, edgesOf } from './columns.ts';
import type { GridProps, RowSelection } from './grid-props.ts';
import { GridHead } from './head.tsx';
import type { Position } from './keys.ts';
import { type Drawn, idOf, Row } from './row.tsx';
import { useRowKeys } from './row-keys.ts';
import { numbersWidth, rowHeight } from './sizes.ts';
import { type GridState, nextOrder, useGrid } from './use-grid.ts';

/** Rows drawn beyond the visible ones. */
const spare = 12;

/**
 * Shows any number of rows and columns, of which only the visible ones are drawn. One cell is active: keys move it, Enter shows
 * its full value below the grid, and copying takes it. If rows can be selected, Space selects the active one. On a column name,
 * Enter sorts, and Shift with an arrow key changes the width.
 */
export function Grid(props: GridProps) {
  const { columns, count, row, order, selection, onSort } = props;
  const id = useId();
  const grid = useGrid(props);
  const { scroller, active, viewport, left } = grid;
  const rows = useRowsInSight({ scroller, count, rowHeight, spare });
  const keyOf = useRowKeys(rows);
  const edges = edgesOf(grid.widths);
  const shown = columnsInSight(edges, { left, width: viewport.width - numbersWidth });
  const drawn = { id, columns, edges, ...shown, active };
  const cell = active.row < 0 ? undefined : row(active.row)?.[active.column];
  const isRowDrawn = active.row < 0 || within(active.row, rows);
  return (
    <div class="grid-frame">
      <div
        ref={scroller}
        class="grid"
        tabIndex={0}
        role="grid"
        aria-label={props.label}
        aria-multiselectable={selection ? true : undefined}
        aria-rowcount={count + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={isRowDrawn && within(active.column, shown) ? idOf(id, active) : undefined}
        onKeyDown={grid.press}
        onCopy={(event) => copyCell(event, cell)}
        onScroll={({ currentTarget: box }) => {
          rows.scrolled(box.scrollTop);
          grid.scrolled(box.scrollLeft);
        }}
      >
        <GridHead
          {...drawn}
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
            <GridRow key={keyOf(index)} {...props} grid={grid} drawn={drawn} index={index} />
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
}

/** Draws a visible row. */
function GridRow({ grid, drawn, index, row, selection }: GridRowProps) {
  return (
    <Row
      {...drawn}
      index={index}
      top={index * rowHeight}
      cells={row(index)}
      isSelected={selection?.has(index)}
      onSelect={(isRange) => selectRow(selection, grid, index, isRange)}
      onChoose={grid.choose}
      onOpen={() => grid.open(true)}
    />
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
