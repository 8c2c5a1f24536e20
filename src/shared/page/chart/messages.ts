import type { ChartRows } from './extent.ts';

/** What a chart is made of: a specification of Vega-Lite as JSON, and the rows that it draws. */
export interface ChartSource {
  readonly spec: string;
  readonly rows: ChartRows;
}

/** What the page asks the worker for. */
export interface DrawRequest extends ChartSource {
  /** Colours and fonts of the editor, as a configuration of Vega-Lite. */
  readonly config: object;
  /** In pixels. */
  readonly width: number;
}

export interface DrawnPicture {
  /** Untrusted: it is shown through an allow list of elements. */
  readonly svg: string;
  /** Keys of the specification that were left out. */
  readonly leftOut: readonly string[];
}

/** `ready`: the worker's code is loaded, and the time of a chart begins. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'drawn'; readonly picture: DrawnPicture }
  | { readonly kind: 'failed'; readonly reason: string };
