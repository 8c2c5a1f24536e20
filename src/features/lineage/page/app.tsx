import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { plural } from '#base/words.ts';
import { type Depth, depths, type GraphState } from '#features/lineage/messages.ts';
import { visible } from '#shared/page/visible.ts';
import { pngOf, svgOf } from './export.ts';
import type { Fit, GraphModel } from './model.ts';
import { idOf, Picture } from './picture.tsx';

interface Shown {
  readonly model: GraphModel;
  readonly state: GraphState;
}
type Container = RefObject<HTMLDivElement | null>;

/** The joins of a model: a choice of cubes, and a picture of them that can be zoomed, searched and saved. */
export function App({ model }: { readonly model: GraphModel }) {
  const container = useRef<HTMLDivElement>(null);
  const state = model.state.value;
  useFit(model, container, state);
  useKeys(model, container);
  if (!state) return null;
  return (
    <main class="graph">
      <header>
        <h1>Joins</h1>
        <Choice model={model} state={state} />
        <Search model={model} />
        <Tools model={model} container={container} />
      </header>
      <div class="container" ref={container}>
        {state.nodes.length === 0 ? <p>{emptyText(state)}</p> : <Picture model={model} state={state} />}
      </div>
    </main>
  );
}

function emptyText({ cubes, unjoined }: GraphState): string {
  return cubes.length === 0
    ? 'This model has no cubes yet.'
    : `No cube of this model has joins: ${plural(unjoined, 'cube')} in all.`;
}

/** Fits the picture when it is another one, and when the page becomes wider or narrower, until the user zooms it. */
function useFit(model: GraphModel, container: Container, state: GraphState | undefined): void {
  const zoom = model.zoom.value;
  // Both run before the browser paints, so that cubes never move under the pointer.
  useLayoutEffect(() => fit(model, container, 'legible'), [model, state?.around, state?.depth, state?.showsUnjoined]);
  // Keeps the position of a user who zooms, or who only makes the page wider.
  useLayoutEffect(() => {
    if (model.fitted !== 'none') showCube(model.centre);
  }, [model, zoom, state?.around, state?.depth, state?.showsUnjoined]);
  const isShown = state !== undefined;
  useEffect(() => {
    const { current } = container;
    if (!isShown || !current) return undefined;
    const observer = new ResizeObserver(() => {
      if (model.fitted !== 'none') fit(model, container, model.fitted);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [model, container, isShown]);
}

/** Scrolls to a cube and returns it; `undefined` if the picture does not have it. */
function showCube(name: string): HTMLElement | undefined {
  const cube = document.getElementById(idOf(name));
  cube?.scrollIntoView({ block: 'center', inline: 'center' });
  return cube ?? undefined;
}

function fit(model: GraphModel, { current }: Container, how: Exclude<Fit, 'none'>): void {
  // Includes the space of the scroll bars, which a picture that fits does not need.
  if (current) model.fit(how, current.offsetWidth - 4, current.offsetHeight - 4);
}

/** The controls that choose the cubes. */
function Choice({ model, state }: Shown) {
  return (
    <>
      <label>
        Around{' '}
        <select
          value={state.around}
          onChange={({ currentTarget }) => model.post({ type: 'around', name: currentTarget.value })}
        >
          <option value="">All cubes</option>
          {state.cubes.map((name) => (
            <option key={name} value={name}>
              {visible(name)}
            </option>
          ))}
        </select>
      </label>
      {state.around === '' ? (
        state.unjoined > 0 && (
          <label>
            <input
              type="checkbox"
              checked={state.showsUnjoined}
              onChange={({ currentTarget }) => model.post({ type: 'showUnjoined', shows: currentTarget.checked })}
            />{' '}
            Show {plural(state.unjoined, 'cube')} without joins
          </label>
        )
      ) : (
        <label>
          Neighbours{' '}
          <select
            value={state.depth}
            onChange={({ currentTarget }) => model.post({ type: 'depth', depth: currentTarget.value as Depth })}
          >
            {depths.map((depth) => (
              <option key={depth} value={depth}>
                {depthLabels[depth]}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

const depthLabels: Readonly<Record<Depth, string>> = { 1: '1 join away', 2: '2 joins away', all: 'All' };

function Search({ model }: { readonly model: GraphModel }) {
  const found = model.found.value;
  return (
    <>
      <input
        type="search"
        aria-label="Search cubes"
        placeholder="Search"
        value={model.search.value}
        onInput={({ currentTarget }) => (model.search.value = currentTarget.value)}
        onKeyDown={({ key }) => {
          const [first] = found;
          if (key === 'Enter' && first !== undefined) showCube(first)?.focus({ preventScroll: true });
        }}
      />
      <span class="hint" role="status">
        {model.search.value === '' ? '' : plural(found.length, 'cube')}
      </span>
    </>
  );
}

function Tools({ model, container }: { readonly model: GraphModel; readonly container: Container }) {
  const save = async (format: 'svg' | 'png'): Promise<void> => {
    const picture = container.current?.querySelector('svg');
    if (!picture) return;
    const svg = svgOf(picture);
    model.post({ type: 'save', format, data: format === 'svg' ? svg : await pngOf(svg, picture) });
  };
  return (
    <div class="tools">
      <button
        type="button"
        class="secondary"
        aria-label="Zoom Out"
        title="Zoom Out (−)"
        onClick={() => model.zoomBy(1 / 1.25)}
      >
        −
      </button>
      <button
        type="button"
        class="secondary"
        aria-label="Zoom In"
        title="Zoom In (+)"
        onClick={() => model.zoomBy(1.25)}
      >
        +
      </button>
      <button
        type="button"
        class="secondary"
        title="Show the Whole Picture (0)"
        onClick={() => fit(model, container, 'whole')}
      >
        Fit
      </button>
      <button type="button" class="secondary" onClick={() => void save('svg')}>
        Save as SVG
      </button>
      <button type="button" class="secondary" onClick={() => void save('png')}>
        Save as PNG
      </button>
    </div>
  );
}

/** Handles the keys `+`, `-` and `0`, which enlarge, shrink and fit the picture, except in text fields. */
function useKeys(model: GraphModel, container: Container): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '+' || event.key === '=') model.zoomBy(1.25);
      else if (event.key === '-') model.zoomBy(1 / 1.25);
      else if (event.key === '0') fit(model, container, 'whole');
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [model]);
}
