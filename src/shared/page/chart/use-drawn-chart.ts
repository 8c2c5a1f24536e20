import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DrawnChart } from './draw.ts';
import { reasonOf } from './failure.ts';
import type { ChartSource } from './messages.ts';

/** The narrowest picture, and what stays free beside it, in pixels. */
const narrowest = 160;
const margin = 8;

/**
 * Draws a chart into an element, again with each theme and each width of the element; without a source there is none. The code
 * that draws is loaded with the first one. `report` hears how each drawing ended, with nothing where it is there.
 */
export function useDrawnChart(
  place: RefObject<HTMLElement | null>,
  source: ChartSource | undefined,
  report: (error?: unknown) => void,
): { readonly drawn: DrawnChart | undefined; readonly problem: string } {
  const [drawn, setDrawn] = useState<DrawnChart | undefined>(undefined);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    setProblem('');
    const element = place.current;
    if (!source || !element) return undefined;
    let left = false;
    /** Of the last drawing that began, in pixels. */
    let width = 0;
    let isDrawing = false;
    const draw = async (): Promise<void> => {
      width = widthIn(element);
      isDrawing = true;
      try {
        const { drawChart } = await import('#shared/page/chart/draw.ts');
        const chart = left ? undefined : await drawChart(element, source, width);
        if (left || !chart) return;
        setDrawn(chart);
        setProblem('');
        report();
      } catch (error) {
        if (left) return;
        setProblem(reasonOf(error));
        report(error);
      } finally {
        isDrawing = false;
      }
      // While it was drawn, its view became wider or narrower.
      redraw();
    };
    const redraw = (): void => {
      // An element that is hidden has no width; its chart stays as it is.
      if (!left && !isDrawing && element.clientWidth > 0 && widthIn(element) !== width) void draw();
    };
    void draw();
    const theme = new MutationObserver(() => void draw());
    theme.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    const size = new ResizeObserver(redraw);
    size.observe(element);
    return () => {
      left = true;
      theme.disconnect();
      size.disconnect();
    };
  }, [source]);
  return { drawn, problem };
}

const widthIn = (element: HTMLElement): number => Math.max(narrowest, element.clientWidth - margin);
