import type { ComponentChildren } from 'preact';
import type { Column } from '#base/cells.ts';
import type { RowOrder } from '#base/row-order.ts';
import type { Cells } from './columns.ts';

/** A value, with its row. */
export interface CellPosition {
  readonly column: number;
  readonly cells: Cells;
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
  readonly onSort: (order: RowOrder | undefined) => void;
}
