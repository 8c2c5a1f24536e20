import { isRecord, type Json } from './rules.ts';

/** A column that a chart shows by position, colour or text. */
export interface MeasuredField {
  readonly field: string;
  readonly type: Json | undefined;
  /** Whether it is the position of marks. */
  readonly isPosition: boolean;
  /** Which of its numbers have no place: slices have no negative size, and a logarithmic axis has no zero. */
  readonly excludes: 'none' | 'negative' | 'zeroAndLess';
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
    if (!isRecord(definition) || typeof field !== 'string') return [];
    return [{ field, type: definition['type'], isPosition, excludes: excludedBy(channel, definition) }];
  });
}

/** Values that are summed up or averaged first may well have a place. */
function excludedBy(channel: string, definition: { readonly [key: string]: Json }): MeasuredField['excludes'] {
  if (definition['type'] !== 'quantitative' || definition['aggregate'] !== undefined) return 'none';
  if (channel === 'theta') return 'negative';
  return isRecord(definition['scale']) && definition['scale']['type'] === 'log' ? 'zeroAndLess' : 'none';
}

function markOf(mark: Json | undefined): Json | undefined {
  return isRecord(mark) ? mark['type'] : mark;
}
