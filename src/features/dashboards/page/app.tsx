import { useEffect, useRef, useState } from 'preact/hooks';
import type { DashboardState, Layout, Placed, Sample, Widget } from '#features/dashboards/messages.ts';
import { SampleChart } from './chart.tsx';
import { frameOf, gridHeight, scaleOf } from './geometry.ts';
import type { DashboardModel } from './model.ts';

const names: Readonly<Record<Layout['name'], string>> = {
  lg: 'Large',
  md: 'Medium',
  sm: 'Small',
  xs: 'Extra small',
  xxs: 'Smallest',
};

/** The layout of a dashboard: a tab for each breakpoint, and the widgets in their grid. */
export function App({ model }: { readonly model: DashboardModel }) {
  const state = model.state.value;
  if (!state) return null;
  const layout = state.layouts.find(({ name }) => name === model.breakpoint.value) ?? state.layouts[0];
  return (
    <main class={state.stale === '' ? '' : 'stale'}>
      <header>
        <h1>{state.title || state.name}</h1>
        <Tabs model={model} layouts={state.layouts} />
      </header>
      <Notices model={model} state={state} layout={layout} />
      {layout && <Grid model={model} state={state} layout={layout} />}
    </main>
  );
}

function Tabs({ model, layouts }: { readonly model: DashboardModel; readonly layouts: readonly Layout[] }) {
  const move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[event.key];
    if (step === undefined || layouts.length === 0) return;
    event.preventDefault();
    const at = layouts.findIndex(({ name }) => name === model.breakpoint.value);
    const next = layouts[(at + step + layouts.length) % layouts.length];
    if (!next) return;
    model.choose(next.name);
    document.querySelector<HTMLElement>(`#tab-${next.name}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Breakpoints" onKeyDown={move}>
      {layouts.map(({ name, minWidth, placed }) => {
        const isChosen = name === model.breakpoint.value;
        const wrong = placed.filter(({ overlaps, outside }) => overlaps || outside).length;
        return (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={isChosen}
            aria-controls="grid"
            tabIndex={isChosen ? 0 : -1}
            title={`${names[name]}, from ${minWidth} px`}
            onClick={() => model.choose(name)}
          >
            {name}
            {wrong > 0 && (
              <span class="mark" aria-label={`${wrong} misplaced`}>
                {wrong}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}

function Notices({
  model,
  state: { stale, problems, noSamples, widgets },
  layout,
}: {
  readonly model: DashboardModel;
  readonly state: DashboardState;
  readonly layout: Layout | undefined;
}) {
  const [first] = problems;
  const more = problems.length - 1;
  return (
    <div class="notices" role="status">
      {layout && (
        <p class="hint">
          {`From ${layout.minWidth} px · ${layout.cols} columns · rows of ${layout.rowHeight} px · margin ${layout.margin.join(' × ')} px`}
        </p>
      )}
      {stale !== '' && <p class="warning">Not up to date: {stale}</p>}
      {first !== undefined && <p class="warning">{more > 0 ? `${first} (and ${more} more)` : first}</p>}
      {noSamples !== '' && widgets.some(({ hasQuery }) => hasQuery) && (
        <p>
          <span class="hint">{noSamples} </span>
          <button type="button" class="secondary" onClick={() => model.post({ type: 'loadSamples' })}>
            Load Sample Data
          </button>
        </p>
      )}
    </div>
  );
}

function Grid({
  model,
  state,
  layout,
}: {
  readonly model: DashboardModel;
  readonly state: DashboardState;
  readonly layout: Layout;
}) {
  const container = useRef<HTMLDivElement>(null);
  const [space, setSpace] = useState(800);
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setSpace(entry.contentRect.width);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const scale = scaleOf(layout, space);
  const unplaced = state.widgets.flatMap((widget, index) =>
    layout.placed.some((each) => each.index === index) ? [] : [{ widget, index }],
  );
  return (
    <div id="grid" class="scroll" role="tabpanel" aria-labelledby={`tab-${layout.name}`} ref={container}>
      {state.widgets.length === 0 && <p class="hint">The dashboard has no widgets yet.</p>}
      <div class="grid" style={{ width: `${scale.width}px`, height: `${gridHeight(layout, scale)}px` }}>
        {layout.placed.map((placed) => {
          const widget = state.widgets[placed.index];
          if (!widget) return null;
          const { left, top, width, height } = frameOf(placed, layout, scale);
          const isLow = height < lowTile;
          const style = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
          const sample = state.samples[String(placed.index)];
          return <Tile key={placed.index} {...{ model, placed, widget, style, isLow, sample }} />;
        })}
      </div>
      {unplaced.length > 0 && (
        <section class="unplaced" aria-label="Widgets without a position">
          <h2>Without a position</h2>
          {unplaced.map(({ widget, index }) => (
            <button key={index} type="button" class="secondary" onClick={() => model.reveal(index)}>
              {widget.title || `Widget ${index + 1}`}
            </button>
          ))}
        </section>
      )}
    </div>
  );
}

/** Below this height, in pixels, title and content share a line. */
const lowTile = 56;

const icons: Readonly<Record<string, string>> = {
  CHART: 'M2.5 2.5v11h11M5.5 11V8M8.5 11V4.5M11.5 11V6.5',
  TEXT: 'M3 3.5h10M8 3.5v9.5',
  FILTER: 'M2 3h12l-4.6 5.5v4.8l-2.8-1.5V8.5z',
  AI: 'M8 2l1.5 4.5L14 8l-4.5 1.5L8 14l-1.5-4.5L2 8l4.5-1.5z',
  TIME_GRAIN: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.5V8l2.5 1.5',
  SPACER: 'M2.5 8h11M4.5 6l-2 2 2 2M11.5 6l2 2-2 2',
  DIVIDER: 'M2 8h12',
  CONTAINER: 'M2.5 2.5h11v11h-11z',
};

function Tile({
  model,
  placed,
  widget,
  style,
  isLow,
  sample,
}: {
  readonly model: DashboardModel;
  readonly placed: Placed;
  readonly widget: Widget;
  readonly style: Readonly<Record<string, string>>;
  readonly isLow: boolean;
  readonly sample: Sample | undefined;
}) {
  const { overlaps, outside, own, index } = placed;
  const isSelected = model.selected.value === index;
  const tile = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) tile.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const wrong = [...(overlaps ? ['overlaps another widget'] : []), ...(outside ? ['outside the grid'] : [])].join(', ');
  const where = `column ${placed.x}, row ${placed.y}, ${placed.w} × ${placed.h}`;
  const classes = [
    'tile',
    ...(wrong === '' ? [] : ['wrong']),
    ...(own ? [] : ['derived']),
    ...(isLow ? ['low'] : []),
    ...(isSelected ? ['selected'] : []),
  ];
  return (
    <div
      class={classes.join(' ')}
      ref={tile}
      style={style}
      title={own ? where : `${where} (derived from a wider layout)`}
    >
      <button type="button" class="tile-head" aria-pressed={isSelected} onClick={() => model.reveal(index)}>
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
          <path d={icons[Object.hasOwn(icons, widget.type) ? widget.type : 'CONTAINER']} />
        </svg>
        <span class="tile-title">{widget.title}</span>
        <span class="sr-only">{` ${widget.type}, ${where}`}</span>
        {wrong !== '' && <span class="mark">{wrong}</span>}
      </button>
      <Inside widget={widget} sample={sample} />
    </div>
  );
}

function Inside({ widget, sample }: { readonly widget: Widget; readonly sample: Sample | undefined }) {
  if (sample?.kind === 'chart') return <SampleChart chart={sample.chart} />;
  if (sample?.kind === 'loading') return <p class="hint">Loading sample data…</p>;
  return (
    <>
      {sample?.kind === 'failed' && <p class="warning">{sample.message}</p>}
      <p class={widget.type === 'TEXT' ? 'text' : 'hint'}>
        {widget.says || (widget.type === 'TEXT' ? '' : widget.type)}
      </p>
    </>
  );
}
