import source from 'worker:./worker.ts';
import { ChartWorker, type WorkerEvent, type WorkerPort } from './chart-worker.ts';
import type { ChartSource, WorkerMessage } from './messages.ts';
import { pictureOf } from './picture.ts';
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

const worker = new ChartWorker(started, (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
});

function started(hear: (event: WorkerEvent) => void): WorkerPort {
  const own = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  own.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => hear(data));
  own.addEventListener('error', () => hear({ kind: 'died' }));
  return {
    send: (request) => own.postMessage(request),
    terminate: () => own.terminate(),
  };
}

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

/** Renders at double resolution on the background of the page, because the texts have the theme's colours. */
async function pngOf(svg: string, element: SVGSVGElement): Promise<string> {
  const { width, height } = element.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * 2);
  canvas.height = Math.ceil(height * 2);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The image could not be created.');
  context.fillStyle = groundOf(element);
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:[^,]*,/, '');
}

function groundOf(element: Element): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (backgroundColor !== 'rgba(0, 0, 0, 0)' && backgroundColor !== 'transparent') return backgroundColor;
  }
  return '#ffffff';
}
