import { type Config, type TopLevelSpec, compile } from 'vega-lite';
import { View, parse } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { asError } from '#base/async.ts';
import { foldSeries } from './fold-series.ts';
import { drawnToFit, titleRoom } from './fit.ts';
import type { DrawRequest, DrawnPicture } from './messages.ts';
import type { Json } from './rules.ts';
import { type SafeChart, safeChart } from './spec.ts';
import { missingValues, refuseEmptyFrame } from './empty-frame.ts';
import { placedRows } from './placed-rows.ts';
import { type SeriesStyle, seriesStyle } from './series.ts';
import { hasLonePoint, pointsOnPaths } from './lone-points.ts';
import { labelMarks } from './mark-labels.ts';
import { withNumberLabels } from './number-labels.ts';
import { textSources } from './text-sources.ts';

/** The maximum length of a picture, in characters. */
const LARGEST = 6_000_000;
/** The minimum width and height of a plot, in pixels: a smaller one shows nothing. */
const smallestPlot = 12;
/** The maximum length of a text that an expression may produce. */
const LONGEST_TEXT = 10_000;

/**
 * Draws a specification without a document or a loader, interpreting its expressions. Throws an error with a sentence for the
 * user if there is nothing to show.
 */
export async function render(request: DrawRequest): Promise<DrawnPicture> {
  const { spec: safe, rows: given, leftOut } = safeChart(parsed(request.spec), request.rows);
  const { data: _, ...shown } = safe;
  refuseEmptyFrame(shown as Json, given);
  const placed = placedRows(shown as Json, given);
  const chart: SafeChart['spec'] = { ...safe, data: { values: placed } };
  const { spec, rows } = 'transform' in safe ? { spec: chart, rows: placed } : foldSeries(chart, placed);
  const style = seriesStyle(spec, rows, request.width);
  const config = withStyle(request, spec, style);
  const svg = await drawnToFit(withNumberLabels(spec, rows), request, style, (fitted) => pictureText(fitted, config));
  return { svg, leftOut, remarks: missingValues(shown as Json, given) };
}

async function pictureText(spec: object, config: Config, marksPoints = false): Promise<string> {
  const { spec: vegaSpec } = compile(spec as unknown as TopLevelSpec, { config, logger: loggerTo([]) });
  const view = new View(parse(vegaSpec, undefined, { ast: true }), {
    renderer: 'none',
    expr: BOUNDED,
    loader: refusingLoader,
  });
  try {
    const problems: unknown[] = [];
    // Vega logs errors of the data flow instead of throwing them.
    view.logger(loggerTo(problems));
    await view.runAsync();
    if (problems.length > 0) throw asError(problems[0]);
    if (!marksPoints && hasLonePoint(view.scenegraph()))
      return await pictureText(spec, { ...config, ...pointsOnPaths }, true);
    if (labelMarks(view.scenegraph(), textSources(spec)) === 0)
      throw new Error('No row has values that the chart can show.');
    if ('autosize' in spec && Math.min(view.width(), view.height()) < smallestPlot)
      throw new Error('The texts of the chart leave no room for its marks.');
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

/**
 * Combines the editor's configuration with the one for the series; the texts of a legend keep the editor's style, and labels
 * leave room for the plot.
 */
function withStyle(request: DrawRequest, spec: object, { config: own }: SeriesStyle): Config {
  const { legend, axis } = request.config as Config;
  const labelLimit = Math.max(60, Math.min(180, Math.round(request.width * 0.35)));
  // A title without words, such as the long name of a column, cannot be broken into lines.
  const { across, upwards } = titleRoom(spec, request);
  return {
    ...request.config,
    ...own,
    axis: { labelLimit, ...axis },
    axisX: { titleLimit: across },
    axisY: { titleLimit: upwards },
    // Labels of many categories would be written over each other.
    axisDiscrete: { labelOverlap: 'greedy' },
    legend: { ...legend, ...(own as Config).legend },
  };
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

/** Vega's interpreter with a limit: a text that doubles with each transform ends the chart instead of exhausting memory. */
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
