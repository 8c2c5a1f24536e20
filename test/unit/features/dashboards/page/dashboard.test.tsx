// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it } from 'vitest';
import { PreviewSession } from '#features/dashboards/preview-session.ts';
import { err } from '#base/result.ts';
import { type DashboardState, type DashboardToHost, parseKeptPreview } from '#features/dashboards/messages.ts';
import { App } from '#features/dashboards/page/app.tsx';
import { frameOf, gridHeight, scaleOf } from '#features/dashboards/page/geometry.ts';
import { DashboardModel } from '#features/dashboards/page/model.ts';

afterEach(cleanup);

const place = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });
const dashboard = {
  title: 'Weekly',
  layout: { cols: { lg: 12, sm: 6 }, rowHeight: 40, margin: [12, 12] },
  widgets: [
    { id: 'heading', type: 'TEXT', position: place(0, 0, 12, 1), config: { text: '<b>Hello</b>' } },
    { id: 'trend', type: 'CHART', position: place(0, 0, 8, 6), config: { query: { measures: ['orders.count'] } } },
    { id: 'lost', type: 'AI' },
  ],
};

function stateOf(value: unknown, more: Partial<DashboardState> = {}): DashboardState {
  const session = new PreviewSession('Weekly', {
    client: () => Promise.resolve(err('')),
  });
  session.update({ value });
  return { ...session.state.value, ...more };
}

function show(state: DashboardState, kept?: unknown) {
  const sent: DashboardToHost[] = [];
  const saved: unknown[] = [];
  const api = {
    postMessage: (message: unknown) => void sent.push(message as DashboardToHost),
    getState: () => kept,
    setState: (each: unknown) => void saved.push(each),
  };
  const model = new DashboardModel(api, window);
  const tell = (data: unknown): void => void window.dispatchEvent(new MessageEvent('message', { data }));
  tell(state);
  return { ...render(<App model={model} />), sent, saved, tell, model };
}

describe('a layout preview', () => {
  it('shows each widget in its place, its text as text, overlaps marked', () => {
    show(stateOf(dashboard));
    const heading = screen.getByRole('button', {
      name: /heading TEXT, column 0, row 0, 12 × 1 ?overlaps another widget/,
    });
    const tile = heading.closest<HTMLElement>('.tile');
    expect(tile?.textContent).toContain('<b>Hello</b>');
    expect(tile?.querySelector('b')).toBeNull();
    expect(tile?.style.left).not.toBe('');
    expect(screen.getByRole('tab', { name: /lg/ }).textContent).toBe('lg2');
    expect(screen.getByText('lost').closest('section')?.getAttribute('aria-label')).toBe('Widgets without a position');
  });

  it('leads from a widget to its JSON', () => {
    const { sent } = show(stateOf(dashboard));
    fireEvent.click(screen.getByRole('button', { name: /trend CHART/ }));
    fireEvent.click(screen.getByRole('button', { name: /heading TEXT/ }));
    fireEvent.click(screen.getByText('lost'));
    expect(sent).toMatchObject([{ type: 'ready' }, ...[1, 0, 2].map((index) => ({ type: 'reveal', index }))]);
  });

  it('shows the widget at the cursor as chosen', async () => {
    const { tell } = show(stateOf(dashboard));
    tell({ type: 'select', index: 1 });
    expect(await screen.findByRole('button', { name: /trend CHART/, pressed: true })).toBeTruthy();
  });

  it('goes through the breakpoints with the arrow keys and comes back to the last one', async () => {
    const { saved, unmount } = show(stateOf(dashboard));
    fireEvent.keyDown(screen.getByRole('tab', { name: /lg/ }), { key: 'ArrowLeft' });
    expect((await screen.findByRole('tab', { selected: true })).textContent).toBe('xxs');
    expect(saved).toEqual([{ breakpoint: 'xxs' }]);
    unmount();
    show(stateOf(dashboard), { breakpoint: 'sm' });
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('sm');
  });

  it('keeps which document it is of beside the breakpoint, for the next window', () => {
    const { tell, saved, model } = show(stateOf(dashboard), { breakpoint: 'sm' });
    const document = 'modelbench-object:/Shop 1/Weekly.dashboard.json';
    tell({ type: 'opened', document });
    model.choose('xs');
    expect(saved).toEqual([
      { document, breakpoint: 'sm' },
      { document, breakpoint: 'xs' },
    ]);
    expect(parseKeptPreview(saved.at(-1))).toEqual(saved.at(-1));
    expect(['sm', undefined, { document: 7 }, { breakpoint: 'xl' }].map((kept) => parseKeptPreview(kept))).toEqual([
      {},
      {},
      {},
      {},
    ]);
  });

  it('draws samples, and offers to load them where it may not unasked', () => {
    const chart = {
      kind: 'line' as const,
      labels: ['Jan', 'Feb', 'Mar'],
      series: [{ name: 'orders.count', values: [1, null, 3] }],
      columns: [],
      rows: [],
    };
    const { sent } = show(stateOf(dashboard, { noSamples: 'needs a token', samples: { 1: { kind: 'chart', chart } } }));
    expect(screen.getByRole('img', { name: /orders.count: 3 points from Jan to Mar, 0 to 3/ })).toBeTruthy();
    fireEvent.click(screen.getByText('Load Sample Data'));
    expect(sent.at(-1)).toEqual({ type: 'loadSamples' });
  });

  it('says when it is older than the document, and what is wrong in it', () => {
    show(stateOf({ ...dashboard, colour: 'red' }, { stale: 'not valid JSON' }));
    expect(screen.getByText(/Not up to date: not valid JSON/)).toBeTruthy();
    expect(screen.getByText(/and \d more/)).toBeTruthy();
  });

  it('takes no notice of messages that are not its own', () => {
    const { tell, model } = show(stateOf(dashboard));
    const before = model.state.value;
    tell({ type: 'state', layouts: 'x' });
    tell(undefined);
    expect(model.state.value).toBe(before);
  });
});

describe('geometry', () => {
  const layout = {
    name: 'lg' as const,
    minWidth: 1200,
    cols: 12,
    rowHeight: 40,
    margin: [12, 10] as [number, number],
    padding: [6, 8] as [number, number],
    rows: 8,
    placed: [],
  };

  it('is the grid’s own at its real width', () => {
    const scale = scaleOf(layout, 2000);
    expect(scale).toEqual({ width: 1200, factor: 1 });
    // Twelve columns with eleven gaps between the paddings.
    const column = (1200 - 2 * 6 - 11 * 12) / 12;
    expect(frameOf(place(2, 1, 3, 2), layout, scale)).toEqual({
      left: 6 + 2 * (column + 12),
      top: 8 + 50,
      width: 3 * column + 24,
      height: 90,
    });
    expect(gridHeight(layout, scale)).toBe(2 * 8 + 8 * 40 + 7 * 10);
  });

  it('shrinks in proportion where there is less room', () => {
    const scale = scaleOf(layout, 600);
    const real = frameOf(place(1, 1, 2, 2), layout, scaleOf(layout, 1200));
    const small = frameOf(place(1, 1, 2, 2), layout, scale);
    for (const key of ['left', 'top', 'width', 'height'] as const) expect(small[key]).toBeCloseTo(real[key] / 2);
  });

  it('is at least half as large as it is, so that texts fit their rows', () => {
    expect(scaleOf(layout, 300)).toEqual({ width: 600, factor: 0.5 });
  });
});
