import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';

interface List {
  /** The scrolled element. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** The height of each row, in pixels. */
  readonly rowHeight: number;
  /** Rows drawn beyond the visible ones. */
  readonly spare: number;
}

interface RowsInSight {
  readonly first: number;
  /** The first row that is not drawn. */
  readonly last: number;
  /** Takes the scroll position in pixels. */
  readonly scrolled: (top: number) => void;
}

/** Returns the rows of a long list to draw; all rows have the same height. Scrolling within a row draws nothing again. */
export function useRowsInSight({ scroller, count, rowHeight, spare }: List): RowsInSight {
  const [uppermost, setUppermost] = useState(0);
  const height = scroller.current?.clientHeight ?? 600;
  const first = Math.min(count, Math.max(0, uppermost - spare));
  // Where the uppermost row is in sight only in part, there is one more row at the bottom.
  const last = Math.min(count, uppermost + Math.ceil(height / rowHeight) + 1 + spare);
  return { first, last, scrolled: (pixels) => setUppermost(Math.floor(pixels / rowHeight)) };
}
