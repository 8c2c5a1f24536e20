import { describe, expect, it } from 'vitest';
import { definedElsewhere } from '#model/proposed/elsewhere.ts';
import { yaml } from '#support/language/raw.ts';

const cube = (name: string): string => yaml`
  cubes:
    - name: ${name}
      sql_table: ${name}
`;
const model = new Map([
  ['model/cubes/orders.yml', cube('orders')],
  ['model/cubes/returns.js', 'cube(`returns`, { sql_table: `returns` });'],
]);

describe('definedElsewhere', () => {
  it.each([
    ['a cube of another file', undefined, cube('orders'), { name: 'orders', path: 'model/cubes/orders.yml' }],
    ['a cube of a script', undefined, cube('returns'), { name: 'returns', path: 'model/cubes/returns.js' }],
    ['a name that is only a part of another one', undefined, cube('order'), undefined],
    ['a cube that the file has already', cube('orders'), cube('orders'), undefined],
    ['a new cube', undefined, cube('payments'), undefined],
  ])('judges %s', (_what, before, after, expected) => {
    expect(definedElsewhere('model/cubes/order.yml', before, after, model)).toEqual(expected);
  });

  it('does not count the file itself', () => {
    expect(definedElsewhere('model/cubes/orders.yml', undefined, cube('orders'), model)).toBeUndefined();
  });
});
