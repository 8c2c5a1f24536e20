// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cells } from '#shared/page/grid/columns.ts';
import { Grid } from '#shared/page/grid/grid.tsx';

const columns = ['id', 'status'].map((name) => ({ name, type: 'string' }));
/** The rows whose cells were read, as drawing them does. */
let drawn = new Set<number>();

/** Rows that note when they are drawn. */
const rows = Array.from({ length: 1_000 }, (_, index): Cells => {
  const cells = [`id ${index}`, 'open'];
  return new Proxy(cells, {
    get: (target, key) => {
      if (key === '1') drawn.add(index);
      return Reflect.get(target, key) as unknown;
    },
  });
});

function show(): HTMLElement {
  render(
    <Grid
      label="Rows"
      columns={columns}
      count={rows.length}
      row={(index) => rows[index]}
      order={undefined}
      onSort={() => undefined}
    />,
  );
  return screen.getByRole('grid');
}

/** Scrolls, and resolves to the rows that were drawn for it, once the row is there. */
async function drawnFor(grid: HTMLElement, top: number, awaited: string): Promise<readonly number[]> {
  drawn = new Set();
  grid.scrollTop = top;
  fireEvent.scroll(grid);
  await screen.findByText(awaited);
  return [...drawn];
}

beforeEach(() => {
  drawn = new Set();
});
afterEach(cleanup);

describe('a grid that is scrolled', () => {
  it('draws the rows that come into sight, and none that was in sight before', async () => {
    const grid = show();
    await screen.findByText('id 0');
    const before = new Set(screen.getAllByText(/^id /).map(({ textContent }) => textContent));
    const next = await drawnFor(grid, 4 * 24, 'id 10');
    expect(next.filter((index) => before.has(`id ${index}`))).toEqual([]);
    expect(next).toContain(10);
  });

  it('draws a row again where its active cell has changed', async () => {
    const grid = show();
    fireEvent.click(await screen.findByText('id 3'));
    await expect.poll(() => screen.getByText('id 3').classList.contains('grid-active')).toBe(true);
    drawn = new Set();
    fireEvent.keyDown(grid, { key: 'ArrowDown' });
    await expect.poll(() => screen.getByText('id 4').classList.contains('grid-active')).toBe(true);
    expect(drawn).toEqual(new Set([3, 4]));
  });
});
