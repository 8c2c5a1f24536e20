import { describe, expect, it } from 'vitest';
import { type OutlineEntry, outlineName, outlineNameAt } from '#features/language/outline-name.ts';

interface Entry extends OutlineEntry {
  readonly from: number;
  readonly to: number;
}

const entry = (name: string, kind: number, [from, to]: readonly [number, number], children: Entry[] = []): Entry => ({
  name,
  kind,
  from,
  to,
  children,
});

describe('the outline’s name of a place', () => {
  const kinds = { entities: [4], members: [7, 11] };
  const outline = [
    // What another extension for YAML lists around them.
    entry('cubes', 1, [0, 30]),
    entry('orders', 4, [1, 10], [entry('count', 11, [3, 4]), entry('users', 18, [5, 6]), entry('status', 7, [7, 8])]),
    entry('users', 4, [11, 20]),
  ];
  it.each<readonly [number, string | undefined]>([
    [1, 'orders'],
    [3, 'orders.count'],
    [5, 'orders'],
    [8, 'orders.status'],
    [12, 'users'],
    [25, undefined],
  ])('finds what line %i is in', (line, expected) => {
    expect(outlineName(outline, kinds, ({ from, to }) => from <= line && line <= to)).toBe(expected);
  });

  it.each<readonly [number, string | undefined]>([
    [1, 'orders'],
    [3, 'orders.count'],
    [5, undefined],
    [7, 'orders.status'],
    [9, undefined],
    [11, 'users'],
    [0, undefined],
  ])('finds what is named in line %i', (line, expected) => {
    expect(outlineNameAt(outline, kinds, ({ from }) => from === line)).toBe(expected);
  });

  it('names nothing that only another extension lists there', () => {
    expect(outlineNameAt(outline, kinds, ({ name }) => name === 'cubes')).toBeUndefined();
  });
});
