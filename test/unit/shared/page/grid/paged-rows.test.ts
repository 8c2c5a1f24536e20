import { describe, expect, it } from 'vitest';
import { PagedRows } from '#shared/page/grid/paged-rows.ts';

function open() {
  const asked: number[] = [];
  const rows = new PagedRows((offset) => asked.push(offset));
  rows.follow({ version: 1, count: 100_000 });
  const answer = (offset: number): void =>
    rows.take({ version: 1, offset, rows: Array.from({ length: 200 }, (_, at) => [String(offset + at)]) });
  return { rows, asked, answer };
}

describe('rows that are fetched page by page', () => {
  it('are asked for once, and given out when they are here', () => {
    const { rows, asked, answer } = open();
    expect([rows.row(3), rows.row(4), rows.row(250)]).toEqual([undefined, undefined, undefined]);
    expect(asked).toEqual([0, 200]);
    answer(200);
    expect(rows.row(250)).toEqual(['250']);
    expect(asked).toEqual([0, 200]);
  });

  it('leave out what a fast scroll has passed by the time that the host has answered', () => {
    const { rows, asked, answer } = open();
    for (const passed of [0, 1_000, 2_000, 3_000, 4_000]) rows.row(passed);
    expect(asked).toEqual([0, 1_000]);
    answer(0);
    // Drawn again, now further down.
    rows.row(9_000);
    rows.row(9_200);
    expect(asked).toEqual([0, 1_000, 9_000]);
    answer(1_000);
    rows.row(9_200);
    expect(asked).toEqual([0, 1_000, 9_000, 9_200]);
  });

  it('are asked for again when the host has other rows, whatever it still owes', () => {
    const { rows, asked, answer } = open();
    rows.row(0);
    rows.row(400);
    rows.follow({ version: 2, count: 10 });
    answer(0);
    expect(rows.row(0)).toBeUndefined();
    expect(asked).toEqual([0, 400, 0]);
  });
});
