import { useState } from 'preact/hooks';
import { visible } from '#shared/page/visible.ts';
import { ChartTab } from './chart.tsx';
import { Compare } from './compare.tsx';
import type { Tab } from '#features/playground/messages.ts';
import type { PlaygroundModel } from './model.ts';
import { PreAggregations } from './pre-aggregations.tsx';
import { Rows } from './rows.tsx';

const tabs: readonly (readonly [Tab, string])[] = [
  ['rows', 'Rows'],
  ['chart', 'Chart'],
  ['compare', 'Compare'],
  ['sql', 'SQL'],
  ['preAggregations', 'Pre-aggregations'],
  ['query', 'Query'],
  ['history', 'History'],
];

/** Shows the results of a query: its rows, their chart, its SQL, its other forms, and previous runs. */
export function Answer({ model }: { readonly model: PlaygroundModel }) {
  const tab = model.tab.value;
  return (
    <section class="playground-answer" aria-label="Answer">
      <div class="sides" role="group" aria-label="What is shown">
        {tabs.map(([id, label]) => (
          <button key={id} type="button" aria-pressed={tab === id} onClick={() => model.show(id)}>
            {label}
          </button>
        ))}
      </div>
      {tab === 'rows' && <Rows model={model} />}
      {tab === 'chart' && <ChartTab model={model} />}
      {tab === 'compare' && <Compare model={model} />}
      {tab === 'sql' && <Sql model={model} />}
      {tab === 'preAggregations' && <PreAggregations model={model} />}
      {tab === 'query' && <Forms model={model} />}
      {tab === 'history' && <History model={model} />}
    </section>
  );
}

function Sql({ model }: { readonly model: PlaygroundModel }) {
  const { phase, text } = model.sql.value;
  const isWrong = model.checked.value.problems.length > 0;
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="secondary"
          disabled={phase === 'loading' || isWrong}
          onClick={() => model.post({ type: 'compile' })}
        >
          Compile
        </button>
        {phase === 'ready' && (
          <>
            <button type="button" class="secondary" onClick={() => model.post({ type: 'openSql' })}>
              Open in Editor
            </button>
            <CopyText model={model} text={text} />
          </>
        )}
        {phase === 'none' && (
          <span class="hint">{isWrong ? 'The query is not complete yet.' : 'Compile the query to see its SQL.'}</span>
        )}
        {phase === 'loading' && (
          <>
            <button type="button" class="secondary" onClick={() => model.post({ type: 'cancelCompile' })}>
              Cancel
            </button>
            <span class="hint">Compiling…</span>
          </>
        )}
      </div>
      {phase === 'failed' && (
        <p class="problem" role="status">
          {visible(text)}
        </p>
      )}
      {phase === 'ready' && (
        <pre tabIndex={0} role="region" aria-label="Compiled SQL">
          {visible(text)}
        </pre>
      )}
    </>
  );
}

function Forms({ model }: { readonly model: PlaygroundModel }) {
  const [chosen, choose] = useState('json');
  const { forms } = model.checked.value;
  const form = forms.find(({ id }) => id === chosen) ?? forms[0];
  if (!form) return <p class="hint">The query is not complete yet.</p>;
  return (
    <>
      <div class="actions">
        <div class="sides" role="group" aria-label="Form of the query">
          {forms.map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={form.id === id} onClick={() => choose(id)}>
              {label}
            </button>
          ))}
        </div>
        <CopyText model={model} text={form.text} />
      </div>
      <pre tabIndex={0} role="region" aria-label={`Query as ${form.label}`}>
        {visible(form.text)}
      </pre>
    </>
  );
}

function CopyText({ model, text }: { readonly model: PlaygroundModel; readonly text: string }) {
  return (
    <button type="button" class="secondary" onClick={() => model.post({ type: 'copyText', text })}>
      Copy
    </button>
  );
}

function History({ model }: { readonly model: PlaygroundModel }) {
  const runs = model.history.value;
  if (runs.length === 0) return <p class="hint">Queries that you run on this deployment are listed here.</p>;
  const again = (id: number): void => {
    model.show('rows');
    model.post({ type: 'rerun', id });
  };
  return (
    <>
      <ul class="playground-history">
        {runs.map(({ id, title, about }) => (
          <li key={id}>
            <button type="button" class="link" title="Run this query again" onClick={() => again(id)}>
              {visible(title)}
            </button>
            <span class="hint">{about}</span>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="secondary" onClick={() => model.post({ type: 'clearHistory' })}>
          Clear History
        </button>
      </div>
    </>
  );
}
