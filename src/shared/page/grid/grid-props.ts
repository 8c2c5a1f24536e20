import type { ComponentChildren } from 'preact';
import type { Column } from '#base/cells.ts';
import type { RowOrder } from '#base/row-order.ts';
import type { Cells } from './columns.ts';

/** A value, with its row. */
export interface CellPosition {
  readonly column: number;
  readonly cells: Cells;
}

/** Rows that can be selected, each with a check box in front. */
export interface RowSelection {
  readonly has: (index: number) => boolean;
  /** How much of what is shown is selected. */
  readonly all: boolean | 'mixed';
  /** Selects or deselects rows from one number to another, both included. */
  readonly set: (from: number, to: number, isSelected: boolean) => void;
}

/** What a grid shows. */
export interface GridProps {
  /** What the rows are, for those who listen. */
  readonly label: string;
  readonly columns: readonly Column[];
  readonly count: number;
  /** A row in the present order; `undefined` until it is here. */
  readonly row: (index: number) => Cells | undefined;
  readonly order: RowOrder | undefined;
  /** What can be done with the value that is shown below the grid. */
  readonly cellActions?: ((cell: CellPosition) => ComponentChildren) | undefined;
  /** Where rows can be selected: Space then selects instead of showing a value. */
  readonly selection?: RowSelection | undefined;
  readonly onSort: (order: RowOrder | undefined) => void;
}
