import { type ChartRows, DataExtent } from './extent.ts';
import { isRecord, type Json } from './rules.ts';

const POSITIONS = ['x', 'y', 'theta', 'radius'] as const;
const PARTS = ['layer', 'hconcat', 'vconcat', 'concat', 'spec'] as const;

/**
 * Throws an error with a sentence for the user if the position of marks refers to a column that the rows do not have: the picture
 * would be an empty frame. Views with transforms are not checked, because their columns are unknown.
 */
export function refuseUnknownColumns(spec: Json, rows: ChartRows): void {
  if (rows.length > 0) refuseIn(spec, new DataExtent(rows));
}

function refuseIn(view: Json | undefined, extent: DataExtent): void {
  if (Array.isArray(view)) for (const each of view as readonly Json[]) refuseIn(each, extent);
  if (!isRecord(view) || view['transform'] !== undefined) return;
  const { encoding } = view;
  for (const channel of POSITIONS) {
    const definition = isRecord(encoding) ? encoding[channel] : undefined;
    const field = isRecord(definition) ? definition['field'] : undefined;
    if (typeof field === 'string' && !extent.knows(field)) throw new Error(`The result has no column “${field}”.`);
  }
  for (const inner of PARTS) refuseIn(view[inner], extent);
}
