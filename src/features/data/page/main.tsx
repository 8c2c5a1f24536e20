import { render } from 'preact';
import type { ResultState } from '#features/data/messages.ts';
import { CopyAs } from '#shared/page/grid/copy-as.tsx';
import { rowCountText } from '#shared/page/grid/row-count.ts';
import { visible } from '#shared/page/visible.ts';
import { ResultsModel } from './model.ts';
import { saveLabel } from './save-label.ts';
import { ResultRows } from '#shared/page/grid/result-rows.tsx';
import './results.css';

/** Shows the result of a query: its status, its actions, its rows. */
function App({ model }: { readonly model: ResultsModel }) {
  const state = model.state.value;
  if (!state) return null;
  const running = state.phase === 'running';
  return (
    <main class="results">
      <header>
        <div class="about">
          <h1>{state.title || 'Query'}</h1>
          <span class="hint">{state.source}</span>
        </div>
        <div class="buttons">
          {running ? (
            <button type="button" onClick={() => model.post({ type: 'cancel' })}>
              Cancel
            </button>
          ) : (
            <button type="button" onClick={() => model.post({ type: 'again' })}>
              Run Again
            </button>
          )}
          {state.sql !== '' && (
            <button type="button" class="secondary" onClick={() => model.post({ type: 'openSql' })}>
              Open SQL
            </button>
          )}
          <CopyAs disabled={state.count === 0} onCopy={(format) => model.post({ type: 'copy', format })} />
          <button
            type="button"
            class="secondary"
            disabled={state.count === 0}
            onClick={() => model.post({ type: 'csv' })}
          >
            {saveLabel(state)}
          </button>
        </div>
      </header>
      {state.choices && <Choices model={model} choices={state.choices} />}
      <p class={state.phase === 'failed' ? 'problem' : 'hint'} role="status">
        {stateText(state)}
        {state.phase === 'done' && state.note ? ` · ${visible(state.note)}` : ''}
      </p>
      {state.columns.length > 0 && (
        <ResultRows
          model={model}
          result={state}
          onAsk={(column, cells) => model.post({ type: 'ask', column, cells })}
        />
      )}
    </main>
  );
}

/** Shows the values that the rows are filtered by; a click asks for another value. */
function Choices({
  model,
  choices,
}: {
  readonly model: ResultsModel;
  readonly choices: NonNullable<ResultState['choices']>;
}) {
  return (
    <div class="choices" role="group" aria-label="Filters">
      {choices.map(({ id, label, value }) => (
        <button key={id} type="button" class="secondary" onClick={() => model.post({ type: 'choose', id })}>
          {label}: {visible(value)}
        </button>
      ))}
    </div>
  );
}

function stateText(state: ResultState): string {
  const rows = rowCountText(state);
  switch (state.phase) {
    case 'running':
      return state.message === '' ? `Running… ${state.loaded > 0 ? rows : ''}` : `${state.message}…`;
    case 'failed':
      return state.message;
    case 'cancelled':
      return `Cancelled. ${rows}`;
    default: {
      const seconds = state.milliseconds === undefined ? '' : ` in ${(state.milliseconds / 1000).toFixed(1)} s`;
      return state.isCut ? `${rows}.` : `${rows}${seconds}`;
    }
  }
}

const container = document.querySelector('#results');
if (container) render(<App model={new ResultsModel(acquireVsCodeApi(), window)} />, container);
