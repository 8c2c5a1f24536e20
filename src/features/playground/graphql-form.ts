import { type Condition, type Draft, isCommonGranularity, type Operator, valuesOf } from './draft.ts';
import type { ValueKind } from './operators.ts';

/** Returns the query for the server's GraphQL API. Segments have no GraphQL form; the text then reports that instead. */
export function graphqlForm(draft: Draft, valueKindOf: (member: string) => ValueKind): string {
  const [segment] = draft.segments;
  if (segment !== undefined) return `# GraphQL has no segments. Remove “${segment}” to see the query here.\n`;
  const { granularity } = draft.time;
  if (!isCommonGranularity(granularity))
    return `# GraphQL has no granularity “${granularity}”. Choose another one to see the query here.\n`;
  const args = [`limit: ${draft.limit}`, `timezone: ${JSON.stringify(draft.timezone)}`, ...whereOf(draft, valueKindOf)];
  return [
    'query {',
    `  cube(${args.join(', ')}) {`,
    ...cubesOf(draft).flatMap((cube) => [
      `    ${fieldOf(cube)}${orderOf(draft, cube)} {`,
      ...fieldsOf(draft, cube).map((field) => `      ${field}`),
      '    }',
    ]),
    '  }',
    '}',
    '',
  ].join('\n');
}

const cubeOf = (name: string): string => name.split('.')[0] ?? '';
const memberOf = (name: string): string => name.split('.').slice(1).join('');
/** Returns a cube's name in the API, which starts with a lower-case letter. */
const fieldOf = (cube: string): string => `${cube.charAt(0).toLowerCase()}${cube.slice(1)}`;

function cubesOf({ measures, dimensions, time }: Draft): readonly string[] {
  const grouped = time.granularity === '' ? [] : [time.dimension];
  return [...new Set([...grouped, ...dimensions, ...measures].map(cubeOf))];
}

function fieldsOf({ measures, dimensions, time }: Draft, cube: string): readonly string[] {
  const own = (names: readonly string[]): readonly string[] => names.filter((name) => cubeOf(name) === cube);
  const grouped = own([time.dimension]).filter(() => time.granularity !== '');
  return [
    ...grouped.map((name) => `${memberOf(name)} { ${time.granularity} }`),
    // A time dimension that is also grouped must be requested by its value.
    ...own(dimensions).map((name) => (name === time.dimension ? `${memberOf(name)} { value }` : memberOf(name))),
    ...own(measures).map(memberOf),
  ];
}

function orderOf({ order, time }: Draft, cube: string): string {
  const entries = order.flatMap(({ member, descending }) => {
    const name = member === `${time.dimension}.${time.granularity}` ? time.dimension : member;
    return cubeOf(name) === cube ? [`${memberOf(name)}: ${descending ? 'desc' : 'asc'}`] : [];
  });
  return entries.length === 0 ? '' : `(orderBy: { ${entries.join(', ')} })`;
}

function whereOf(draft: Draft, valueKindOf: (member: string) => ValueKind): readonly string[] {
  const { dimension, range, from, to } = draft.time;
  const rangeValue = JSON.stringify(range === 'between' ? [from, to] : [range]);
  // Only a range beside AND restricts the time dimension, so that pre-aggregations can serve it.
  const ranged = dimension === '' || range === '' ? [] : [inCube(dimension, `{ inDateRange: ${rangeValue} }`)];
  const groups = draft.filters.map((group) => {
    const texts = group.map((condition) => inCube(condition.member, conditionOf(condition, valueKindOf)));
    return texts.length > 1 ? `OR: [${texts.map((each) => `{ ${each} }`).join(', ')}]` : (texts[0] ?? '');
  });
  const all = [...ranged, ...groups];
  if (all.length === 0) return [];
  if (all.length === 1) return [`where: { ${all[0]} }`];
  return [`where: { ${[...ranged, `AND: [${groups.map((each) => `{ ${each} }`).join(', ')}]`].join(', ')} }`];
}

function inCube(name: string, filter: string): string {
  return `${fieldOf(cubeOf(name))}: { ${memberOf(name)}: ${filter} }`;
}

function conditionOf(
  { member, operator, values: typed }: Condition,
  valueKindOf: (member: string) => ValueKind,
): string {
  const kind = valueKindOf(member);
  const values = valuesOf(typed).map((value) => (kind === 'number' ? value : JSON.stringify(value)));
  switch (operator) {
    case 'set':
    case 'notSet':
      return `{ set: ${operator === 'set'} }`;
    case 'equals':
    case 'notEquals':
      return values.length === 1
        ? `{ ${operator}: ${values[0]} }`
        : `{ ${operator === 'equals' ? 'in' : 'notIn'}: [${values.join(', ')}] }`;
    default:
      return `{ ${operator}: ${single.has(operator) ? values[0] : `[${values.join(', ')}]`} }`;
  }
}

/** Operators with one value; the others have a list. */
const single: ReadonlySet<Operator> = new Set<Operator>([
  ...(['gt', 'gte', 'lt', 'lte', 'beforeDate', 'beforeOrOnDate', 'afterDate', 'afterOrOnDate'] as const),
]);
