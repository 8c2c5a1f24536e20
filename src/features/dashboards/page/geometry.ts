import type { Layout, Placed } from '#features/dashboards/messages.ts';

/** In pixels. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The size at which a layout is drawn: `factor` of its real size, at most 1. */
export interface Scale {
  readonly width: number;
  readonly factor: number;
}

/** The width of a phone, for the layout whose breakpoint is 0. */
const narrowest = 320;

/** At a smaller factor, rows would be lower than a line of text, so the grid scrolls instead. */
const smallest = 0.5;

/** Returns the scale of a layout's grid in a space: the width at which its breakpoint begins, reduced if that does not fit. */
export function scaleOf({ minWidth }: Pick<Layout, 'minWidth'>, space: number): Scale {
  const real = Math.max(narrowest, minWidth);
  const width = Math.min(real, Math.max(real * smallest, space));
  return { width, factor: width / real };
}

/** Returns the frame of a widget in the drawn grid. */
export function frameOf(
  { x, y, w, h }: Pick<Placed, 'x' | 'y' | 'w' | 'h'>,
  { cols, rowHeight, margin: [across, down], padding: [left, top] }: Layout,
  { width, factor }: Scale,
): Frame {
  const gapX = across * factor;
  const gapY = down * factor;
  const row = rowHeight * factor;
  const column = Math.max(1, (width - 2 * left * factor - (cols - 1) * gapX) / cols);
  return {
    left: left * factor + x * (column + gapX),
    top: top * factor + y * (row + gapY),
    width: Math.max(1, w * column + (w - 1) * gapX),
    height: Math.max(1, h * row + (h - 1) * gapY),
  };
}

/** Returns the height of the whole grid. */
export function gridHeight({ rows, rowHeight, margin: [, down], padding: [, top] }: Layout, { factor }: Scale): number {
  return factor * (2 * top + rows * rowHeight + Math.max(0, rows - 1) * down);
}
