import { useState } from 'preact/hooks';
import type { ViewToolDetail } from '#features/chat/messages.ts';
import { visible } from '#shared/page/visible.ts';
import { Chart } from './chart.tsx';
import { CodeBlock } from './code-block.tsx';
import { Disclosure } from './disclosure.tsx';
import { Icon } from './icons.tsx';
import { loadedText } from './result-count.ts';
import { ResultActions } from './result-actions.tsx';
import { ResultTable } from './result-table.tsx';

type SqlDetail = Extract<ViewToolDetail, { readonly kind: 'sql' }>;
type Side = 'chart' | 'table' | 'sql';

/** The rows behind the answer, below it: as a chart if the agent drew one, as a table, as SQL. */
export function ResultCard({
  turn,
  id,
  detail,
}: {
  readonly turn: string;
  readonly id: string;
  readonly detail: SqlDetail;
}) {
  const [side, setSide] = useState<Side>(detail.chart ? 'chart' : 'table');
  const sides: readonly Side[] = detail.chart ? ['chart', 'table', 'sql'] : ['table', 'sql'];
  return (
    <Disclosure
      class="result"
      open={detail.chart}
      textInside={() => detail.columns.map(({ name }) => name).join('\n')}
      summary={
        <>
          <Icon name={detail.chart ? 'chart' : 'database'} />
          <span class="tool-summary" dir="auto">
            {visible(detail.title || 'Result')}
          </span>
          <span class="hint">{loadedText(detail.rows, detail.total)}</span>
        </>
      }
    >
      {() => (
        <div class="tool-body">
          <div class="sides" role="group" aria-label="Show as">
            {sides.map((name) => (
              <button key={name} type="button" aria-pressed={side === name} onClick={() => setSide(name)}>
                {LABELS[name]}
              </button>
            ))}
          </div>
          {side === 'chart' && (
            <Chart
              turn={turn}
              id={id}
              title={detail.title}
              table={<ResultTable turn={turn} id={id} detail={detail} />}
            />
          )}
          {side === 'chart' && detail.rows < detail.total && (
            <p class="hint">
              Drawn from the first {detail.rows.toLocaleString('en')} of {detail.total.toLocaleString('en')} rows, so
              lines may end early.
            </p>
          )}
          {side === 'table' && <ResultTable turn={turn} id={id} detail={detail} />}
          {side === 'sql' && <CodeBlock code={detail.sql} language="sql" open={false} />}
          <ResultActions turn={turn} id={id} detail={detail} />
        </div>
      )}
    </Disclosure>
  );
}

const LABELS: Readonly<Record<Side, string>> = { chart: 'Chart', table: 'Table', sql: 'SQL' };
