import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The size of the visible area of a scrolled element, in pixels. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** Assumed until the element was laid out. */
const assumed: Viewport = { width: 800, height: 600 };

/** Returns the current size of an element. */
export function useViewport(element: RefObject<HTMLElement | null>): Viewport {
  const [viewport, setViewport] = useState(assumed);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const measure = (): void =>
      setViewport({ width: current.clientWidth || assumed.width, height: current.clientHeight || assumed.height });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return viewport;
}
