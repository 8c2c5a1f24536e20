import { type Config, type TopLevelSpec, compile } from 'vega-lite';
import { View, parse } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { asError } from '#base/async.ts';
import { foldSeries } from './fold-series.ts';
import { drawnToFit } from './fit.ts';
import type { DrawRequest, DrawnPicture } from './messages.ts';
import type { Json } from './rules.ts';
import { safeChart } from './spec.ts';
import { refuseUnknownColumns } from './unknown-columns.ts';
import { type SeriesStyle, seriesStyle } from './series.ts';
import { labelWithTooltips } from './tooltips.ts';

/** Longest picture, in characters. */
const LARGEST = 6_000_000;
/** Longest text that an expression may make. */
const LONGEST_TEXT = 10_000;

/**
 * Draws a specification and nothing else: without a document, with expressions interpreted, and without a loader. Throws
 * with a sentence for the user where there is nothing to show.
 */
export async function render(request: DrawRequest): Promise<DrawnPicture> {
  const { spec: safe, rows: given, leftOut } = safeChart(parsed(request.spec), request.rows);
  const { data: _, ...shown } = safe;
  refuseUnknownColumns(shown as Json, given);
  const { spec, rows } = 'transform' in safe ? { spec: safe, rows: given } : foldSeries(safe, given);
  const style = seriesStyle(spec, rows, request.width);
  const config = withStyle(request, style);
  const svg = await drawnToFit(spec, request, style, (fitted) => pictureText(fitted, config));
  return { svg, leftOut };
}

async function pictureText(spec: object, config: Config): Promise<string> {
  const { spec: vegaSpec } = compile(spec as unknown as TopLevelSpec, { config, logger: loggerTo([]) });
  const view = new View(parse(vegaSpec, undefined, { ast: true }), {
    renderer: 'none',
    expr: BOUNDED,
    loader: refusingLoader,
  });
  try {
    const problems: unknown[] = [];
    // What goes wrong while data flow is logged, not thrown.
    view.logger(loggerTo(problems));
    await view.runAsync();
    if (problems.length > 0) throw asError(problems[0]);
    labelWithTooltips(view.scenegraph());
    const svg = await view.toSVG();
    if (svg.length > LARGEST) throw new Error('The chart has too many marks to be shown.');
    return svg;
  } finally {
    view.finalize();
  }
}

function parsed(spec: string): unknown {
  try {
    return JSON.parse(spec);
  } catch {
    throw new Error('The specification of the chart is not JSON.');
  }
}

/** The editor's colours with those of the series; the texts of a legend stay the editor's, and labels leave room for the plot. */
function withStyle({ config, width }: DrawRequest, { config: own }: SeriesStyle): Config {
  const { legend, axis } = config as Config;
  const labelLimit = Math.max(60, Math.min(180, Math.round(width * 0.35)));
  return { ...config, ...own, axis: { labelLimit, ...axis }, legend: { ...legend, ...(own as Config).legend } };
}

const refuse = (): Promise<never> => Promise.reject(new Error('Charts cannot load data or images.'));
const refusingLoader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

type ChartLogger = NonNullable<NonNullable<Parameters<typeof compile>[1]>['logger']>;

function loggerTo(problems: unknown[]): ChartLogger {
  const ignore = (): ChartLogger => logger;
  const error = (problem: unknown): ChartLogger => {
    problems.push(problem);
    return logger;
  };
  const logger = { level: ignore, error, warn: ignore, info: ignore, debug: ignore } as unknown as ChartLogger;
  return logger;
}

type Evaluate = (...given: readonly unknown[]) => unknown;
type Interpreter = Readonly<Record<string, (context: unknown, expression: unknown) => Evaluate>>;

/** Vega's interpreter; a text that doubles with each transform ends the chart instead of the memory. */
const BOUNDED = Object.fromEntries(
  Object.entries(expressionInterpreter as unknown as Interpreter).map(([kind, interpret]) => [
    kind,
    kind === 'parameter' || kind === 'operator'
      ? (context: unknown, expression: unknown): Evaluate => {
          const evaluate = interpret(context, expression);
          return (...given) => bounded(evaluate(...given));
        }
      : interpret,
  ]),
);

function bounded(value: unknown): unknown {
  if (typeof value === 'string' && value.length > LONGEST_TEXT)
    throw new Error('An expression of the chart produces text that is too long.');
  return value;
}
