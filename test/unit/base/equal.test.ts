import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEqual } from '#base/equal.ts';

class Hidden {
  readonly #value: number;

  constructor(value: number) {
    this.#value = value;
  }

  get double(): number {
    return this.#value * 2;
  }
}

describe('isEqual', () => {
  it('compares plain data as Node does', () => {
    const data = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
    fc.assert(
      fc.property(data, data, (one, other) => {
        expect(isEqual(one, structuredClone(one))).toBe(true);
        expect(isEqual(one, other)).toBe(isDeepStrictEqual(one, other));
        expect(isEqual([one, 1], [other, 1])).toBe(isDeepStrictEqual(one, other));
      }),
    );
  });

  it('takes no two objects for equal whose difference it cannot see', () => {
    const [one, two] = [new Hidden(1), new Hidden(2)];
    expect(one.double).not.toBe(two.double);
    expect([isEqual(one, two), isEqual(one, one)]).toEqual([false, true]);
    expect(isEqual(new Map([['a', 1]]), new Map([['a', 2]]))).toBe(false);
  });
});
