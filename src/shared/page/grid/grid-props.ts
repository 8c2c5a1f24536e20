import type { ComponentChildren } from 'preact';
import type { Column } from '#base/cells.ts';
import type { RowOrder } from '#base/row-order.ts';
import type { Cells } from './columns.ts';

/** The position of a cell, with the cells of its row. */
export interface CellPosition {
  readonly column: number;
  readonly cells: Cells;
}

/** The selection of rows, each of which has a checkbox. */
export interface RowSelection {
  readonly has: (index: number) => boolean;
  /** Whether all, some or none of the shown rows are selected. */
  readonly all: boolean | 'mixed';
  /** Selects or deselects a range of rows, both ends included. */
  readonly set: (from: number, to: number, isSelected: boolean) => void;
}

/** The content of a grid and its callbacks. */
export interface GridProps {
  /** Describes the rows for screen readers. */
  readonly label: string;
  readonly columns: readonly Column[];
  readonly count: number;
  /** Returns a row in the current order; `undefined` until it has arrived. */
  readonly row: (index: number) => Cells | undefined;
  readonly order: RowOrder | undefined;
  /** The actions for the value that is shown below the grid. */
  readonly cellActions?: ((cell: CellPosition) => ComponentChildren) | undefined;
  /** Present if rows can be selected: Space then selects instead of showing a value. */
  readonly selection?: RowSelection | undefined;
  readonly onSort: (order: RowOrder | undefined) => void;
}
