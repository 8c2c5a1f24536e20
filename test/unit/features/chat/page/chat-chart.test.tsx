// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/preact';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { message, query, show, snapshot, step, turn, turnHead } from './chat-stage.tsx';

/** Creates the image of a drawn chart. */
let imageOf: () => Promise<string> = () => Promise.resolve('');
/** How often the chart was drawn. */
let drawn = 0;
vi.mock('#shared/page/chart/draw.ts', () => ({
  drawChart: () => {
    drawn += 1;
    return Promise.resolve({ leftOut: [], remarks: [], svg: () => imageOf(), png: () => imageOf() });
  },
}));

/** Scrolls everything that is watched into sight. */
let scrollIntoSight: () => void = () => undefined;

beforeEach(() => {
  const watching = new Set<() => void>();
  scrollIntoSight = () => void act(() => watching.forEach((seen) => seen()));
  class Watch {
    readonly #seen: () => void;
    constructor(hear: (entries: readonly { readonly isIntersecting: boolean }[]) => void) {
      this.#seen = () => hear([{ isIntersecting: true }]);
    }
    observe(): void {
      watching.add(this.#seen);
    }
    disconnect(): void {
      watching.delete(this.#seen);
    }
  }
  vi.stubGlobal('IntersectionObserver', Watch);
});
afterEach(() => {
  cleanup();
  document.body.className = '';
  vi.unstubAllGlobals();
});

// Another file of this worker may draw charts.
afterAll(() => vi.resetModules());

const { id: turnId } = turnHead();

const chart = {
  ...query,
  detail: { ...query.detail, chart: true },
} as typeof query;
const answered = snapshot([turn([step(chart, 't'), message({ text: 'Done' })])]);
const failure = 'It took longer than 10 seconds.';

describe('a chart of some of the rows', () => {
  it('says how many it is drawn from', () => {
    const { container } = show(answered);
    expect(container.textContent).toMatch(/Drawn from the first \d+ of 250 rows, so lines may end early\./);
  });

  it('says nothing where it is drawn from all of them', () => {
    const whole = { ...chart, detail: { ...chart.detail, rows: 250 } } as typeof query;
    const { container } = show(snapshot([turn([step(whole, 't'), message({ text: 'Done' })])]));
    expect(container.textContent).not.toContain('Drawn from');
  });
});

describe('a chart that is shown', () => {
  it('is drawn again in the colours of another theme', async () => {
    const shown = show(answered);
    shown.tell({ type: 'chart', turn: turnId, id: 't', spec: '{"mark":"bar"}', rows: [] });
    await screen.findByRole('button', { name: 'Save Chart as PNG…' });
    const before = drawn;
    document.body.className = 'vscode-dark';
    await expect.poll(() => drawn).toBe(before + 1);
  });
});

describe('the image of a chart', () => {
  const saved = async (): Promise<ReturnType<typeof show>> => {
    const shown = show(answered);
    shown.tell({ type: 'chart', turn: turnId, id: 't', spec: '{"mark":"bar"}', rows: [] });
    fireEvent.click(await screen.findByRole('button', { name: 'Save Chart as PNG…' }));
    return shown;
  };

  it('is saved by the host', async () => {
    imageOf = () => Promise.resolve('iVBORw==');
    const { asked } = await saved();
    await expect
      .poll(() => asked())
      .toContainEqual({ type: 'saveImage', format: 'png', data: 'iVBORw==', name: 'Orders by status' });
  });

  it('is reported as not saved where the browser cannot create it', async () => {
    imageOf = () => Promise.reject(new Error('The image of the chart could not be created.'));
    const { asked } = await saved();
    const told = await screen.findAllByText('The image of the chart could not be created.');
    expect(told.map(({ className }) => className)).toEqual(['problem', 'sr-only']);
    expect(asked().filter(({ type }) => type === 'saveImage')).toEqual([]);
  });
});

describe('a chart that ran out of time before', () => {
  it('is not drawn again: its rows, the reason and its specification are there', () => {
    const { tell, asked, container } = show(answered);
    // Out of sight, it is not even asked for.
    expect(asked()).toEqual([]);
    scrollIntoSight();
    expect(asked()).toContainEqual({ type: 'chart', turn: turnId, id: 't' });
    tell({ type: 'chart', turn: turnId, id: 't', spec: '{"mark":"bar"}', rows: [], failure });
    expect(screen.getByText(`The chart was not drawn: ${failure}`)).toBeTruthy();
    tell({ type: 'rows', turn: turnId, id: 't', version: 0, count: 3, offset: 0, rows: [['new', '3']] });
    expect(container.querySelector('.chart [role=gridcell]')?.textContent).toBe('new');
    expect(container.querySelector('.chart-place')).toBeNull();
    fireEvent.click(screen.getByText('Show Specification'));
    expect(asked()).toContainEqual({ type: 'tool', turn: turnId, id: 't', action: 'openChart' });
  });

  it('is drawn again when the user asks for it', () => {
    const { tell, container } = show(answered);
    tell({ type: 'chart', turn: turnId, id: 't', spec: '{"mark":"bar"}', rows: [], failure });
    fireEvent.click(screen.getByText('Draw Again'));
    expect(container.querySelector('.chart-place')).not.toBeNull();
  });
});
