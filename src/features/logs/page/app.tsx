import { useEffect, useRef } from 'preact/hooks';
import { plural } from '#base/words.ts';
import { type LogLevel, logLevels, type LogState } from '#features/logs/messages.ts';
import { visible } from '#shared/page/visible.ts';
import { Lines } from './lines.tsx';
import type { LogModel } from './model.ts';

/** A followed log: its commands, its state and its lines. */
export function App({ model }: { readonly model: LogModel }) {
  const state = model.state.value;
  if (!state) return null;
  return (
    <main class="log">
      <header>
        <h1>{state.title}</h1>
        <Buttons model={model} state={state} />
      </header>
      <Choice model={model} />
      <Search model={model} problem={state.problem} />
      <p class={state.phase === 'failed' ? 'problem' : 'hint'} role="status">
        {stateText(model, state)}{' '}
        {state.phase === 'failed' && (
          <button type="button" onClick={() => model.post({ type: 'retry' })}>
            Retry
          </button>
        )}
      </p>
      <Lines model={model} state={state} />
    </main>
  );
}

function Buttons({ model, state }: { readonly model: LogModel; readonly state: LogState }) {
  const isEmpty = state.from === state.to;
  return (
    <div class="buttons">
      <button type="button" onClick={() => model.post({ type: state.isPaused ? 'resume' : 'pause' })}>
        {state.isPaused ? 'Resume' : 'Pause'}
      </button>
      <button
        type="button"
        class="secondary"
        aria-pressed={model.follows.value}
        title="Keep the newest line visible"
        onClick={() => (model.follows.value = !model.follows.value)}
      >
        Follow
      </button>
      <button type="button" class="secondary" disabled={isEmpty} onClick={() => model.post({ type: 'copy' })}>
        Copy
      </button>
      <button type="button" class="secondary" disabled={isEmpty} onClick={() => model.post({ type: 'save' })}>
        Save As…
      </button>
      <button type="button" class="secondary" disabled={isEmpty} onClick={() => model.post({ type: 'clear' })}>
        Clear
      </button>
    </div>
  );
}

/** The shown log; clicking one of its properties asks for another value. */
function Choice({ model }: { readonly model: LogModel }) {
  const log = model.log.value;
  if (!log) return null;
  const facts = [
    ['source', 'Source', log.source],
    ['container', 'Container', log.container],
    ['pod', 'Pod', log.pod ?? 'all'],
    ['branchName', 'Branch', log.branchName ?? 'all'],
    ['from', 'From', log.from ?? 'newest lines'],
  ] as const;
  return (
    <div class="choice" role="group" aria-label="Log">
      {facts.map(([what, label, value]) => (
        <button key={what} type="button" class="secondary" onClick={() => model.post({ type: 'choose', what })}>
          {label}: {visible(value)}
        </button>
      ))}
    </div>
  );
}

function Search({ model, problem }: { readonly model: LogModel; readonly problem: string }) {
  const find = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'F3') {
        event.preventDefault();
        model.find(model.wanted.value, event.shiftKey);
      } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
        event.preventDefault();
        find.current?.select();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [model]);
  return (
    <div class="search" role="search">
      <input
        type="search"
        aria-label="Filter lines"
        placeholder="Filter: text or /regular expression/"
        value={model.filter.value}
        aria-invalid={problem !== ''}
        onInput={({ currentTarget }) => model.filterBy(currentTarget.value, model.level.value)}
      />
      <select
        aria-label="Minimum severity"
        value={model.level.value}
        onChange={({ currentTarget }) => model.filterBy(model.filter.value, currentTarget.value as LogLevel)}
      >
        {logLevels.map((level) => (
          <option key={level} value={level}>
            {levelLabels[level]}
          </option>
        ))}
      </select>
      <input
        ref={find}
        type="search"
        aria-label="Find in lines"
        placeholder="Find (Enter: next, Shift+Enter: previous)"
        aria-invalid={model.findProblem.value !== ''}
        onInput={({ currentTarget }) => model.find(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') model.find(event.currentTarget.value, event.shiftKey);
        }}
      />
      <Problem of="Filter" text={problem} />
      <Problem of="Find" text={model.findProblem.value} />
      {model.found.value === -1 && <span class="problem">Not found</span>}
    </div>
  );
}

function Problem({ of, text: problem }: { readonly of: string; readonly text: string }) {
  if (problem === '') return null;
  return (
    <span class="problem" role="alert">
      {of}: {problem}
    </span>
  );
}

const levelLabels: Readonly<Record<LogLevel, string>> = {
  debug: 'Everything',
  info: 'Information and above',
  warning: 'Warnings and errors',
  error: 'Errors',
};

function stateText(model: LogModel, state: LogState): string {
  if (state.phase === 'failed') return state.message;
  const count = state.to - state.from;
  const match = count === 1 ? ' matches the filter' : ' match the filter';
  const lines = `${plural(count, 'line')}${state.isFiltered ? match : ''}`;
  if (state.isPaused) return `Paused at ${lines}; ${state.held.toLocaleString('en')} new lines are waiting.`;
  if (state.phase === 'loading') return 'Reading the log…';
  if (count === 0)
    return state.isFiltered ? 'No line matches the filter.' : 'Nothing was logged yet; new lines appear here.';
  return model.follows.value ? `${lines}, following` : lines;
}
