import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LRUCache } from '#language-server/engine/realm/shims/lru-cache.ts';

const KEYS = [0, 1, 2, 3, 4, 5];
const act = fc.record({
  kind: fc.constantFrom('get', 'set', 'has'),
  key: fc.constantFrom(...KEYS),
  value: fc.nat(9),
});

type Known = readonly (readonly [key: number, value: number])[];

it('keeps what was used last, as the package does that the engine expects', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(act, { maxLength: 40 }), (max, acts) => {
      const cache = new LRUCache<number>({ max });
      let expected: Known = [];
      for (const { kind, key, value } of acts) {
        const before = expected.find(([known]) => known === key);
        const said = kind === 'set' ? cache.set(key, value) === cache : cache[kind](key);
        expect(said).toBe({ set: true, has: before !== undefined, get: before?.[1] }[kind]);
        const used = { set: [key, value] as const, has: undefined, get: before }[kind];
        if (used) expected = [...expected.filter(([known]) => known !== key), used].slice(-max);
        const isKnown = (each: number): boolean => expected.some(([known]) => known === each);
        expect(KEYS.filter((each) => cache.has(each))).toEqual(KEYS.filter(isKnown));
      }
    }),
  );
});
