import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextRows } from '#shared/page/grid/row-keys.ts';

const none = { first: 0, last: 0, shift: 0 };
const keysOf = ({ first, last, shift }: typeof none): readonly number[] =>
  Array.from({ length: last - first }, (_, at) => first + at + shift);

describe('the keys of drawn rows', () => {
  it('stay with the rows that stay in sight', () => {
    const before = nextRows(none, { first: 0, last: 40 });
    const after = nextRows(before, { first: 3, last: 43 });
    expect(after.shift).toBe(before.shift);
  });

  it('are those of the rows before where all rows are others', () => {
    const before = nextRows(nextRows(none, { first: 0, last: 40 }), { first: 5, last: 45 });
    const after = nextRows(before, { first: 900, last: 940 });
    expect(keysOf(after)).toEqual(keysOf(before));
    expect(keysOf(nextRows(after, { first: 0, last: 40 }))).toEqual(keysOf(before));
  });

  it('never change for a row that was drawn before as well, wherever a list is scrolled to', () => {
    const place = fc.record({ first: fc.nat(300), count: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 20 }), (places) => {
        let before = none;
        for (const { first, count } of places) {
          const after = nextRows(before, { first, last: first + count });
          const stayed = first < before.last && first + count > before.first;
          const firstKey = (keysOf(before)[0] ?? 0) + (stayed ? first - before.first : 0);
          expect([firstKey, undefined]).toContain(before.last > before.first ? keysOf(after)[0] : undefined);
          before = after;
        }
      }),
    );
  });
});
