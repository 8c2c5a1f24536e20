import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutsOf } from '#features/dashboards/layout.ts';
import type { Placed } from '#features/dashboards/messages.ts';

const at = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });
const layout = (dashboard: unknown, name: string) => layoutsOf(dashboard).find((each) => each.name === name);

const meet = (a: Placed, b: Placed): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

const rect = fc.record({ x: fc.integer({ min: -2, max: 20 }), y: fc.nat(20), w: fc.nat(14), h: fc.nat(6) });
const dashboards = fc.record({
  widgets: fc.array(fc.record({ position: rect, responsiveLayouts: fc.option(fc.record({ sm: fc.option(rect) })) }), {
    maxLength: 12,
  }),
  layout: fc.record({ cols: fc.record({ lg: fc.integer({ min: 1, max: 24 }), sm: fc.integer({ min: 1, max: 6 }) }) }),
});

describe('layouts', () => {
  it('have every widget at every breakpoint, and mark exactly the overlaps', () => {
    fc.assert(
      fc.property(dashboards, (dashboard) => {
        const layouts = layoutsOf(dashboard);
        expect(layouts.map(({ name }) => name)).toEqual(['lg', 'md', 'sm', 'xs', 'xxs']);
        for (const { placed, rows } of layouts) {
          expect(placed.map(({ index }) => index)).toEqual(dashboard.widgets.map((_, index) => index));
          for (const each of placed) {
            expect(each.overlaps).toBe(placed.some((other) => other !== each && meet(each, other)));
            expect(each.y + each.h).toBeLessThanOrEqual(rows);
          }
        }
      }),
    );
  });

  it('never let a derived place overlap or leave the grid', () => {
    fc.assert(
      fc.property(dashboards, (dashboard) => {
        for (const { placed, cols } of layoutsOf(dashboard)) {
          for (const each of placed.filter(({ own }) => !own)) {
            expect(each.overlaps).toBe(false);
            expect(each.x >= 0 && each.x + each.w <= cols).toBe(true);
          }
        }
      }),
    );
  });

  it('take the document’s own grid, else the usual one', () => {
    const own = {
      layout: { cols: { sm: 8 }, breakpoints: { sm: 700 }, rowHeight: 40, margin: [4, 6], containerPadding: [1, 2] },
    };
    const grid = { rowHeight: 40, margin: [4, 6], padding: [1, 2], rows: 0, placed: [] };
    expect(layout(own, 'sm')).toEqual({ ...grid, name: 'sm', minWidth: 700, cols: 8 });
    expect(layout(own, 'lg')).toEqual({ ...grid, name: 'lg', minWidth: 1200, cols: 12 });
    const square = { ...grid, rowHeight: 30, margin: [7, 7], padding: [7, 7] };
    expect(layout({ layout: { margin: [7] } }, 'lg')).toEqual({ ...square, name: 'lg', minWidth: 1200, cols: 12 });
  });

  it('derive a narrow place from the next wider one and move it down', () => {
    const widgets = [
      { position: at(0, 0, 6, 2) },
      { position: at(6, 0, 6, 2), responsiveLayouts: { sm: at(0, 0, 6, 1) } },
    ];
    expect(layout({ widgets }, 'sm')?.placed).toEqual([
      { ...at(0, 1, 6, 2), index: 0, own: false, outside: false, overlaps: false },
      { ...at(0, 0, 6, 1), index: 1, own: true, outside: false, overlaps: false },
    ]);
  });

  it('mark what is outside, and leave out what has no usable position', () => {
    const widgets = [
      { position: at(10, 0, 4, 1) },
      { position: { x: 0, y: 0, w: 1.5, h: 1 } },
      null,
      { position: at(0, 0, 0, 0) },
    ];
    expect(layout({ widgets }, 'lg')?.placed).toEqual([
      { ...at(10, 0, 4, 1), index: 0, own: true, outside: true, overlaps: false },
      { ...at(0, 0, 1, 1), index: 3, own: true, outside: false, overlaps: false },
    ]);
  });

  it.each([undefined, null, 3, 'x', [], { widgets: 3, layout: [] }, { layout: { cols: { lg: -3 } } }])(
    'read %j without a fault',
    (dashboard) => {
      expect(layoutsOf(dashboard)).toHaveLength(5);
      expect(layoutsOf(dashboard).every(({ cols, placed }) => cols >= 1 && placed.length === 0)).toBe(true);
    },
  );
});
