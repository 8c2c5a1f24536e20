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

/** Returns the rows of a long list to draw; all rows have the same height. */
export function useRowsInSight({ scroller, count, rowHeight, spare }: List): RowsInSight {
  const [top, scrolled] = useState(0);
  const height = scroller.current?.clientHeight ?? 600;
  const first = Math.min(count, Math.max(0, Math.floor(top / rowHeight) - spare));
  return { first, last: Math.min(count, Math.ceil((top + height) / rowHeight) + spare), scrolled };
}
