import { useEffect } from 'preact/hooks';
import { Answer } from './answer.tsx';
import { Members } from './members.tsx';
import type { PlaygroundModel } from './model.ts';
import { visible } from '#shared/page/visible.ts';
import { Problems } from './problems.tsx';
import { QueryFields } from './query-fields.tsx';

/** Shows the members of the model, the query, and its answer. Ctrl+Enter runs the query from anywhere. */
export function Playground({ model }: { readonly model: PlaygroundModel }) {
  const { name, hidden, additional } = model.identity.value;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // A focused grid or button must not handle the key as well.
      event.stopPropagation();
      model.run();
    };
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [model]);
  return (
    <main class="playground">
      <Header model={model} />
      {name !== '' && <p class="hint">{visible(seenText(name, hidden, additional))}</p>}
      <Problems messages={model.problemsAt('query')} />
      <div class="playground-query">
        <Members model={model} />
        <QueryFields model={model} />
      </div>
      <Answer model={model} />
    </main>
  );
}

/** Shows what is queried, and the buttons for the query as a whole. */
function Header({ model }: { readonly model: PlaygroundModel }) {
  const isRunning = model.result.value?.phase === 'running';
  const { source, phase } = model.model.value;
  const { name } = model.identity.value;
  return (
    <header>
      <h1>Playground</h1>
      <span class="hint">{source}</span>
      <div class="buttons">
        {isRunning ? (
          <button type="button" onClick={() => model.post({ type: 'cancel' })}>
            Cancel
          </button>
        ) : (
          <button type="button" title="Run Query (Ctrl+Enter)" onClick={() => model.run()}>
            Run Query
          </button>
        )}
        <button
          type="button"
          class="secondary"
          title="Save the query as a file of the project"
          onClick={() => model.post({ type: 'save' })}
        >
          Save Query…
        </button>
        <button
          type="button"
          class="secondary"
          title="Run queries as another user"
          onClick={() => model.post({ type: 'viewAs' })}
        >
          {name === '' ? 'View As…' : `Viewing as ${visible(name)}…`}
        </button>
        <button
          type="button"
          class="secondary"
          disabled={phase === 'loading'}
          onClick={() => model.post({ type: 'reload' })}
        >
          Reload Members
        </button>
      </div>
    </header>
  );
}

/** The most members to name. */
const mostNamed = 12;

function seenText(name: string, hidden: readonly string[], additional: readonly string[]): string {
  if (hidden.length === 0 && additional.length === 0) return `${name} sees the same members as you.`;
  const fewer = hidden.length === 0 ? [] : [`Not visible to ${name}: ${named(hidden)}.`];
  const more = additional.length === 0 ? [] : [`Visible to ${name}, but not to you: ${named(additional)}.`];
  return [...fewer, ...more].join(' ');
}

function named(members: readonly string[]): string {
  const more = members.length > mostNamed ? ` and ${members.length - mostNamed} more` : '';
  return `${members.slice(0, mostNamed).join(', ')}${more}`;
}
