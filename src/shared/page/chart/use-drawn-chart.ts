import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DrawnChart } from './draw.ts';
import type { ChartRows } from './extent.ts';
import { reasonOf } from './failure.ts';

/** What a chart is made of: a specification of Vega-Lite as JSON, and the rows that it draws. */
export interface ChartSource {
  readonly spec: string;
  readonly rows: ChartRows;
}

/**
 * Draws a chart into an element, again with each theme; without a source there is none. The code that draws is loaded with
 * the first one. `report` hears how each drawing ended, with nothing where it is there.
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
    const draw = async (): Promise<void> => {
      try {
        const { drawChart } = await import('#shared/page/chart/draw.ts');
        const chart = left ? undefined : await drawChart(element, source.spec, source.rows);
        if (left || !chart) return;
        setDrawn(chart);
        setProblem('');
        report();
      } catch (error) {
        if (left) return;
        setProblem(reasonOf(error));
        report(error);
      }
    };
    void draw();
    const theme = new MutationObserver(() => void draw());
    theme.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    return () => {
      left = true;
      theme.disconnect();
    };
  }, [source]);
  return { drawn, problem };
}
