import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutFollowing } from '#model/engine/following-errors.ts';

const declared = new Set(['orders', 'line_items', 'products']);
const kept = (...messages: readonly string[]): readonly string[] =>
  withoutFollowing(
    messages.map((message) => ({ message })),
    (name) => declared.has(name),
  ).map(({ message }) => message);

const cause = 'orders cube: "dimensions.channel" does not match any of the allowed types';
const first = "line_items cube: Cube orders doesn't exist";
const second = "products cube: Cube line_items doesn't exist";

describe('errors that follow from others', () => {
  it('are removed, also those that follow in turn, in any order', () => {
    expect(kept(cause, first, second)).toEqual([cause]);
    expect(kept(second, first, cause)).toEqual([cause]);
  });

  it('are removed where the cause names no cube', () => {
    expect(kept('orders is not defined', 'truex is not defined', first)).toEqual(['truex is not defined']);
    expect(kept('line_items cube: orders is not defined', 'truex is not defined')).toEqual(['truex is not defined']);
  });

  it('are removed where the group or the name of a member was refused, for the members that others miss', () => {
    const group = 'orders cube: "measurs" is not allowed';
    const nameless = `name isn't defined for dimension: {"sql":"status"}`;
    const folder = "Member 'revenue' included in folder 'Where' not found";
    const view = "Member 'count' is included in 'shop' but not defined in any cube";
    expect(kept(folder, group, view)).toEqual([group]);
    expect(kept('status is not defined', nameless)).toEqual([nameless]);
    expect(kept(cause, view)).toEqual([cause, view]);
    expect(kept(folder, view)).toEqual([folder, view]);
  });

  it('are removed where the value of another key of the item was refused, and only there', () => {
    const type = 'orders cube: "measures.count.type" must be one of [count, sum]';
    const window = 'orders cube: "measures.total.rollingWindow.type" must be [fixed]';
    const sql = 'orders cube: "measures.count.sql" is not allowed';
    const others = [
      'orders cube: "measures.total.sql" is required',
      'products cube: "measures.count.sql" is not allowed',
      'orders cube: "measures.count.filters.0.sql" is not allowed',
    ];
    expect(kept(type, sql, ...others)).toEqual([type, ...others]);
    expect(kept(sql, window, 'orders cube: "measures.total.rollingWindow.offset" is required')).toEqual([sql, window]);
  });

  it('stay where the model has no such cube', () => {
    const missing = "orders cube: Cube nowhere doesn't exist";
    expect(kept(first, missing)).toEqual([missing]);
    expect(kept(cause, missing)).toEqual([cause, missing]);
  });

  it('stay where nothing else says what is wrong', () => {
    const back = "orders cube: Cube line_items doesn't exist";
    expect(kept(first, back)).toEqual([first, back]);
  });

  it('never leave a refused model without an error, and never take a cause', () => {
    const name = fc.constantFrom('orders', 'line_items', 'nowhere');
    const error = fc.oneof(
      name.map((cube) => `${cube} cube: (sql) is required`),
      name.map((missing) => `${missing} is not defined`),
      fc.tuple(name, name).map(([cube, missing]) => `${cube} cube: Cube ${missing} doesn't exist`),
    );
    fc.assert(
      fc.property(fc.array(error, { minLength: 1, maxLength: 8 }), (messages) => {
        const left = kept(...messages);
        expect(left).not.toEqual([]);
        expect(left).toEqual(
          expect.arrayContaining(messages.filter((each) => /required|nowhere (is|doesn)/.test(each))),
        );
      }),
    );
  });
});
