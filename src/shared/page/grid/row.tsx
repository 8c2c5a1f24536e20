import { useMemo } from 'preact/hooks';
import { type Column, isNumberType, readableCell } from '#base/cells.ts';
import { visible } from '../visible.ts';
import type { Cells } from './columns.ts';
import type { Position } from './keys.ts';
import { numbersWidth, rowHeight } from './sizes.ts';
import { TickBox } from './tick-box.tsx';

/** What is common to all drawn rows: the visible columns and their positions. The object changes only with its contents. */
export interface Drawn {
  /** The id of the grid, which is the prefix of its cells' ids. */
  readonly id: string;
  readonly columns: readonly Column[];
  readonly edges: readonly number[];
  readonly first: number;
  readonly last: number;
}

/** The callbacks of rows; the object stays the same as long as the grid is shown. */
export interface RowActions {
  /** `isRange`: selects from the active row to this one. */
  readonly select: (index: number, isRange: boolean) => void;
  readonly choose: (position: Position) => void;
  /** Shows the full value of the active cell. */
  readonly open: () => void;
}

interface RowProps {
  readonly drawn: Drawn;
  readonly index: number;
  readonly cells: Cells | undefined;
  /** The column of the active cell, if it is in this row. */
  readonly active: number | undefined;
  /** `undefined`: rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  readonly actions: RowActions;
}

/** Returns the id of a cell, which the grid references as its active descendant for screen readers. */
export function idOf(grid: string, { row, column }: Position): string {
  return `${grid}-${row}-${column}`;
}

/** Returns the left edge and the width of a column, after the column of row numbers. */
export function spanOf(edges: readonly number[], column: number): { readonly left: string; readonly width: string } {
  const from = edges[column] ?? 0;
  return { left: `${numbersWidth + from}px`, width: `${(edges[column + 1] ?? 0) - from}px` };
}

/**
 * Draws a row: its number, with a checkbox if it can be selected, and the cells of the visible columns. A row that stays in sight
 * while the grid scrolls is not drawn again.
 */
export function Row(props: RowProps) {
  const { drawn, index, cells, active, isSelected, actions } = props;
  return useMemo(() => drawRow(props), [drawn, index, cells, active, isSelected, actions]);
}

function drawRow(props: RowProps) {
  const { drawn, index, isSelected, actions } = props;
  const { columns, first, last } = drawn;
  return (
    <div
      class={`grid-row${isSelected === true ? ' grid-selected' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ top: `${index * rowHeight}px` }}
    >
      <div
        class={`grid-number${isSelected === undefined ? '' : ' grid-selects'}`}
        role="rowheader"
        aria-colindex={1}
        onClick={isSelected === undefined ? undefined : ({ shiftKey }) => actions.select(index, shiftKey)}
      >
        {isSelected !== undefined && <TickBox tick={isSelected} />}
        {rowNumbers.format(index + 1)}
      </div>
      {columns.slice(first, last).map((column, at) => drawCell(props, column, first + at))}
    </div>
  );
}

/** Far faster than `toLocaleString`, which is called for each row. */
const rowNumbers = new Intl.NumberFormat('en');

function drawCell(
  { drawn: { id, edges }, index, cells, active, isSelected, actions }: RowProps,
  about: Column,
  column: number,
) {
  const position = { row: index, column };
  const value = cells?.[column];
  const isActive = active === column;
  const shown =
    value === undefined ? '…' : value === null ? 'null' : value === '' ? 'empty' : visible(readableCell(value, about));
  const short = shown.slice(0, 300);
  const classes = [
    'grid-cell',
    ...(isActive ? ['grid-active'] : []),
    ...(value === null || value === '' ? ['grid-nothing'] : []),
    ...(isNumberType(about.type) ? ['align-right'] : []),
  ];
  return (
    <div
      key={`${column} ${about.name}`}
      id={isActive ? idOf(id, position) : undefined}
      class={classes.join(' ')}
      role="gridcell"
      dir="auto"
      aria-colindex={column + 2}
      aria-selected={isSelected ?? isActive}
      style={spanOf(edges, column)}
      title={value === null || value === '' ? undefined : short}
      onClick={() => actions.choose(position)}
      onDblClick={actions.open}
    >
      {short}
    </div>
  );
}
