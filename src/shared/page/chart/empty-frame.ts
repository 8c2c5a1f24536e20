import { plural } from '#base/words.ts';
import { type ChartRows, DataExtent } from './extent.ts';
import { type MeasuredField, measuredFields } from './measured-fields.ts';
import type { Json } from './rules.ts';

/**
 * Throws an error with a sentence for the user if the picture would be an empty frame: without rows, where the position of marks
 * refers to a column that the rows do not have, or where each view measures a column without values. Views with transforms are not
 * checked, because their columns are unknown.
 */
export function refuseEmptyFrame(spec: Json, rows: ChartRows): void {
  if (rows.length === 0) throw new Error('The result has no rows.');
  const extent = new DataExtent(rows);
  const views = measuredFields(spec);
  const unknown = views.flat().find(({ field, isPosition }) => isPosition && !extent.knows(field));
  if (unknown) throw new Error(`The result has no column “${unknown.field}”.`);
  const empty = views.map((fields) => fields.find((each) => isEmpty(each, extent)));
  const [first] = empty;
  if (first && empty.every((each) => each !== undefined))
    throw new Error(`The column “${first.field}” has no ${nounOf(first, extent, 'values')}.`);
}

/** Returns a sentence for each position that some rows have no value for: their marks are missing in the picture. */
export function missingValues(spec: Json, rows: ChartRows): readonly string[] {
  const extent = new DataExtent(rows);
  const fields = measuredFields(spec)
    .flat()
    .filter((each) => each.isPosition && isMeasure(each) && extent.knows(each.field));
  const byName = new Map(fields.map((each) => [each.field, each]));
  return [...byName.values()].flatMap((each) => {
    const missing = rows.length - extent.usable(each.field, each.type);
    const noun = nounOf(each, extent, 'value');
    return [...remark(missing, rows, `no ${noun} in “${each.field}”`), ...outOfPlace(each, extent, rows)];
  });
}

/** Remarks on the numbers that a mark or an axis has no place for. */
function outOfPlace({ field, excludes }: MeasuredField, extent: DataExtent, rows: ChartRows): readonly string[] {
  if (excludes === 'none') return [];
  return excludes === 'negative'
    ? remark(
        extent.counted(field, (value) => value < 0),
        rows,
        `a negative value in “${field}”, which slices cannot show`,
      )
    : remark(
        extent.counted(field, (value) => value <= 0),
        rows,
        `a value of zero or less in “${field}”, which a logarithmic axis cannot show`,
      );
}

function remark(count: number, rows: ChartRows, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} of ${plural(rows.length, 'row')} ${count === 1 ? 'has' : 'have'} ${what}.`];
}

function isMeasure({ type }: MeasuredField): boolean {
  return type === 'quantitative' || type === 'temporal';
}

function isEmpty(each: MeasuredField, extent: DataExtent): boolean {
  return isMeasure(each) && extent.knows(each.field) && extent.usable(each.field, each.type) === 0;
}

/** Names what is missing: `otherwise` where the cells are empty, and what they should be where they hold something else. */
function nounOf({ field, type }: MeasuredField, extent: DataExtent, otherwise: 'value' | 'values'): string {
  if (extent.filled(field) === extent.usable(field, type)) return otherwise;
  return `${type === 'temporal' ? 'date' : 'number'}${otherwise === 'values' ? 's' : ''}`;
}
