import type { TextSources } from './text-sources.ts';

interface Item {
  readonly tooltip?: unknown;
  readonly datum?: Readonly<Record<string, unknown>> | undefined;
  readonly defined?: boolean;
  readonly x?: number;
  readonly y?: number;
  description?: string;
  text?: unknown;
  readonly items?: readonly Item[];
  readonly marktype?: string;
  readonly role?: string;
}

const LONGEST = 500;
/** How Vega writes a value that is none. */
const NONE = /^(?:null|undefined|NaN|[−-]?Infinity)$/;
const PATHS = new Set(['line', 'area', 'trail']);

/**
 * Names the marks of a chart for screen readers and tooltips: by the tooltip of the specification, otherwise as Vega-Lite does, but
 * without words for missing values that look like values, such as `NaN`. A line is named by its first and its last point. `sources`
 * shows which texts are really such words. Returns how many marks can be seen.
 */
export function labelMarks(scenegraph: unknown, sources: TextSources): number {
  return labelled((scenegraph as { readonly root: Item }).root, sources, false);
}

function labelled(item: Item, sources: TextSources, isMark: boolean): number {
  const tooltip = textOf(item.tooltip);
  if (tooltip !== '') item.description = tooltip;
  else if (item.description !== undefined) item.description = described(item.description, item.datum);
  if (isMark && typeof item.text === 'string' && isNoText(item.text, item.datum, sources)) item.text = '';
  const isOwn = item.role === 'mark';
  const inner = (item.items ?? []).map((each) => labelled(each, sources, isOwn && item.marktype !== 'group'));
  if (PATHS.has(item.marktype ?? '')) nameByEnds(item.items ?? []);
  return inner.reduce((sum, count) => sum + count, isMark && isSeen(item) ? 1 : 0);
}

function isSeen({ defined, x = 0, y = 0, text }: Item): boolean {
  return defined !== false && Number.isFinite(x) && Number.isFinite(y) && text !== '';
}

/** Names a line or an area by its ends; the first item of the mark is read out for all of it. */
function nameByEnds(items: readonly Item[]): void {
  const points = items.filter((item) => isSeen(item) && item.description !== undefined);
  const [from, to] = [points.at(0)?.description, points.at(-1)?.description];
  if (items[0] && from !== undefined && to !== undefined)
    items[0].description = from === to ? from : `${from} to ${to}`;
}

/** Returns the name of a mark or an axis; Vega-Lite separates the fields by semicolons. */
function described(description: string, datum: Item['datum']): string {
  return description
    .replace(/ with values from .*NaN.*$/s, ' without values')
    .split('; ')
    .map((field) => {
      const at = field.lastIndexOf(': ');
      return at >= 0 && isNone(field.slice(0, at), field.slice(at + 2), datum)
        ? `${field.slice(0, at)}: no value`
        : field;
    })
    .join('; ');
}

/** Whether the text of a column stands for a missing value; a category may really have such a name. */
function isNone(column: string, text: string, datum: Item['datum'] = {}): boolean {
  if (!NONE.test(text)) return false;
  // A column may have another title.
  return Object.hasOwn(datum, column) ? datum[column] !== text : !Object.values(datum).includes(text);
}

/** Whether the text of a mark stands for a missing value. */
function isNoText(text: string, datum: Item['datum'] = {}, { fields, literals }: TextSources): boolean {
  if (!NONE.test(text) || literals.has(text)) return false;
  const columns = [...fields].filter((field) => Object.hasOwn(datum, field));
  // A text of aggregated rows has a column with another name.
  const values = columns.length > 0 ? columns.map((column) => datum[column]) : Object.values(datum);
  return !values.includes(text);
}

function textOf(tooltip: unknown): string {
  if (tooltip === undefined || tooltip === null) return '';
  if (typeof tooltip === 'string') return tooltip.slice(0, LONGEST);
  if (typeof tooltip !== 'object') return JSON.stringify(tooltip) ?? '';
  return Object.entries(tooltip)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join('\n')
    .slice(0, LONGEST);
}

function valueText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  const text = String(value);
  return typeof value !== 'string' && NONE.test(text) ? 'no value' : text;
}
