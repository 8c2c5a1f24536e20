import source from 'worker:./worker.ts';
import { ChartWorker } from './chart-worker.ts';
import type { ChartSource } from './messages.ts';
import { pictureOf } from './picture.ts';
import { pngOf } from './png.ts';
import { startedWorker } from './started-worker.ts';
import { chartTheme } from './theme.ts';

/** A chart on the page, which can be exported as a PNG (in base64) or SVG text. */
export interface DrawnChart {
  readonly png: () => Promise<string>;
  readonly svg: () => Promise<string>;
  /** Keys of its specification that were left out. */
  readonly leftOut: readonly string[];
  /** Sentences on rows that have no mark in the picture. */
  readonly remarks: readonly string[];
}

const worker = new ChartWorker(
  (hear) => startedWorker(source, hear),
  (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
);

/**
 * Draws a Vega-Lite chart `width` pixels wide, with its rows as the only data. Rejects if the specification produces no chart.
 */
export async function drawChart(
  container: HTMLElement,
  { spec, rows, height }: ChartSource,
  width: number,
): Promise<DrawnChart> {
  const picture = await worker.draw({ spec, rows, height, config: chartTheme(), width });
  const element = pictureOf(picture.svg, document);
  container.replaceChildren(element);
  const svg = new XMLSerializer().serializeToString(element);
  const { leftOut, remarks } = picture;
  return { leftOut, remarks, svg: () => Promise.resolve(svg), png: () => pngOf(svg, element) };
}
