import { useState } from 'preact/hooks';
import { arrangedRows } from '#base/arranged-rows.ts';
import type { RowOrder } from '#base/row-order.ts';
import type { PlaygroundComparison } from '#features/playground/messages.ts';
import { Grid } from '#shared/page/grid/grid.tsx';
import { visible } from '#shared/page/visible.ts';
import type { PlaygroundModel } from './model.ts';

/** Shows how the answer to the query differs from that of an earlier run, another environment, or another identity. */
export function Compare({ model }: { readonly model: PlaygroundModel }) {
  const comparison = model.comparison.value;
  const isRunning = comparison?.phase === 'running';
  const isWrong = model.checked.value.problems.length > 0;
  const compare = (what: 'run' | 'target' | 'identity') => () => model.post({ type: 'compare', with: what });
  return (
    <>
      <div class="actions">
        <button type="button" class="secondary" disabled={isRunning} onClick={compare('run')}>
          Compare Last Two Runs
        </button>
        <button type="button" class="secondary" disabled={isRunning || isWrong} onClick={compare('target')}>
          Compare with Environment…
        </button>
        <button type="button" class="secondary" disabled={isRunning || isWrong} onClick={compare('identity')}>
          Compare with Identity…
        </button>
        {isRunning && (
          <button type="button" onClick={() => model.post({ type: 'cancelComparison' })}>
            Cancel
          </button>
        )}
      </div>
      <p class={comparison?.phase === 'failed' ? 'problem' : 'hint'} role="status">
        {visible(comparison?.text || 'Rows are matched by their dimensions.')}
      </p>
      {comparison?.notes.map((note) => (
        <p key={note} class="hint">
          {visible(note)}
        </p>
      ))}
      {comparison && comparison.rows.length > 0 && (
        <Differences key={comparison.text} model={model} comparison={comparison} />
      )}
    </>
  );
}

/** Shows the differences. The page has all of them, so it sorts them itself. */
function Differences({
  model,
  comparison: { columns, rows },
}: {
  readonly model: PlaygroundModel;
  readonly comparison: PlaygroundComparison;
}) {
  const [order, setOrder] = useState<RowOrder | undefined>(undefined);
  const shown = order ? arrangedRows(rows, columns, { order }) : rows;
  return (
    <Grid
      label="Differences"
      columns={columns}
      count={shown.length}
      row={(index) => shown[index] as (typeof rows)[number] | undefined}
      order={order}
      cellActions={({ column, cells }) => (
        <button
          type="button"
          class="secondary"
          onClick={() => model.post({ type: 'askDifference', column, cells: [...cells] })}
        >
          Ask the Agent
        </button>
      )}
      onSort={setOrder}
    />
  );
}
