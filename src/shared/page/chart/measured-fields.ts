import { isRecord, type Json } from './rules.ts';

/** A column that a chart shows by position, colour or text. */
export interface MeasuredField {
  readonly field: string;
  readonly type: Json | undefined;
  /** Whether it is the position of marks. */
  readonly isPosition: boolean;
}

const POSITIONS = ['x', 'y', 'theta', 'radius'] as const;
const PARTS = ['layer', 'hconcat', 'vconcat', 'concat', 'spec'] as const;

/**
 * Returns the columns that each view with a mark shows, its own and those of the layers around it. Views with transforms are left
 * out, because their columns are unknown.
 */
export function measuredFields(
  view: Json | undefined,
  around: readonly MeasuredField[] = [],
): readonly MeasuredField[][] {
  if (Array.isArray(view)) return (view as readonly Json[]).flatMap((each) => measuredFields(each, around));
  if (!isRecord(view) || view['transform'] !== undefined) return [];
  const fields = [...around, ...ownFields(view['encoding'], markOf(view['mark']))];
  const inner = PARTS.flatMap((part) => measuredFields(view[part], fields));
  return view['mark'] === undefined ? inner : [fields, ...inner];
}

function ownFields(encoding: Json | undefined, mark: Json | undefined): readonly MeasuredField[] {
  if (!isRecord(encoding)) return [];
  return [...POSITIONS, 'color', ...(mark === 'text' ? ['text'] : [])].flatMap((channel): readonly MeasuredField[] => {
    const definition = encoding[channel];
    const field = isRecord(definition) ? definition['field'] : undefined;
    const isPosition = POSITIONS.some((position) => position === channel);
    return isRecord(definition) && typeof field === 'string' ? [{ field, type: definition['type'], isPosition }] : [];
  });
}

function markOf(mark: Json | undefined): Json | undefined {
  return isRecord(mark) ? mark['type'] : mark;
}
