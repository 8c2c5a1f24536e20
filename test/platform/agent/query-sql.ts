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
    ...plan.dimensions.map((entry) => ({ name: outputName(plan, entry), entry, role: 'dimension' as const })),
    ...plan.measures.map((entry) => ({ name: entry.name, entry, role: 'measure' as const })),
  ];
}

/** A name of its own for each output column: members of two cubes may be called the same. */
function outputName(plan: Plan, entry: Entry): string {
  const same = [...plan.dimensions, ...plan.measures].filter((other) => other.name === entry.name);
  return same.length > 1 && entry.cube !== plan.source.name ? `${entry.cube}_${entry.name}` : entry.name;
}

/** How a plan's SQL refers to a member. */
function reference(plan: Plan, entry: Entry): string {
  return joinedCubes(plan).length === 0 ? entry.name : `${entry.cube}.${entry.name}`;
}

function joinedCubes(plan: Plan): readonly string[] {
  const time = plan.time ? [plan.time.entry] : [];
  const used = [...plan.dimensions, ...time, ...plan.filters.map((filter) => filter.entry)].map((entry) => entry.cube);
  return [...new Set(used)].filter((cube) => cube !== plan.source.name);
}

/** Writes a plan as SQL over the model (the dialect of the SQL API). */
export function writeSql(plan: Plan): string {
  const columns = columnsOf(plan);
  const groups = columns.filter((column) => column.role !== 'measure').length;
  const lines = [
    `SELECT\n${columns.map((column) => `  ${expression(plan, column)}${writeAlias(plan, column)}`).join(',\n')}`,
    `FROM ${[plan.source.name, ...joinedCubes(plan)].join(' CROSS JOIN ')}`,
  ];
  const conditions = writeConditions(plan);
  if (conditions.length > 0) lines.push(`WHERE ${conditions.join('\n  AND ')}`);
  if (groups > 0) lines.push(`GROUP BY ${Array.from({ length: groups }, (_, at) => String(at + 1)).join(', ')}`);
  if (groups > 0) lines.push(`ORDER BY ${writeOrder(plan, groups)}`);
  if (plan.limit !== undefined && groups > 0) lines.push(`LIMIT ${String(plan.limit)}`);
  return lines.join('\n');
}

function writeAlias(plan: Plan, column: PlannedColumn): string {
  return column.role === 'dimension' && reference(plan, column.entry) === column.name ? '' : ` AS ${column.name}`;
}

function expression(plan: Plan, column: PlannedColumn): string {
  if (column.role === 'time')
    return `DATE_TRUNC('${plan.time?.granularity ?? 'month'}', ${reference(plan, column.entry)})`;
  const name = reference(plan, column.entry);
  return column.role === 'measure' ? `MEASURE(${name})` : name;
}

function writeConditions(plan: Plan): readonly string[] {
  const values = plan.filters.map(({ entry, values }) => {
    const name = reference(plan, entry);
    if (entry.type === 'boolean') return `${name} = TRUE`;
    return values.length === 1 ? `${name} = ${quote(values[0] ?? '')}` : `${name} IN (${values.map(quote).join(', ')})`;
  });
  const { time } = plan;
  if (!time?.range) return values;
  const { from, to } = time.range;
  const name = reference(plan, time.entry);
  return [
    ...values,
    ...(from === undefined ? [] : [`${name} >= '${from.slice(0, 10)}'`]),
    ...(to === undefined ? [] : [`${name} <= '${to.replace('T', ' ')}'`]),
  ];
}

function writeOrder(plan: Plan, groups: number): string {
  // Equals in the order of their names, so that the same question has the same answer.
  const byMeasure = `${String(groups + 1)} ${plan.order === 'ascending' ? 'ASC' : 'DESC'}, 1`;
  if (plan.order) return byMeasure;
  if (plan.time?.granularity === undefined && plan.measures.length > 0) return byMeasure;
  return Array.from({ length: groups }, (_, at) => String(at + 1)).join(', ');
}

function quote(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
