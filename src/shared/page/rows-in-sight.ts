import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';

interface List {
  /** What scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Of each row, in pixels. */
  readonly rowHeight: number;
  /** Rows drawn beyond those in sight. */
  readonly spare: number;
}

interface RowsInSight {
  readonly first: number;
  /** The first one that is not drawn. */
  readonly last: number;
  /** Called with how far the list was scrolled. */
  readonly scrolled: (top: number) => void;
}

/** Which rows of a long list are to be drawn; all rows are equally high. */
export function useRowsInSight({ scroller, count, rowHeight, spare }: List): RowsInSight {
  const [top, scrolled] = useState(0);
  const height = scroller.current?.clientHeight ?? 600;
  const first = Math.min(count, Math.max(0, Math.floor(top / rowHeight) - spare));
  return { first, last: Math.min(count, Math.ceil((top + height) / rowHeight) + spare), scrolled };
}
