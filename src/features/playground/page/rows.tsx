import type { ResultState } from '#features/playground/messages.ts';
import { CopyAs } from '#shared/page/grid/copy-as.tsx';
import { ResultRows } from '#shared/page/grid/result-rows.tsx';
import { rowCountText } from '#shared/page/grid/row-count.ts';
import { visible } from '#shared/page/visible.ts';
import { BeforeRun } from './before-run.tsx';
import type { PlaygroundModel } from './model.ts';

/** Shows the status of the run and its rows. */
export function Rows({ model }: { readonly model: PlaygroundModel }) {
  const result = model.result.value;
  if (!result) return <BeforeRun model={model} shown="rows" />;
  return (
    <>
      <div class="playground-status">
        <RunStatus model={model} result={result} />
        <CopyAs disabled={result.count === 0} onCopy={(format) => model.post({ type: 'copy', format })} />
        <button
          type="button"
          class="secondary"
          disabled={result.count === 0}
          onClick={() => model.post({ type: 'csv' })}
        >
          Save as CSV…
        </button>
      </div>
      <RowGrid model={model} result={result} />
    </>
  );
}

/** Shows the rows with their filter. */
export function RowGrid({ model, result }: { readonly model: PlaygroundModel; readonly result: ResultState }) {
  if (result.columns.length === 0) return null;
  return (
    <ResultRows model={model} result={result} onAsk={(column, cells) => model.post({ type: 'ask', column, cells })} />
  );
}

/** Shows the status of the run and its facts. */
export function RunStatus({ model, result }: { readonly model: PlaygroundModel; readonly result: ResultState }) {
  const facts = result.phase === 'done' ? model.facts.value : [];
  return (
    <p class={result.phase === 'failed' ? 'problem' : 'hint'} role="status">
      {visible([statusText(result), ...facts].join(' · '))}
    </p>
  );
}

function statusText(result: ResultState): string {
  const rows = rowCountText(result);
  switch (result.phase) {
    case 'running':
      return result.message === '' ? 'Running…' : `${result.message}…`;
    case 'failed':
      return result.message;
    case 'cancelled':
      return 'Cancelled';
    default:
      return result.milliseconds === undefined ? rows : `${rows} in ${(result.milliseconds / 1000).toFixed(1)} s`;
  }
}
