import { type Column, isNumberType, readableCell } from '#base/cells.ts';
import { visible } from '../visible.ts';
import type { Cells } from './columns.ts';
import type { Position } from './keys.ts';
import { TickBox } from './tick-box.tsx';

/** What is common to all drawn rows: the visible columns, their positions and the active cell. */
export interface Drawn {
  /** The id of the grid, which is the prefix of its cells' ids. */
  readonly id: string;
  readonly columns: readonly Column[];
  readonly edges: readonly number[];
  readonly first: number;
  readonly last: number;
  readonly active: Position;
}

interface RowProps extends Drawn {
  readonly index: number;
  /** In pixels. */
  readonly top: number;
  readonly cells: Cells | undefined;
  /** `undefined`: rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  /** `isRange`: selects from the active row to this one. */
  readonly onSelect: (isRange: boolean) => void;
  readonly onChoose: (position: Position) => void;
  readonly onOpen: () => void;
}

/** Returns the id of a cell, which the grid references as its active descendant for screen readers. */
export function idOf(grid: string, { row, column }: Position): string {
  return `${grid}-${row}-${column}`;
}

/** Returns the left edge and the width of a column, after the column of row numbers. */
export function spanOf(edges: readonly number[], column: number): { readonly left: string; readonly width: string } {
  const from = edges[column] ?? 0;
  return { left: `calc(var(--grid-numbers) + ${from}px)`, width: `${(edges[column + 1] ?? 0) - from}px` };
}

/** Draws a row: its number, with a checkbox if it can be selected, and the cells of the visible columns. */
export function Row({ index, top, cells, isSelected, onSelect, onChoose, onOpen, ...drawn }: RowProps) {
  const { columns, first, last } = drawn;
  return (
    <div
      class={`grid-row${isSelected === true ? ' grid-selected' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ top: `${top}px` }}
    >
      <div
        class={`grid-number${isSelected === undefined ? '' : ' grid-selects'}`}
        role="rowheader"
        aria-colindex={1}
        onClick={isSelected === undefined ? undefined : ({ shiftKey }) => onSelect(shiftKey)}
      >
        {isSelected !== undefined && <TickBox tick={isSelected} />}
        {(index + 1).toLocaleString('en')}
      </div>
      {columns.slice(first, last).map((column, at) => (
        <Cell
          key={`${first + at} ${column.name}`}
          drawn={drawn}
          position={{ row: index, column: first + at }}
          value={cells?.[first + at]}
          column={column}
          isSelected={isSelected}
          onChoose={onChoose}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}

interface CellProps extends Pick<RowProps, 'onChoose' | 'onOpen'> {
  readonly drawn: Drawn;
  readonly position: Position;
  readonly value: string | null | undefined;
  readonly column: Column;
  readonly isSelected: boolean | undefined;
}

function Cell({
  drawn: { id, edges, active },
  position,
  value,
  column: about,
  isSelected,
  onChoose,
  onOpen,
}: CellProps) {
  const { row, column } = position;
  const isActive = active.row === row && active.column === column;
  const shown =
    value === undefined ? '…' : value === null ? 'null' : value === '' ? 'empty' : visible(readableCell(value, about));
  const classes = [
    'grid-cell',
    ...(isActive ? ['grid-active'] : []),
    ...(value === null || value === '' ? ['grid-nothing'] : []),
    ...(isNumberType(about.type) ? ['align-right'] : []),
  ];
  return (
    <div
      id={isActive ? idOf(id, position) : undefined}
      class={classes.join(' ')}
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={isSelected ?? isActive}
      style={spanOf(edges, column)}
      title={value === null || value === '' ? undefined : shown.slice(0, 300)}
      onClick={() => onChoose(position)}
      onDblClick={onOpen}
    >
      {shown.slice(0, 300)}
    </div>
  );
}
