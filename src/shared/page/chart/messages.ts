import type { ChartRows } from './extent.ts';

/** The source of a chart: a Vega-Lite specification as JSON, and the rows to draw. */
export interface ChartSource {
  readonly spec: string;
  readonly rows: ChartRows;
  /** The height of a single view in pixels; by default that of a chart between texts. */
  readonly height?: number | undefined;
}

/** The page's request to the worker. */
export interface DrawRequest extends ChartSource {
  /** The editor's colours and fonts as a Vega-Lite configuration. */
  readonly config: object;
  /** In pixels. */
  readonly width: number;
}

export interface DrawnPicture {
  /** Untrusted: it is shown through an allow list of elements. */
  readonly svg: string;
  /** Keys of the specification that were left out. */
  readonly leftOut: readonly string[];
  /** Sentences on rows that have no mark in the picture. */
  readonly remarks: readonly string[];
}

/** `ready`: the worker's code is loaded, and the chart's time limit starts. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'drawn'; readonly picture: DrawnPicture }
  | { readonly kind: 'failed'; readonly reason: string };
