/** Keys of a specification that could bring data, addresses or settings of their own. */
const DROPPED = new Set([
  'data',
  'datasets',
  'usermeta',
  'url',
  'href',
  'background',
  'width',
  'height',
  'autosize',
  // A range of keys to be made up: rows that are not the result's.
  'keyvals',
  '$schema',
]);
const MOST_ROWS = 5_000;
/** Counts that a specification may choose: beyond, the view would be busy drawing what nobody can see. */
const COUNTS = new Set(['steps', 'maxbins', 'tickCount', 'ticks']);
const MOST_OF_A_COUNT = 1_000;
const DEEPEST = 40;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The specification with our rows and without anything that could load or lead elsewhere. Throws when it is no object.
 * An image mark goes too: it is an address in itself.
 */
export function harmless(spec: unknown, rows: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  const clean = cleaned(spec as Json, 0);
  if (typeof clean !== 'object' || clean === null || Array.isArray(clean))
    throw new Error('The chart has no description.');
  return { ...clean, data: { values: rows.slice(0, MOST_ROWS) } };
}

function cleaned(value: Json, depth: number): Json {
  if (depth > DEEPEST) throw new Error('The chart is nested too deeply.');
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, item]) => !DROPPED.has(key) && !isImage(key, item));
  return Object.fromEntries(kept.map(([key, item]) => [key, limited(key, cleaned(item, depth + 1))]));
}

function limited(key: string, value: Json): Json {
  return typeof value === 'number' && COUNTS.has(key) ? Math.min(value, MOST_OF_A_COUNT) : value;
}

function isImage(key: string, value: Json): boolean {
  if (key !== 'mark') return false;
  return (
    value === 'image' ||
    (typeof value === 'object' && value !== null && !Array.isArray(value) && value['type'] === 'image')
  );
}
