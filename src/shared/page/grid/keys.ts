/** The position of a cell in the grid; row -1 is the header. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

/** The number of rows and columns, and of rows that are visible at once. */
export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  readonly page: number;
}

/** The fields of a keyboard event that move the active cell. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/**
 * Returns the position after a key press, following the grid pattern of the ARIA Authoring Practices; `undefined` for other keys.
 */
export function moved(from: Position, pressed: Pressed, size: GridSize): Position | undefined {
  const step = Object.hasOwn(steps, pressed.key) ? steps[pressed.key] : undefined;
  if (!step) return undefined;
  const isFar = pressed.ctrlKey || pressed.metaKey;
  return inside({ ...from, ...(isFar ? step.far : step.near)(from, size) }, size);
}

type Step = (from: Position, size: GridSize) => Partial<Position>;

const toHead: Step = () => ({ row: -1 });
const toBottom: Step = (_, { rows }) => ({ row: rows - 1 });
const toStart: Step = () => ({ column: 0 });
const toEnd: Step = (_, { columns }) => ({ column: columns - 1 });
const pageUp: Step = ({ row }, { page }) => ({ row: row - page });
const pageDown: Step = ({ row }, { page }) => ({ row: row + page });

/** The movement for each key, without and with Ctrl (Command on macOS). */
const steps: Readonly<Record<string, { readonly near: Step; readonly far: Step }>> = {
  ArrowUp: { near: ({ row }) => ({ row: row - 1 }), far: toHead },
  ArrowDown: { near: ({ row }) => ({ row: row + 1 }), far: toBottom },
  ArrowLeft: { near: ({ column }) => ({ column: column - 1 }), far: toStart },
  ArrowRight: { near: ({ column }) => ({ column: column + 1 }), far: toEnd },
  Home: { near: toStart, far: () => ({ row: -1, column: 0 }) },
  End: { near: toEnd, far: (_, { rows, columns }) => ({ row: rows - 1, column: columns - 1 }) },
  PageUp: { near: pageUp, far: pageUp },
  PageDown: { near: pageDown, far: pageDown },
};

/** Clamps a position to the nearest cell that exists. */
export function inside({ row, column }: Position, { rows, columns }: Pick<GridSize, 'rows' | 'columns'>): Position {
  return {
    row: Math.max(-1, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  };
}
