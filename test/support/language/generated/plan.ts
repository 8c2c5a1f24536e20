import type { Random } from './random.ts';

/** A member of a cube: `sql` has references in braces, as YAML writes them. */
export interface PlannedMember {
  readonly name: string;
  readonly type: string;
  readonly sql?: string;
  readonly filter?: string;
  readonly title?: string;
  readonly primaryKey?: boolean;
}

/** What a cube is, however it is written. */
export interface PlannedCube {
  readonly name: string;
  readonly dimensions: readonly PlannedMember[];
  readonly measures: readonly PlannedMember[];
  readonly segments: readonly PlannedMember[];
  /** The cube that it joins to. */
  readonly joinsTo: string | undefined;
}

export interface PlannedModel {
  readonly cubes: readonly PlannedCube[];
  /** What a view includes, by join path. */
  readonly view: readonly (readonly [path: string, includes: readonly string[]])[];
}

const CUBES = ['orders', 'users', 'items', 'visits'];
const COLUMNS = ['status', 'city', 'kind', 'amount', 'price', 'rank_no', 'source_2'];
const TITLES = ['Total', 'Größe', '合計', "It's", 'A: b', 'a # b', '50 %'];

/** Plans an accepted model. */
export function plan(random: Random): PlannedModel {
  const names = random.some(CUBES, 1 + random.below(3));
  const cubes = names.map((name, at) => planCube(random, name, names[at + 1]));
  const [first] = cubes;
  const second = cubes[1];
  if (!first) throw new Error('A model has a cube.');
  const own = random.some(
    [...first.dimensions, ...first.measures].map(({ name }) => name),
    2,
  );
  const joined = second?.dimensions.find(({ name }) => !own.includes(name) && name !== 'id');
  return {
    cubes,
    view: [[first.name, own], ...(second && joined ? [[`${first.name}.${second.name}`, [joined.name]] as const] : [])],
  };
}

function planCube(random: Random, name: string, joinsTo: string | undefined): PlannedCube {
  const columns = random.some(COLUMNS, 2 + random.below(3));
  const title = (): Pick<PlannedMember, 'title'> => (random.chance(0.3) ? { title: random.pick(TITLES) } : {});
  const dimensions: readonly PlannedMember[] = [
    { name: 'id', type: 'number', sql: 'id', primaryKey: true },
    ...columns.map((column) => ({
      name: column,
      type: random.pick(['string', 'number']),
      sql: random.pick([column, `{CUBE}.${column}`, `COALESCE({CUBE}.${column}, 0)`]),
      ...title(),
    })),
  ];
  const [column = 'id', other = 'id'] = columns;
  const measures: readonly PlannedMember[] = [
    { name: 'count', type: 'count' },
    { name: `total_${column}`, type: 'sum', sql: `{CUBE.${column}}`, ...title() },
    { name: `share_${column}`, type: 'number', sql: `{total_${column}} / {count}` },
    { name: `count_${other}`, type: 'count', filter: `{CUBE.${other}} = 'x'` },
    ...(joinsTo === undefined ? [] : [{ name: `reach_${column}`, type: 'count_distinct', sql: `{${joinsTo}.id}` }]),
  ];
  const segments = random.chance(0.5) ? [{ name: 'chosen', type: '', sql: `{CUBE}.${column} > 1` }] : [];
  return { name, dimensions, measures, segments, joinsTo };
}
