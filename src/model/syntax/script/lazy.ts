import type { AnyNode } from 'acorn';

const NAME = '[_a-zA-Z][_a-zA-Z0-9]*';

/** Returns both spellings of words joined by underscores. */
function spelled(words: string): string {
  const all = words.split(' ');
  return [...all, ...all.map((word) => word.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))].join(
    '|',
  );
}

const lazy = (...paths: readonly string[]): readonly RegExp[] => paths.map((path) => new RegExp(`^(?:${path})$`));
const POLICY = `(?:${spelled('access_policy')})\\.0`;
const FILTERS = `(?:${spelled('default_filters')})\\.0`;
const PRE_AGGREGATION = `(?:${spelled('pre_aggregations')})\\.${NAME}`;

/**
 * Paths whose values the engine wraps into functions before it runs a script, so that they can use names of cubes and members.
 * Elsewhere names are JavaScript's. A list's items are `0` in a path.
 */
const LAZY = lazy(
  `(?:.*\\.)?(?:sql|${spelled('sql_table')})`,
  `measures\\.${NAME}\\.(?:${spelled('drill_member_references drill_members reduce_by group_by add_group_by')})`,
  `measures\\.${NAME}\\.(?:${spelled('time_shift')})\\.0\\.(?:${spelled('time_dimension')})`,
  `(?:measures|dimensions)\\.${NAME}\\.filter\\.(?:${spelled('exclude keep_only')})`,
  `measures\\.${NAME}\\.grain\\.(?:${spelled('exclude keep_only include')})`,
  `(?:measures|dimensions)\\.${NAME}\\.case\\.switch`,
  `dimensions\\.${NAME}\\.(?:${spelled('reduce_by group_by add_group_by key')})`,
  `dimensions\\.${NAME}\\.links\\.0\\.(?:url|params\\.0\\.value)`,
  `${PRE_AGGREGATION}\\.indexes\\.${NAME}\\.columns`,
  `${PRE_AGGREGATION}\\.(?:time_dimension|segments|dimensions|measures|rollups)`,
  `${PRE_AGGREGATION}\\.(?:timeDimension|(?:timeDimension|segment|dimension|measure|rollup)References?)`,
  `${PRE_AGGREGATION}\\.(?:${spelled('time_dimensions')})\\.0\\.dimension`,
  `${PRE_AGGREGATION}\\.(?:${spelled('output_column_types')})\\.0\\.member`,
  `${spelled('view_group view_groups')}|contextMembers|views|includes|excludes`,
  `hierarchies\\.${NAME}\\.levels`,
  `(?:cubes|folders\\.0\\.includes)\\.0\\.(?:${spelled('join_path')})`,
  `${POLICY}\\.(?:${spelled('row_level')})\\.filters\\.0.*\\.(?:member|values)`,
  `${POLICY}\\.conditions\\.0\\.if`,
  `${FILTERS}\\.(?:member|values|unless)`,
);

/**
 * Checks whether a position in a definition is evaluated later; `around`: the nodes from the call of `cube(…)` on, outermost
 * first.
 */
export function isLazy([call, ...around]: readonly AnyNode[]): boolean {
  if (isGroup(call)) return isKeyOf(around, 'views') || isIncluded(around);
  return around.some((node, at) => {
    const key = node.type === 'Property' ? keyOf(node) : undefined;
    if (key === undefined) return false;
    return key.includes('extends') || LAZY.some((path) => path.test(pathTo(around.slice(0, at + 1))));
  });
}

function isGroup(call: AnyNode | undefined): boolean {
  return call?.type === 'CallExpression' && call.callee.type === 'Identifier' && call.callee.name === 'view_group';
}

/** Checks for something under a key of a definition itself; `around`: the nodes from the definition on. */
function isKeyOf([, property]: readonly AnyNode[], key: string): boolean {
  return property?.type === 'Property' && keyOf(property) === key;
}

/** Checks for an item of the `includes` of a group or of a group in it: the engine makes a function of each name there, and of nothing else. */
function isIncluded(around: readonly AnyNode[]): boolean {
  const types = ['ObjectExpression', 'Property', 'ArrayExpression'];
  return (
    around.length % types.length === 0 &&
    around.every((node, at) => {
      const isOfIncludes = node.type !== 'Property' || keyOf(node) === 'includes';
      return node.type === types[at % types.length] && isOfIncludes;
    })
  );
}

/** Checks for the function in place of the `includes` of a group, which the engine calls as it is. */
export function isCalledForGroup([call, ...around]: readonly AnyNode[]): boolean {
  const [, property, fn] = around;
  if (!isGroup(call) || !isKeyOf(around, 'includes') || property?.type !== 'Property' || property.kind !== 'init')
    return false;
  return fn !== undefined && 'params' in fn && fn === property.value && !fn.async && !fn.generator;
}

function keyOf({ key }: AnyNode & { readonly type: 'Property' }): string | undefined {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}

/**
 * Checks for a join that the engine leaves out before it runs a script, so that nothing in it is ever evaluated. Where all joins are
 * properties with a value, it takes only those whose value is an object written there. `around` as for {@link isLazy}.
 */
export function isLeftOut([, definition, joins, list, join]: readonly AnyNode[]): boolean {
  if (definition?.type !== 'ObjectExpression' || joins?.type !== 'Property' || keyOf(joins) !== 'joins') return false;
  if (list?.type !== 'ObjectExpression' || join?.type !== 'Property') return false;
  const isTakenApart = list.properties.every(
    (each) => each.type === 'Property' && each.kind === 'init' && !each.method,
  );
  return isTakenApart && (keyOf(join) === undefined || join.value.type !== 'ObjectExpression');
}

/** Returns the keys down to a property, through nested objects and lists. */
function pathTo(around: readonly AnyNode[]): string {
  const path: string[] = [];
  for (let at = around.length - 1; at >= 0; at--) {
    const node = around[at];
    if (node?.type === 'Property') path.unshift(keyOf(node) ?? '0');
    else if (node?.type === 'ArrayExpression') path.unshift('0');
    else if (node?.type !== 'ObjectExpression') break;
  }
  return path.join('.');
}
