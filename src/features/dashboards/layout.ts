import { largest } from '#base/long-lists.ts';
import { isObject } from '#api/schema.ts';
import type { Layout, Placed } from './messages.ts';

/**
 * The breakpoints of docs/platform-api.md#dashboard-configuration, widest first, with the default grid for dashboards that define
 * none.
 */
const breakpoints = [
  { name: 'lg', minWidth: 1200, cols: 12 },
  { name: 'md', minWidth: 996, cols: 10 },
  { name: 'sm', minWidth: 768, cols: 6 },
  { name: 'xs', minWidth: 480, cols: 4 },
  { name: 'xxs', minWidth: 0, cols: 2 },
] as const;

const usualRowHeight = 30;
const usualMargin: Pair = [10, 10];
const mostColumns = 1_000;

type Pair = [number, number];
type Rect = Pick<Placed, 'x' | 'y' | 'w' | 'h'>;

/**
 * Returns the position of every widget at every breakpoint. Accepts incomplete documents: a widget without a valid position is
 * left out. `position` applies to the widest breakpoint; without a position of its own, a narrower breakpoint takes the wider
 * one's, fits it into its columns and moves it down until it overlaps nothing.
 */
export function layoutsOf(dashboard: unknown): Layout[] {
  const layout = field(dashboard, 'layout');
  const widgets = listOf(field(dashboard, 'widgets'));
  let wider: ReadonlyMap<number, Rect> = new Map();
  return breakpoints.map(({ name, minWidth, cols: usual }) => {
    const cols = Math.min(mostColumns, Math.max(1, whole(field(field(layout, 'cols'), name)) ?? usual));
    const margin = pairOf(field(layout, 'margin')) ?? usualMargin;
    const placed = placedAt(widgets, name, cols, wider);
    wider = new Map(placed.map((each) => [each.index, each]));
    return {
      name,
      minWidth: whole(field(field(layout, 'breakpoints'), name)) ?? minWidth,
      cols,
      rowHeight: Math.max(1, whole(field(layout, 'rowHeight')) ?? usualRowHeight),
      margin,
      padding: pairOf(field(layout, 'containerPadding')) ?? margin,
      rows: largest([0, ...placed.map(({ y, h }) => y + h)]),
      placed,
    };
  });
}

function placedAt(
  widgets: readonly unknown[],
  name: (typeof breakpoints)[number]['name'],
  cols: number,
  wider: ReadonlyMap<number, Rect>,
): Placed[] {
  const found: { readonly index: number; readonly own: boolean; readonly rect: Rect }[] = [];
  for (const [index, widget] of widgets.entries()) {
    const own =
      rectOf(field(field(widget, 'responsiveLayouts'), name)) ??
      (name === 'lg' ? rectOf(field(widget, 'position')) : undefined);
    const rect = own ?? wider.get(index);
    if (rect) found.push({ index, own: own !== undefined, rect });
  }
  const fixed = found.filter(({ own }) => own).map(({ rect }) => rect);
  const taken = [...fixed];
  const rects = new Map(found.filter(({ own }) => own).map(({ index, rect }) => [index, rect]));
  for (const { index, rect } of found.filter(({ own }) => !own).sort((a, b) => byPosition(a.rect, b.rect))) {
    const free = moveDown(cut(rect, cols), taken);
    taken.push(free);
    rects.set(index, free);
  }
  return found.map(({ index, own }) => {
    const rect = rects.get(index) ?? { x: 0, y: 0, w: 1, h: 1 };
    const others = [...rects].filter(([other]) => other !== index);
    return {
      index,
      ...rect,
      own,
      overlaps: others.some(([, other]) => meet(rect, other)),
      outside: rect.x < 0 || rect.y < 0 || rect.x + rect.w > cols,
    };
  });
}

const byPosition = (a: Rect, b: Rect): number => a.y - b.y || a.x - b.x;

function cut(rect: Rect, cols: number): Rect {
  const w = Math.min(rect.w, cols);
  return { ...rect, w, x: Math.max(0, Math.min(rect.x, cols - w)) };
}

function moveDown(rect: Rect, taken: readonly Rect[]): Rect {
  let { y } = rect;
  for (;;) {
    const placed = { ...rect, y };
    const under = taken.filter((other) => meet(placed, other));
    if (under.length === 0) return placed;
    // Each iteration moves past at least one rectangle for good, so the loop ends.
    y = largest(under.map((other) => other.y + other.h));
  }
}

function meet(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function rectOf(value: unknown): Rect | undefined {
  const [x, y, w, h] = ['x', 'y', 'w', 'h'].map((key) => whole(field(value, key)));
  if (x === undefined || y === undefined || w === undefined || h === undefined) return undefined;
  return { x, y, w: Math.max(1, w), h: Math.max(1, h) };
}

function pairOf(value: unknown): Pair | undefined {
  const [x, y] = listOf(value).map((each) => whole(each));
  return x === undefined ? undefined : [Math.max(0, x), Math.max(0, y ?? x)];
}

const field = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
