import { useEffect, useRef } from 'preact/hooks';
import type { PlaygroundChart } from '#features/playground/messages.ts';
import { useDrawnChart } from '#shared/page/chart/use-drawn-chart.ts';
import { visible } from '#shared/page/visible.ts';
import { BeforeRun } from './before-run.tsx';
import type { PlaygroundModel } from './model.ts';
import { RowGrid, RunStatus } from './rows.tsx';

/** Shows the rows of the run as a chart, initially of the kind that suits the query best. */
export function ChartTab({ model }: { readonly model: PlaygroundModel }) {
  const result = model.result.value;
  const chart = model.chart.value;
  const kind = model.chartKind.value;
  const version = result?.phase === 'done' ? result.version : undefined;
  useEffect(() => {
    if (version !== undefined) model.post({ type: 'chart', kind });
  }, [version, kind]);
  if (!result) return <BeforeRun model={model} shown="chart" />;
  return (
    <>
      <div class="playground-status">
        <RunStatus model={model} result={result} />
      </div>
      {result.phase === 'done' && chart && (
        <>
          <div class="sides" role="group" aria-label="Kind of chart">
            {chart.kinds.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={chart.kind === each}
                onClick={() => (model.chartKind.value = each)}
              >
                {names[each]}
              </button>
            ))}
          </div>
          {chart.hint !== '' && <p class="hint">{chart.hint}</p>}
          <ChartOfKind model={model} chart={chart} />
        </>
      )}
    </>
  );
}

const names: Readonly<Record<PlaygroundChart['kind'], string>> = {
  line: 'Line',
  bar: 'Bar',
  area: 'Area',
  pie: 'Pie',
  number: 'Number',
  table: 'Table',
};

function ChartOfKind({ model, chart }: { readonly model: PlaygroundModel; readonly chart: PlaygroundChart }) {
  const result = model.result.value;
  if (chart.kind === 'table') return result ? <RowGrid model={model} result={result} /> : null;
  if (chart.kind === 'number')
    return (
      <dl class="playground-figures">
        {chart.figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{visible(label)}</dt>
            <dd>{visible(value)}</dd>
          </div>
        ))}
      </dl>
    );
  return chart.rows.length === 0 ? (
    <p class="hint">There are no rows to draw.</p>
  ) : (
    <Drawing model={model} chart={chart} />
  );
}

function Drawing({ model, chart }: { readonly model: PlaygroundModel; readonly chart: PlaygroundChart }) {
  const container = useRef<HTMLDivElement>(null);
  const { drawn, problem } = useDrawnChart(container, chart, () => undefined);
  const save = (format: 'png' | 'svg'): void => {
    void drawn?.[format]().then((data) => model.post({ type: 'saveImage', format, data }));
  };
  return (
    <>
      {problem !== '' && <p class="problem">The chart was not drawn: {visible(problem)}</p>}
      <div ref={container} class="playground-chart" role="img" aria-label={`${names[chart.kind]} chart of the rows`} />
      {drawn?.remarks.map((remark) => (
        <p key={remark} class="hint">
          {visible(remark)}
        </p>
      ))}
      {drawn && (
        <div class="actions">
          <button type="button" class="secondary" onClick={() => save('png')}>
            Save as PNG…
          </button>
          <button type="button" class="secondary" onClick={() => save('svg')}>
            Save as SVG…
          </button>
        </div>
      )}
    </>
  );
}
