import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { visible } from '#shared/page/visible.ts';
import { isTimeout, reasonOf } from '#shared/page/chart/failure.ts';
import type { DrawnChart } from '#shared/page/chart/draw.ts';
import { useDrawnChart } from '#shared/page/chart/use-drawn-chart.ts';
import { type ChartData, partKey } from '../model.ts';
import { useActions } from './actions.ts';
import { IconButton } from './icons.tsx';
import { LargeChart } from './large-chart.tsx';
import { ModelContext } from './model-context.ts';
import { useSeen } from './use-seen.ts';

interface ChartProps {
  readonly turn: string;
  readonly id: string;
  readonly title: string;
  /** The same rows as a table, for a chart that cannot be drawn. */
  readonly table: ComponentChildren;
}

/** A chart of a query's rows. Its code is loaded when the first chart is shown. */
export function Chart({ turn, id, title, table }: ChartProps) {
  const model = useContext(ModelContext);
  const { post } = useActions();
  const data = model?.charts.value.get(partKey(turn, id));
  const container = useRef<HTMLDivElement>(null);
  /** The user wants to retry a chart that took too long. */
  const [isForced, setForced] = useState(false);
  const failure = isForced ? '' : (data?.failure ?? '');
  const isSeen = useSeen(container);
  useEffect(() => {
    if (!data && isSeen) post({ type: 'chart', turn, id });
  }, [turn, id, isSeen]);
  const { drawn, problem } = useDrawnChart(container, failure === '' ? data : undefined, (error) => {
    if (error === undefined && isForced) post({ type: 'chartFailed', turn, id, reason: '' });
    else if (isTimeout(error)) post({ type: 'chartFailed', turn, id, reason: reasonOf(error) });
  });
  const refused = failure || problem;
  if (refused !== '') {
    return (
      <div class="chart">
        <NotDrawn turn={turn} id={id} reason={refused} again={failure === '' ? undefined : () => setForced(true)} />
        {table}
      </div>
    );
  }
  return (
    <div class="chart">
      <div ref={container} class="chart-place" role="img" aria-label={`Chart: ${visible(title) || 'query result'}`} />
      {drawn && data && <UnderChart chart={drawn} source={data} title={title} />}
    </div>
  );
}

interface NotDrawnProps {
  readonly turn: string;
  readonly id: string;
  readonly reason: string;
  readonly again: (() => void) | undefined;
}

function NotDrawn({ turn, id, reason, again }: NotDrawnProps) {
  const { tool } = useActions();
  return (
    <>
      <p class="hint" dir="auto">
        The chart was not drawn: {visible(reason)}
      </p>
      <div class="chart-problem">
        <button type="button" class="secondary" onClick={() => tool(turn, id, 'openChart')}>
          Show Specification
        </button>
        {again && (
          <button type="button" class="secondary" onClick={again}>
            Draw Again
          </button>
        )}
      </div>
    </>
  );
}

interface UnderChartProps {
  readonly chart: DrawnChart;
  readonly source: ChartData;
  readonly title: string;
}

/** The remark on rows that a chart leaves out, and the buttons that enlarge it and save its picture. */
function UnderChart({ chart, source, title }: UnderChartProps) {
  const { post } = useActions();
  const model = useContext(ModelContext);
  const [isLarge, setLarge] = useState(false);
  const [problem, setProblem] = useState('');
  const save = (format: 'png' | 'svg'): void => {
    setProblem('');
    chart[format]().then(
      (data) => post({ type: 'saveImage', format, data, name: title || 'chart' }),
      (error: unknown) => {
        setProblem(reasonOf(error));
        if (model) model.announcement.value = reasonOf(error);
      },
    );
  };
  const { leftOut, remarks } = chart;
  return (
    <>
      {remarks.map((remark) => (
        <p key={remark} class="hint" dir="auto">
          {visible(remark)}
        </p>
      ))}
      {leftOut.length > 0 && (
        <p class="hint" dir="auto">
          Not supported here and left out: {visible(leftOut.join(', '))}
        </p>
      )}
      <div class="chart-actions">
        <IconButton icon="enlarge" label="Enlarge Chart" onClick={() => setLarge(true)} />
        <IconButton icon="save" label="Save Chart as PNG…" onClick={() => save('png')} />
        <IconButton icon="file" label="Save Chart as SVG…" onClick={() => save('svg')} />
      </div>
      {problem !== '' && <p class="problem">{visible(problem)}</p>}
      {isLarge && <LargeChart source={source} title={title} close={() => setLarge(false)} />}
    </>
  );
}
