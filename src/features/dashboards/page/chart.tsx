import { largest, smallest } from '#base/long-lists.ts';
import type { Chart } from '#features/dashboards/messages.ts';

const width = 400;
const height = 160;
const base = height - 4;
const colours = 6;

/** A small chart of a query's sample; its label describes it for screen readers. */
export function SampleChart({ chart }: { readonly chart: Chart }) {
  if (chart.kind === 'table') return <SampleTable chart={chart} />;
  if (chart.kind === 'number') {
    return (
      <div class="figures">
        {chart.series.map(({ name, values }) => (
          <div key={name}>
            <strong>{values[0]?.toLocaleString('en') ?? '–'}</strong>
            <span class="hint">{name}</span>
          </div>
        ))}
      </div>
    );
  }
  if (chart.labels.length === 0) return <p class="hint">The query has no rows.</p>;
  const range = rangeOf(chart);
  const names = chart.series.map(({ name }) => name).join(', ');
  const label = `${names}: ${chart.labels.length} points from ${chart.labels[0] ?? ''} to ${chart.labels.at(-1) ?? ''}, ${range.low.toLocaleString('en')} to ${range.high.toLocaleString('en')}`;
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <title>{label}</title>
        <line class="axis" x1="0" x2={width} y1={yOf(0, range)} y2={yOf(0, range)} />
        {chart.kind === 'line' ? <Lines chart={chart} range={range} /> : <Bars chart={chart} range={range} />}
      </svg>
      <figcaption class="hint">{names}</figcaption>
    </figure>
  );
}

interface Range {
  readonly low: number;
  readonly high: number;
}

interface Drawn {
  readonly chart: Chart;
  readonly range: Range;
}

function Lines({ chart: { labels, series }, range }: Drawn) {
  const step = width / Math.max(1, labels.length - 1);
  return (
    <>
      {series.map(({ name, values }, at) => {
        const points = values.flatMap((value, i) => (value === null ? [] : [`${i * step},${yOf(value, range)}`]));
        return <polyline key={name} class={`series-${at % colours}`} points={points.join(' ')} />;
      })}
    </>
  );
}

function Bars({ chart: { labels, series }, range }: Drawn) {
  const group = width / labels.length;
  const bar = (group * 0.8) / Math.max(1, series.length);
  return (
    <>
      {series.flatMap(({ name, values }, at) =>
        values.map((value, i) => {
          if (value === null) return null;
          const [top, bottom] = [yOf(Math.max(0, value), range), yOf(Math.min(0, value), range)];
          return (
            <rect
              key={`${name} ${labels[i] ?? ''}`}
              class={`series-${at % colours}`}
              x={i * group + group * 0.1 + at * bar}
              y={top}
              width={bar}
              height={Math.max(1, bottom - top)}
            />
          );
        }),
      )}
    </>
  );
}

function SampleTable({ chart: { columns, rows } }: { readonly chart: Chart }) {
  if (rows.length === 0) return <p class="hint">The query has no rows.</p>;
  return (
    <table>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr key={cells.join('\u0000')}>
            {cells.map((cell, at) => (
              <td key={columns[at]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns the range of the values axis. It includes zero for bars and lines, so that neither exaggerates. */
function rangeOf({ series }: Chart): Range {
  const values = series.flatMap((each) => each.values.filter((value) => value !== null));
  return { low: smallest([0, ...values]), high: largest([0, ...values]) };
}

function yOf(value: number, { low, high }: Range): number {
  const share = high === low ? 0 : (value - low) / (high - low);
  return base - share * (base - 4);
}
