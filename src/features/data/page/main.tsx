import { render } from 'preact';
import type { ResultState } from '#features/data/messages.ts';
import { Grid } from './grid.tsx';
import { ResultsModel } from './model.ts';
import './results.css';

/** A query's result: how it stands, what one does with it, its rows. */
function App({ model }: { readonly model: ResultsModel }) {
  const state = model.state.value;
  if (!state) return null;
  const running = state.phase === 'running';
  return (
    <main class="results">
      <header>
        <div class="about">
          <h2>{state.title || 'Query'}</h2>
          <span class="hint">{state.place}</span>
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
          <button
            type="button"
            class="secondary"
            disabled={state.count === 0}
            onClick={() => model.post({ type: 'copy' })}
          >
            Copy
          </button>
          <button
            type="button"
            class="secondary"
            disabled={state.count === 0}
            onClick={() => model.post({ type: 'csv' })}
          >
            Save as CSV…
          </button>
        </div>
      </header>
      <p class={state.phase === 'failed' ? 'problem' : 'hint'} role="status">
        {words(state)}
      </p>
      {state.columns.length > 0 && <Grid model={model} state={state} />}
    </main>
  );
}

function words(state: ResultState): string {
  const rows = `${state.count.toLocaleString('en')} ${state.count === 1 ? 'row' : 'rows'}`;
  switch (state.phase) {
    case 'running':
      return state.message === '' ? `Running… ${state.count > 0 ? rows : ''}` : `${state.message}…`;
    case 'failed':
      return state.message;
    case 'cancelled':
      return `Cancelled. ${rows}`;
    default: {
      const seconds = state.milliseconds === undefined ? '' : ` in ${(state.milliseconds / 1000).toFixed(1)} s`;
      return state.isCut ? `The first ${rows}; the result has more.` : `${rows}${seconds}`;
    }
  }
}

const place = document.querySelector('#results');
if (place) render(<App model={new ResultsModel(acquireVsCodeApi(), window)} />, place);
