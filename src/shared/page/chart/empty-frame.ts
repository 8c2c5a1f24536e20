import { type ChartRows, DataExtent } from './extent.ts';
import { isRecord, type Json } from './rules.ts';

const POSITIONS = ['x', 'y', 'theta', 'radius'] as const;
const PARTS = ['layer', 'hconcat', 'vconcat', 'concat', 'spec'] as const;

/**
 * Throws an error with a sentence for the user if the picture would be an empty frame: without rows, where the position of marks
 * refers to a column that the rows do not have, or where no column that is measured has a value. Views with transforms are not
 * checked, because their columns are unknown.
 */
export function refuseEmptyFrame(spec: Json, rows: ChartRows): void {
  if (rows.length === 0) throw new Error('The result has no rows.');
  const extent = new DataExtent(rows);
  const positions = positionsIn(spec);
  const unknown = positions.find(({ field }) => !extent.knows(field));
  if (unknown) throw new Error(`The result has no column “${unknown.field}”.`);
  const measured = positions.filter(({ type }) => type === 'quantitative' || type === 'temporal');
  const [first] = measured;
  if (first && measured.every(({ field }) => !extent.hasValues(field)))
    throw new Error(`The column “${first.field}” has no values.`);
}

interface Position {
  readonly field: string;
  readonly type: Json | undefined;
}

function positionsIn(view: Json | undefined): readonly Position[] {
  if (Array.isArray(view)) return (view as readonly Json[]).flatMap((each) => positionsIn(each));
  if (!isRecord(view) || view['transform'] !== undefined) return [];
  const { encoding } = view;
  const own = POSITIONS.flatMap((channel): readonly Position[] => {
    const definition = isRecord(encoding) ? encoding[channel] : undefined;
    const field = isRecord(definition) ? definition['field'] : undefined;
    return isRecord(definition) && typeof field === 'string' ? [{ field, type: definition['type'] }] : [];
  });
  return [...own, ...PARTS.flatMap((part) => positionsIn(view[part]))];
}
