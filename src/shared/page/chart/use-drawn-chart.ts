import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DrawnChart } from './draw.ts';
import { reasonOf } from './failure.ts';
import type { ChartSource } from './messages.ts';

/** The minimum width of a picture and the margin beside it, in pixels. */
const narrowest = 160;
const margin = 8;

/**
 * Draws a chart into an element, and redraws it when the theme or the element's width changes; without a source there is no
 * chart. The drawing code is loaded with the first chart. `report` is called after each drawing, with the error if it failed.
 */
export function useDrawnChart(
  container: RefObject<HTMLElement | null>,
  source: ChartSource | undefined,
  report: (error?: unknown) => void,
): { readonly drawn: DrawnChart | undefined; readonly problem: string } {
  const [drawn, setDrawn] = useState<DrawnChart | undefined>(undefined);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    setProblem('');
    const element = container.current;
    if (!source || !element) return undefined;
    let left = false;
    /** The width of the last drawing that started, in pixels. */
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
      // The width may have changed during the drawing.
      redraw();
    };
    const redraw = (): void => {
      // A hidden element has no width; its chart stays unchanged.
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
