import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignedTo } from '#features/dashboards/aligned.ts';

describe('a value in the order of another', () => {
  it('has its fields in that order, and what is only its own behind them', () => {
    const model = {
      title: 'A',
      layout: { rowHeight: 30, margin: [1] },
      widgets: [{ id: 'a', type: 'TEXT' }, { id: 'b' }],
    };
    const value = {
      own: 1,
      widgets: [
        { type: 'AI', id: 'b' },
        { type: 'TEXT', id: 'a' },
      ],
      layout: { margin: [2], rowHeight: 40 },
    };
    expect(JSON.stringify(alignedTo(model, value))).toBe(
      '{"layout":{"rowHeight":40,"margin":[2]},"widgets":[{"id":"b","type":"AI"},{"id":"a","type":"TEXT"}],"own":1}',
    );
  });

  it('says the same as before, whatever it is held against', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (model, value) => {
        expect(alignedTo(model, value)).toEqual(value);
        expect(JSON.stringify(alignedTo(value, value))).toBe(JSON.stringify(value));
      }),
    );
  });
});
