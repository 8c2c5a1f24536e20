import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEqual } from '#base/equal.ts';
import { merge3Json } from '#features/dashboards/merge-json.ts';

/** JSON as it comes out of `JSON.parse`, with names that objects inherit among the fields. */
const name = fc.oneof(fc.constantFrom('constructor', 'toString', 'id', 'widgets'), fc.string({ maxLength: 4 }));
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, 1, 'a', 'b'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(
      name.filter((key) => key !== '__proto__'),
      tie('json'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
}));

/** Widgets by id, each a few fields. */
const widget = fc.record({ x: fc.nat(9), y: fc.nat(9), config: json });
const widgets = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 })
  .chain((ids) => fc.tuple(...ids.map((id) => widget.map((fields) => ({ id, ...fields })))));

describe('three-way merge', () => {
  it('takes the only side that changed, and what both made alike', () => {
    fc.assert(
      fc.property(json, json, (base, changed) => {
        expect(merge3Json(base, changed, base)).toEqual({ value: changed, conflicts: [] });
        expect(merge3Json(base, base, changed)).toEqual({ value: changed, conflicts: [] });
        expect(merge3Json(base, changed, changed)).toEqual({ value: changed, conflicts: [] });
      }),
    );
  });

  it('finds the same conflicts from either side', () => {
    fc.assert(
      fc.property(json, json, json, (base, mine, theirs) => {
        const mirrored = merge3Json(base, theirs, mine).conflicts.map((conflict) => ({
          ...conflict,
          mine: conflict.theirs,
          theirs: conflict.mine,
        }));
        const sorted = (list: readonly { readonly path: string }[]) =>
          list.toSorted((a, b) => (a.path < b.path ? -1 : 1));
        expect(sorted(mirrored)).toEqual(sorted(merge3Json(base, mine, theirs).conflicts));
      }),
    );
  });

  it('never calls a place a conflict that one side left alone', () => {
    fc.assert(
      fc.property(json, json, json, (base, mine, theirs) => {
        for (const conflict of merge3Json(base, mine, theirs).conflicts) {
          expect(isEqual(conflict.base, conflict.mine)).toBe(false);
          expect(isEqual(conflict.base, conflict.theirs)).toBe(false);
          expect(isEqual(conflict.mine, conflict.theirs)).toBe(false);
        }
      }),
    );
  });

  it('keeps changes of different widgets, additions and removals of both sides', () => {
    fc.assert(
      fc.property(
        widgets,
        fc.array(fc.constantFrom('keep', 'change', 'remove'), { minLength: 5, maxLength: 5 }),
        (base, edits) => {
          const edit = (side: 0 | 1, added: string) => [
            ...base.flatMap((each, at) => {
              const kind = at % 2 === side ? edits[at] : 'keep';
              return kind === 'remove' ? [] : [kind === 'change' ? { ...each, x: each.x + 10 } : each];
            }),
            { id: added, x: 0, y: 0 },
          ];
          const { value, conflicts } = merge3Json(
            { widgets: base },
            { widgets: edit(0, 'mine') },
            { widgets: edit(1, 'theirs') },
          );
          expect(conflicts).toEqual([]);
          const expected = base.flatMap((each, at) =>
            edits[at] === 'remove' ? [] : [edits[at] === 'change' ? { ...each, x: each.x + 10 } : each],
          );
          const merged = (value as { widgets: readonly { readonly id: string }[] }).widgets;
          expect(merged.filter(({ id }) => id.length === 1)).toEqual(expected);
          expect(merged.map(({ id }) => id)).toEqual(expect.arrayContaining(['mine', 'theirs']));
          expect(merged).toHaveLength(expected.length + 2);
        },
      ),
    );
  });

  it('names a conflict by the widget and keeps mine', () => {
    const of = (title: string) => ({ widgets: [{ id: 'trend', config: { title } }] });
    expect(merge3Json(of('a'), of('b'), of('c'))).toEqual({
      value: of('b'),
      conflicts: [{ path: 'widgets[trend].config.title', base: 'a', mine: 'b', theirs: 'c' }],
    });
  });

  it('asks when one side removed what the other changed', () => {
    const base = { widgets: [{ id: 'a', x: 1 }] };
    const { value, conflicts } = merge3Json(base, { widgets: [] }, { widgets: [{ id: 'a', x: 2 }] });
    expect(conflicts).toEqual([
      { path: 'widgets[a]', base: { id: 'a', x: 1 }, mine: undefined, theirs: { id: 'a', x: 2 } },
    ]);
    expect(value).toEqual({ widgets: [] });
  });

  it('keeps the order of the side that moved widgets', () => {
    const order = (...ids: readonly string[]) => ids.map((id) => ({ id }));
    const moved = merge3Json(order('a', 'b', 'c'), order('a', 'b', 'c', 'd'), order('c', 'a', 'b'));
    expect(moved).toEqual({ value: order('c', 'd', 'a', 'b'), conflicts: [] });
  });

  it('treats a list without ids, or with an id twice, as one value', () => {
    expect(merge3Json([1, 2], [1, 3], [0, 2]).conflicts).toHaveLength(1);
    const twice = [{ id: 'a' }, { id: 'a' }];
    const [mine, theirs] = [[...twice, { id: 'b' }], [{ id: 'a' }]];
    expect(merge3Json(twice, mine, theirs).conflicts).toEqual([{ path: '', base: twice, mine, theirs }]);
  });

  it('never mixes what only makes sense as a whole', () => {
    const at = (x: number, y: number) => ({ position: { x, y } });
    const isWhole = (value: unknown) => typeof value === 'object' && value !== null && 'x' in value;
    expect(merge3Json(at(0, 0), at(1, 0), at(0, 1)).value).toEqual(at(1, 1));
    expect(merge3Json(at(0, 0), at(1, 0), at(0, 1), { isWhole }).conflicts).toEqual([
      { path: 'position', base: { x: 0, y: 0 }, mine: { x: 1, y: 0 }, theirs: { x: 0, y: 1 } },
    ]);
  });
});
