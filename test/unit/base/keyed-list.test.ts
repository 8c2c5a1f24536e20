import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyedList } from '#base/keyed-list.ts';

interface Item {
  readonly id: string;
  readonly value: number;
}

const item = fc.record({ id: fc.integer({ min: 0, max: 400 }).map(String), value: fc.nat() });
const upserted = (items: readonly Item[], next: Item): readonly Item[] => {
  const at = items.findIndex(({ id }) => id === next.id);
  return at === -1 ? [...items, next] : items.with(at, next);
};

describe('KeyedList', () => {
  it('holds what a plain array would hold', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), fc.array(item, { maxLength: 600 }), (start, items) => {
        let list = KeyedList.of(start);
        let plain = start.reduce(upserted, []);
        for (const next of items) {
          list = list.with(next);
          plain = upserted(plain, next);
        }
        expect([...list]).toEqual(plain);
        expect(list.length).toBe(plain.length);
        expect(list.at(-1)).toBe(plain.at(-1));
        for (const { id } of items) expect(list.get(id)).toBe(plain.find((known) => known.id === id));
      }),
      { numRuns: 50 },
    );
  });

  it('keeps versions apart that went different ways from one list', () => {
    fc.assert(
      fc.property(fc.array(item), fc.array(item), fc.array(item), (start, left, right) => {
        const base = KeyedList.of(start);
        const before = [...base];
        const one = left.reduce((list, next) => list.with(next), base);
        const other = right.reduce((list, next) => list.with(next), base);
        expect([...base]).toEqual(before);
        expect([...one]).toEqual(left.reduce(upserted, before));
        expect([...other]).toEqual(right.reduce(upserted, before));
        for (const { id } of [...left, ...right]) expect(base.has(id)).toBe(before.some((known) => known.id === id));
      }),
    );
  });

  it('names the items that changed since an earlier version', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 300 }), fc.array(item, { maxLength: 20 }), (start, items) => {
        const before = KeyedList.of(start);
        const after = items.reduce((list, next) => list.with(next), before);
        const old = [...before];
        const expected = [...after].flatMap((now, at) => (old[at] === now ? [] : [[at, now]]));
        expect([...after.changesSince(before)]).toEqual(expected);
      }),
    );
  });
});
