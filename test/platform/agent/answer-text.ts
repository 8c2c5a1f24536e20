import type { Plan } from './plan.ts';
import { columnsOf, type PlannedColumn } from './query-sql.ts';
import { formatCell, formatNumber, tableCell, type Cell } from './format.ts';

export interface Rows {
  readonly data: readonly (readonly Cell[])[];
  /** How many there are in all; `data` may hold fewer. */
  readonly total: number;
}

/** Rows shown in the text; the tool call holds more. */
const shownRows = 20;

/** The answer to a plan in Markdown: the number, or what stands out and a table; and what was not understood. */
export function writeAnswer(plan: Plan, rows: Rows): string {
  const columns = columnsOf(plan);
  const parts: string[] = [];
  const [only] = rows.data;
  if (rows.data.length === 0 || (rows.data.length === 1 && only?.every((cell) => cell === null))) {
    parts.push(`There is no data for this question${scope(plan)}.`);
  } else if (columns.every((column) => column.role === 'measure')) {
    parts.push(
      ...columns.map(
        (column, at) => `**${column.entry.title}**${scope(plan)}: **${formatCell(only?.[at] ?? null, column.entry)}**`,
      ),
    );
  } else {
    parts.push(headline(plan, columns, rows), table(plan, columns, rows));
    if (rows.total > shownRows)
      parts.push(`_The table shows ${String(Math.min(shownRows, rows.data.length))} of ${String(rows.total)} rows._`);
  }
  if (plan.assumed) parts.push(`You did not name a measure, so I took **${plan.measures[0]?.title ?? ''}**.`);
  if (plan.unknown.length > 0) {
    parts.push(
      `I did not understand: ${plan.unknown.map((word) => `*${word}*`).join(', ')}. The answer does not take it into account.`,
    );
  }
  return `${parts.join('\n\n')}\n`;
}

function headline(plan: Plan, columns: readonly PlannedColumn[], rows: Rows): string {
  const at = columns.findIndex((column) => column.role === 'measure');
  const measure = columns[at];
  const by = columns
    .filter((column) => column.role !== 'measure')
    .map((column) => (column.role === 'time' ? column.name : column.entry.title.toLowerCase()));
  const title = `**${measure?.entry.title ?? plan.source.title} by ${by.join(' and ')}**${scope(plan)}`;
  if (!measure || rows.data.length < 2) return `${title}.`;
  const remark =
    columns[0]?.role === 'time' && !plan.order
      ? change(plan, columns, { at, rows })
      : leader(plan, columns, { at, rows });
  return `${title}. ${remark}`;
}

interface Looked {
  /** The measure's column. */
  readonly at: number;
  readonly rows: Rows;
}

/** First against last, and the peak; only for one line over time. */
function change(plan: Plan, columns: readonly PlannedColumn[], { at, rows }: Looked): string {
  const measure = columns[at];
  if (!measure || columns.some((column) => column.role === 'dimension')) return '';
  const points = rows.data.map((row) => ({ when: label(plan, columns, row), value: Number(row[at] ?? 0) }));
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return '';
  const peak = points.reduce((best, point) => (point.value > best.value ? point : best));
  const percent = first.value === 0 ? undefined : ((last.value - first.value) / first.value) * 100;
  const moved = percent === undefined ? '' : ` (${percent >= 0 ? '+' : ''}${percent.toFixed(1)} %)`;
  return `From ${formatNumber(first.value, measure.entry)} in ${first.when} to ${formatNumber(last.value, measure.entry)} in ${last.when}${moved}; the peak was ${peak.when} with ${formatNumber(peak.value, measure.entry)}.`;
}

function leader(plan: Plan, columns: readonly PlannedColumn[], { at, rows }: Looked): string {
  const measure = columns[at];
  const [first] = rows.data;
  if (!measure || !first) return '';
  const value = Number(first[at] ?? 0);
  const additive =
    ['sum', 'count'].includes(measure.entry.aggType ?? '') &&
    plan.limit === undefined &&
    rows.data.length === rows.total;
  const sum = rows.data.reduce((total, row) => total + Number(row[at] ?? 0), 0);
  const share = additive && sum > 0 ? `, ${((value / sum) * 100).toFixed(1)} % of all` : '';
  const place = plan.order === 'ascending' ? 'Last' : 'First';
  return `${place} comes **${label(plan, columns, first)}** with ${formatNumber(value, measure.entry)}${share}.`;
}

function label(plan: Plan, columns: readonly PlannedColumn[], row: readonly Cell[]): string {
  return columns
    .flatMap((column, at) =>
      column.role === 'measure' ? [] : [formatCell(row[at] ?? null, column.entry, granularityOf(plan, column))],
    )
    .join(', ');
}

function granularityOf(plan: Plan, column: PlannedColumn): string | undefined {
  return column.role === 'time' ? plan.time?.granularity : undefined;
}

function table(plan: Plan, columns: readonly PlannedColumn[], rows: Rows): string {
  const titles = columns.map((column) =>
    column.role === 'time' ? capitalized(column.name) : tableCell(column.entry.title),
  );
  const rule = columns.map((column) => (column.role === 'measure' ? '---:' : '---'));
  const body = rows.data
    .slice(0, shownRows)
    .map((row) =>
      columns.map((column, at) => tableCell(formatCell(row[at] ?? null, column.entry, granularityOf(plan, column)))),
    );
  return [titles, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What the answer is limited to, in words. */
function scope(plan: Plan): string {
  const filters = plan.filters.map(({ entry, values }) =>
    entry.type === 'boolean' ? entry.title.toLowerCase() : `${entry.title.toLowerCase()} ${values.join(' or ')}`,
  );
  const period = plan.label === undefined ? [] : [plan.label];
  const all = [...filters, ...period];
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
