import type { RefObject, TargetedKeyboardEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { RowOrder } from '#base/row-order.ts';
import { edgesOf, fittingWidths, resized } from './columns.ts';
import type { GridProps, RowSelection } from './grid-props.ts';
import { inside, moved, type Position } from './keys.ts';
import { numbersWidth, rowHeight } from './sizes.ts';
import { useViewport, type Viewport } from './viewport.ts';

/**
 * The state of a grid that the user changes: scroll position, active cell, column widths, and whether the full value is shown.
 */
export interface GridState {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly viewport: Viewport;
  readonly left: number;
  readonly scrolled: (left: number) => void;
  readonly active: Position;
  readonly choose: (position: Position) => void;
  readonly widths: readonly number[];
  /** `by`: the change of the width, in pixels. */
  readonly resize: (column: number, by: number) => void;
  readonly isOpen: boolean;
  readonly open: (isOpen: boolean) => void;
  /** Handles a key press. */
  readonly press: (event: TargetedKeyboardEvent<HTMLElement>) => void;
}

type Data = Pick<GridProps, 'columns' | 'count' | 'row' | 'order' | 'selection' | 'onSort'>;

/**
 * Manages the state of a grid: keys and clicks change the active cell, the order, the selection and the column widths in pixels.
 */
export function useGrid(data: Data): GridState {
  const { columns, count, order, selection, onSort } = data;
  const scroller = useRef<HTMLDivElement>(null);
  const viewport = useViewport(scroller);
  const [left, scrolled] = useState(0);
  const [chosen, setChosen] = useState<Position>({ row: 0, column: 0 });
  const [isOpen, setOpen] = useState(false);
  const [widths, setWidths] = useWidths(data);
  const active = inside(chosen, { rows: count, columns: columns.length });

  const choose = (next: Position): void => {
    setChosen(next);
    if (scroller.current) bringIntoSight(scroller.current, next, edgesOf(widths));
  };
  const resize = (column: number, by: number): void => setWidths(resized(widths, column, by));
  const open = (next: boolean): void => {
    setOpen(next);
    if (!next) scroller.current?.focus();
  };
  const pressed = (event: TargetedKeyboardEvent<HTMLElement>): boolean => {
    const isHead = active.row < 0;
    const isArrow = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (isHead && isArrow && event.shiftKey) {
      resize(active.column, event.key === 'ArrowLeft' ? -step : step);
      return true;
    }
    if (event.key === 'Escape') {
      if (isOpen) open(false);
      return isOpen;
    }
    if (selection && selects(selection, event, active.row, count)) return true;
    if (event.key === 'Enter' || event.key === ' ') {
      if (isHead) onSort(nextOrder(order, active.column));
      else setOpen(true);
      return true;
    }
    const page = Math.max(1, Math.floor(viewport.height / rowHeight) - 2);
    const next = moved(active, event, { rows: count, columns: columns.length, page });
    if (next) choose(next);
    return next !== undefined;
  };
  const press = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    if (pressed(event)) event.preventDefault();
  };
  return { scroller, viewport, left, scrolled, active, choose, widths, resize, isOpen, open, press };
}

/** The change of a column's width per key press, in pixels. */
const step = 16;

/** Cycles through ascending, descending and the original order. */
export function nextOrder(order: RowOrder | undefined, column: number): RowOrder | undefined {
  if (order?.column !== column) return { column, descending: false };
  return order.descending ? undefined : { column, descending: true };
}

/** The number of rows from which the initial column widths are computed. */
const sample = 50;

/** Fits the widths to the first rows; from then on the user determines them, until the columns change. */
function useWidths({ columns, count, row }: Data): readonly [readonly number[], (widths: readonly number[]) => void] {
  const own = useRef<{ readonly names: string; readonly widths: readonly number[] } | undefined>(undefined);
  const [, draw] = useState(0);
  const names = JSON.stringify(columns.map(({ name }) => name));
  const set = (widths: readonly number[]): void => {
    own.current = { names, widths };
    draw((times) => times + 1);
  };
  if (own.current?.names === names) return [own.current.widths, set];
  const rows = Array.from({ length: Math.min(count, sample) }, (_, index) => row(index));
  const here = rows.filter((cells) => cells !== undefined);
  const widths = fittingWidths(columns, here);
  if (here.length > 0) own.current = { names, widths };
  return [widths, set];
}

/** Scrolls just far enough to make a cell visible. */
function bringIntoSight(scroller: HTMLElement, { row, column }: Position, edges: readonly number[]): void {
  const top = row * rowHeight;
  const height = scroller.clientHeight - rowHeight;
  if (row >= 0 && top < scroller.scrollTop) scroller.scrollTop = top;
  else if (row >= 0 && top + rowHeight > scroller.scrollTop + height) scroller.scrollTop = top + rowHeight - height;
  const [from, to] = [edges[column] ?? 0, edges[column + 1] ?? 0];
  const width = scroller.clientWidth - numbersWidth;
  if (from < scroller.scrollLeft) scroller.scrollLeft = from;
  else if (to > scroller.scrollLeft + width) scroller.scrollLeft = Math.min(from, to - width);
}

/** Selects the active row with Space, and all rows with Ctrl+A (Command+A on macOS). Returns whether the key was handled. */
function selects(
  selection: RowSelection,
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  row: number,
  count: number,
): boolean {
  if (key === ' ' && row >= 0) {
    selection.set(row, row, !selection.has(row));
    return true;
  }
  if (key.toLowerCase() !== 'a' || !(ctrlKey || metaKey) || count === 0) return false;
  selection.set(0, count - 1, true);
  return true;
}
