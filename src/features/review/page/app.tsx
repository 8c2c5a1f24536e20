import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReviewState } from '#features/review/messages.ts';
import { visible } from '#shared/page/visible.ts';
import { Actions } from './actions.tsx';
import { Detail } from './detail.tsx';
import { List } from './list.tsx';
import type { ReviewModel } from './model.ts';
import { Notes } from './notes.tsx';

/** Shows a review: what it means, its files, the difference of one of them, and the button that carries it out. */
export function App({ model }: { readonly model: ReviewModel }) {
  useShortcut(model);
  const isNarrow = useNarrow();
  const state = model.state.value;
  if (!state) return null;
  return (
    <main class="review" aria-busy={state.busy !== ''}>
      <Header state={state} />
      <Notes model={model} state={state} />
      <Actions model={model} state={state} />
      <Tools model={model}>{!isNarrow && <WholeList model={model} state={state} />}</Tools>
      <div class="panes">
        <List model={model} state={state} />
        <Detail model={model} state={state} />
      </div>
      {isNarrow && (
        <div class="tools">
          <WholeList model={model} state={state} />
        </div>
      )}
    </main>
  );
}

/** Maps Ctrl+Enter (⌘Enter on a Mac) to the primary button, wherever the focus is. */
function useShortcut(model: ReviewModel): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      event.preventDefault();
      event.stopPropagation();
      model.apply();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [model]);
}

function Header({ state }: { readonly state: ReviewState }) {
  return (
    <header>
      <h1>{visible(state.title)}</h1>
      <p class="way">
        <span class="end">{visible(state.from)}</span>
        <span aria-hidden="true"> → </span>
        <span class="sr-only"> to </span>
        <span class="end">{visible(state.to)}</span>
        {state.isProduction && <span class="production">production</span>}
      </p>
    </header>
  );
}

/** In a narrower page, the buttons for the whole list would push it out of sight. */
const narrow = '(max-width: 480px)';

/** Returns whether the page is narrow, also when its width changes. */
function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => window.matchMedia(narrow).matches);
  useEffect(() => {
    const query = window.matchMedia(narrow);
    const onChange = (): void => setNarrow(query.matches);
    onChange();
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return isNarrow;
}

/** Shows the filter and the ticks of all files, and then its children. */
function Tools({ model, children }: { readonly model: ReviewModel; readonly children: ComponentChildren }) {
  const filter = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
      if (event.target instanceof HTMLTextAreaElement) return;
      event.preventDefault();
      filter.current?.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const canTick = model.groups.value.some(({ rows }) => rows.some((row) => row.canTick));
  return (
    <div class="tools" role="search">
      <input
        ref={filter}
        type="search"
        aria-label="Filter files"
        placeholder="Filter files ( / )"
        value={model.filter.value}
        onInput={({ currentTarget }) => model.filterBy(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') model.filterBy('');
          if (event.key !== 'Escape' && event.key !== 'ArrowDown' && event.key !== 'Enter') return;
          if (event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          document.querySelector<HTMLElement>('[role=tree]')?.focus();
        }}
      />
      {canTick && (
        <>
          <button type="button" class="secondary" title="Tick all files (A)" onClick={() => model.tickAll(true)}>
            All
          </button>
          <button type="button" class="secondary" title="Untick all files (N)" onClick={() => model.tickAll(false)}>
            None
          </button>
        </>
      )}
      {children}
    </div>
  );
}

/** Shows what opens the whole list elsewhere. */
function WholeList({ model, state }: { readonly model: ReviewModel; readonly state: ReviewState }) {
  return (
    <>
      {state.opensAll && (
        <button type="button" class="secondary" onClick={() => model.post({ type: 'openAll' })}>
          Open All Diffs
        </button>
      )}
      {state.links.map(({ id, label }) => (
        <button key={id} type="button" class="secondary" onClick={() => model.post({ type: 'run', id })}>
          {visible(label)}
        </button>
      ))}
    </>
  );
}
