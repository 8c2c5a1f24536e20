import { type Config, type TopLevelSpec, compile } from 'vega-lite';
import { Error as SilentButErrors, View, parse } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { harmless } from './spec.ts';

/** A chart in its place, which it also gives as base64 of a PNG and as the text of an SVG. */
export interface DrawnChart {
  readonly png: () => Promise<string>;
  readonly svg: () => Promise<string>;
  readonly dispose: () => void;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/**
 * Draws a Vega-Lite chart with the given rows and nothing else: expressions are interpreted, not evaluated, and the
 * specification cannot load anything. Throws where the specification makes no chart.
 */
export async function drawChart(place: HTMLElement, spec: string, rows: Rows): Promise<DrawnChart> {
  const dark =
    document.body.classList.contains('vscode-dark') || document.body.classList.contains('vscode-high-contrast');
  const source = harmless(JSON.parse(spec), rows) as unknown as TopLevelSpec;
  const width = Math.max(160, place.clientWidth - 8);
  const sized = { ...source, width: 'container', height: 240, autosize: { type: 'fit', contains: 'padding' } };
  const { spec: vegaSpec } = compile(sized as unknown as TopLevelSpec, { config: theme(dark) });
  const view = new View(parse(vegaSpec, undefined, { ast: true }), {
    container: place,
    renderer: 'svg',
    hover: true,
    logLevel: SilentButErrors,
    expr: expressionInterpreter,
    loader: refusingLoader,
  });
  view.width(width);
  await view.runAsync();
  return {
    png: async () => (await view.toImageURL('png', 2)).replace(/^data:[^,]*,/, ''),
    svg: async () => view.toSVG(),
    dispose: () => view.finalize(),
  };
}

const refuse = (): Promise<never> => Promise.reject(new Error('Charts load nothing.'));
const refusingLoader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

/** The editor's colours; charts keep their own palette, which reads on both grounds. */
function theme(dark: boolean): Config {
  const style = getComputedStyle(document.body);
  const variable = (name: string, otherwise: string): string => style.getPropertyValue(name).trim() || otherwise;
  const text = variable('--vscode-foreground', dark ? '#cccccc' : '#333333');
  const line = variable('--vscode-widget-border', dark ? '#454545' : '#d0d0d0');
  const font = variable('--vscode-font-family', 'sans-serif');
  return {
    background: 'transparent',
    font,
    view: { stroke: 'transparent' },
    axis: {
      labelColor: text,
      labelSeparation: 4,
      titleColor: text,
      gridColor: line,
      domainColor: line,
      tickColor: line,
      gridOpacity: 0.5,
    },
    legend: { labelColor: text, titleColor: text },
    title: { color: text },
    mark: { color: variable('--vscode-charts-blue', '#3794ff') },
  };
}
