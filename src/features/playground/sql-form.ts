import { type Condition, type Draft, isCommonGranularity, valuesOf } from './draft.ts';

/**
 * Returns the query for the SQL API (docs/data-api.md#runcubesql). A relative range has no SQL form, because its days depend on
 * the time of the run; the text then reports that instead.
 */
export function sqlForm(draft: Draft, isMeasure: (member: string) => boolean): string {
  const { time, filters } = draft;
  const range = [time.range, ...filters.flat().flatMap((each) => wordsOf(each))].find(
    (words) => words !== '' && words !== 'between',
  );
  if (range !== undefined) return `-- SQL has no “${range}”. Choose the days of the range to see the query here.\n`;
  if (!isCommonGranularity(time.granularity))
    return `-- SQL has no granularity “${time.granularity}”. Choose another one to see the query here.\n`;
  const grouped = [...timeOf(draft), ...draft.dimensions.map((name) => ({ expression: column(name), name }))];
  const measured = draft.measures.map((name) => ({ expression: measure(name), name }));
  const selected = [...grouped, ...measured];
  const groups = filters.map((group) => ({
    text: groupText(group, isMeasure),
    isHaving: group.some(({ member }) => isMeasure(member)),
  }));
  const where = [...rangeOf(time), ...draft.segments.map((name) => `${column(name)} IS TRUE`)].concat(
    groups.filter((group) => !group.isHaving).map(({ text }) => text),
  );
  const having = groups.filter((group) => group.isHaving).map(({ text }) => text);
  return [
    `SELECT\n  ${selected.map(({ expression, name }) => `${expression} AS ${quote(name)}`).join(',\n  ')}`,
    `FROM ${cubesOf(draft).map(quote).join(' CROSS JOIN ')}`,
    ...(where.length > 0 ? [`WHERE ${where.join('\n  AND ')}`] : []),
    ...(grouped.length > 0 ? [`GROUP BY ${grouped.map((_, at) => String(at + 1)).join(', ')}`] : []),
    ...(having.length > 0 ? [`HAVING ${having.join('\n  AND ')}`] : []),
    ...orderOf(draft),
    `LIMIT ${draft.limit}`,
    '',
  ].join('\n');
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const column = (name: string): string => name.split('.').map(quote).join('.');
const measure = (name: string): string => `MEASURE(${column(name)})`;

/** Returns the relative date range of a condition, if it has one. */
function wordsOf({ operator, values: typed }: Condition): readonly string[] {
  const values = valuesOf(typed);
  return (operator === 'inDateRange' || operator === 'notInDateRange') && values.length === 1 ? values : [];
}

function timeOf({ time: { dimension, granularity } }: Draft): readonly { expression: string; name: string }[] {
  if (dimension === '' || granularity === '') return [];
  return [{ expression: `DATE_TRUNC('${granularity}', ${column(dimension)})`, name: `${dimension}.${granularity}` }];
}

function rangeOf({ dimension, range, from, to }: Draft['time']): readonly string[] {
  return dimension === '' || range !== 'between' ? [] : [between(column(dimension), from, to)];
}

/** Returns a condition on whole days, including the last one. */
const between = (expression: string, from: string, to: string): string =>
  `${expression} >= ${literal(from)} AND ${expression} < DATE ${literal(to.slice(0, 10))} + INTERVAL '1 day'`;

function cubesOf(draft: Draft): readonly string[] {
  const names = [
    ...draft.measures,
    ...draft.dimensions,
    ...draft.segments,
    draft.time.dimension,
    ...draft.filters.flat().map(({ member }) => member),
  ];
  return [...new Set(names.flatMap((name) => (name === '' ? [] : [name.split('.')[0] ?? ''])))];
}

function groupText(group: readonly Condition[], isMeasure: (member: string) => boolean): string {
  const texts = group.map((condition) => conditionText(condition, isMeasure(condition.member)));
  return texts.length === 1 ? (texts[0] ?? '') : `(${texts.join(' OR ')})`;
}

function conditionText({ member, operator, values: typed }: Condition, isMeasure: boolean): string {
  const name = isMeasure ? measure(member) : column(member);
  const values = valuesOf(typed);
  const [first = ''] = values;
  // A negative filter keeps rows without a value, which SQL would leave out.
  const orEmpty = (not: boolean): string => (not ? ` OR ${name} IS NULL` : '');
  const like = (not: boolean, before: string, after: string): string =>
    values
      .map(
        (value) =>
          `${name} ${not ? 'NOT ' : ''}ILIKE ${literal(before + value.replaceAll(/[\\%_]/g, String.raw`\$&`) + after)}`,
      )
      .join(not ? ' AND ' : ' OR ') + orEmpty(not);
  const list = values.map((value) => literal(value)).join(', ');
  const texts: Readonly<Record<Condition['operator'], () => string>> = {
    equals: () => `${name} IN (${list})`,
    notEquals: () => `(${name} NOT IN (${list})${orEmpty(true)})`,
    contains: () => `(${like(false, '%', '%')})`,
    notContains: () => `(${like(true, '%', '%')})`,
    startsWith: () => `(${like(false, '', '%')})`,
    notStartsWith: () => `(${like(true, '', '%')})`,
    endsWith: () => `(${like(false, '%', '')})`,
    notEndsWith: () => `(${like(true, '%', '')})`,
    gt: () => `${name} > ${first}`,
    gte: () => `${name} >= ${first}`,
    lt: () => `${name} < ${first}`,
    lte: () => `${name} <= ${first}`,
    inDateRange: () => `(${between(name, first, values[1] ?? first)})`,
    notInDateRange: () => `NOT (${between(name, first, values[1] ?? first)})`,
    beforeDate: () => `${name} < ${literal(first)}`,
    beforeOrOnDate: () => `${name} <= ${literal(first)}`,
    afterDate: () => `${name} > ${literal(first)}`,
    afterOrOnDate: () => `${name} >= ${literal(first)}`,
    set: () => `${name} IS NOT NULL`,
    notSet: () => `${name} IS NULL`,
  };
  return texts[operator]();
}

function orderOf(draft: Draft): readonly string[] {
  const { order, measures, time } = draft;
  if (order.length === 0) return [];
  const texts = order.map(({ member, descending }) => {
    const isTime =
      time.granularity !== '' &&
      (member === `${time.dimension}.${time.granularity}` ||
        (member === time.dimension && !draft.dimensions.includes(member)));
    const expression = isTime
      ? `DATE_TRUNC('${time.granularity}', ${column(time.dimension)})`
      : measures.includes(member)
        ? measure(member)
        : column(member);
    return `${expression} ${descending ? 'DESC' : 'ASC'}`;
  });
  return [`ORDER BY ${texts.join(', ')}`];
}
