import type { Plan } from './plan.ts';
import type { Entry } from './catalogue.ts';

/** One output column of a plan's SQL. */
export interface PlannedColumn {
  readonly name: string;
  readonly entry: Entry;
  readonly role: 'time' | 'dimension' | 'measure';
}

/** The columns of a plan, in the order of its SQL. */
export function columnsOf(plan: Plan): readonly PlannedColumn[] {
  const time =
    plan.time?.granularity === undefined
      ? []
      : [{ name: plan.time.granularity, entry: plan.time.entry, role: 'time' as const }];
  return [
    ...time,
    ...plan.dimensions.map((entry) => ({ name: entry.name, entry, role: 'dimension' as const })),
    ...plan.measures.map((entry) => ({ name: entry.name, entry, role: 'measure' as const })),
  ];
}

/** Writes a plan as SQL over the model (the dialect of the SQL API). */
export function writeSql(plan: Plan): string {
  const columns = columnsOf(plan);
  const groups = columns.filter((column) => column.role !== 'measure').length;
  const lines = [
    `SELECT\n${columns.map((column) => `  ${expression(plan, column)}${column.role === 'dimension' ? '' : ` AS ${column.name}`}`).join(',\n')}`,
    `FROM ${plan.source.name}`,
  ];
  const conditions = writeConditions(plan);
  if (conditions.length > 0) lines.push(`WHERE ${conditions.join('\n  AND ')}`);
  if (groups > 0) lines.push(`GROUP BY ${Array.from({ length: groups }, (_, at) => String(at + 1)).join(', ')}`);
  if (groups > 0) lines.push(`ORDER BY ${writeOrder(plan, groups)}`);
  if (plan.limit !== undefined && groups > 0) lines.push(`LIMIT ${String(plan.limit)}`);
  return lines.join('\n');
}

function expression(plan: Plan, column: PlannedColumn): string {
  if (column.role === 'time') return `DATE_TRUNC('${plan.time?.granularity ?? 'month'}', ${column.entry.name})`;
  return column.role === 'measure' ? `MEASURE(${column.entry.name})` : column.entry.name;
}

function writeConditions(plan: Plan): readonly string[] {
  const values = plan.filters.map(({ entry, values }) =>
    entry.type === 'boolean'
      ? `${entry.name} = TRUE`
      : values.length === 1
        ? `${entry.name} = ${quote(values[0] ?? '')}`
        : `${entry.name} IN (${values.map(quote).join(', ')})`,
  );
  const { time } = plan;
  if (!time?.range) return values;
  const { from, to } = time.range;
  return [
    ...values,
    ...(from === undefined ? [] : [`${time.entry.name} >= '${from.slice(0, 10)}'`]),
    ...(to === undefined ? [] : [`${time.entry.name} <= '${to.replace('T', ' ')}'`]),
  ];
}

function writeOrder(plan: Plan, groups: number): string {
  const byMeasure = `${String(groups + 1)} ${plan.order === 'ascending' ? 'ASC' : 'DESC'}`;
  if (plan.order) return byMeasure;
  if (plan.time?.granularity === undefined && plan.measures.length > 0) return byMeasure;
  return Array.from({ length: groups }, (_, at) => String(at + 1)).join(', ');
}

function quote(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
