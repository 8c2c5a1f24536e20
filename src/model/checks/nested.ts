import type { Problem } from '../codes.ts';
import { isUndefined } from './script-values.ts';
import { findPair, isDynamic, type MapNode, type Pair, type ScalarNode, type TreeNode } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { isInterval } from './formats.ts';

/**
 * Checks the rules of a map that involve nested maps (docs/model-language.md#dimensions, docs/model-language.md#measures,
 * docs/model-language.md#refresh-keys).
 */
export function checkNested(site: Site, node: MapNode): Problem[] {
  if (node.open) return [];
  switch (site.shape) {
    case 'case':
      return checkCase(node);
    case 'measure':
      return checkShifts(findPair(node, 'time_shift', 'timeShift')?.value);
    case 'viewCube':
      return checkExcludes(findPair(node, 'excludes')?.value);
    case 'defaultFilter':
      return [findPair(node, 'member')?.value, ...itemsIn(findPair(node, 'unless')?.value)].flatMap(checkFilterMember);
    case 'cubeRefreshKey':
    case 'preAggregationRefreshKey':
      return checkQueryInterval(node);
    default:
      return [];
  }
}

/** Checks that branches are either conditions with labels or values of a switch with SQL, never a mixture. */
function checkCase(node: MapNode): Problem[] {
  const isSwitch = findPair(node, 'switch') !== undefined;
  const branches = mapsIn(findPair(node, 'when')?.value);
  const otherwise = findPair(node, 'else')?.value;
  const problems = branches.flatMap((branch) =>
    isSwitch
      ? [...surplus(branch, 'label', SWITCH), ...lack(branch, 'value', SWITCH)]
      : surplus(branch, 'value', PLAIN),
  );
  if (otherwise?.kind !== 'map' || otherwise.open) return problems;
  if (!isSwitch) return [...problems, ...surplus(otherwise, 'sql', PLAIN)];
  return [...problems, ...surplus(otherwise, 'label', SWITCH), ...lack(otherwise, 'sql', SWITCH)];
}
const SWITCH = 'A case with `switch` has `value` and `sql` in each branch, and `else: {sql: …}`.';
const PLAIN = 'A case without `switch` has `sql` and `label` in each branch, and `else: {label: …}`.';

/** Checks the time shifts of a measure: only a single one may have a `name`, or omit keys. */
function checkShifts(list: TreeNode | undefined): Problem[] {
  const items = mapsIn(list);
  if (list?.kind !== 'seq' || list.open || list.items.length < 2) return [];
  return items.flatMap((item) => [
    ...surplus(item, 'name', SEVERAL),
    ...['time_dimension', 'interval', 'type'].flatMap((key) =>
      findPair(item, 'name') ? [] : lack(item, key, SEVERAL),
    ),
  ]);
}
const SEVERAL = 'Where there are several shifts, each has `time_dimension`, `interval` and `type`.';

/** Checks that a view's `excludes` are names: the engine refuses paths. */
function checkExcludes(list: TreeNode | undefined): Problem[] {
  if (list?.kind !== 'seq') return [];
  return list.items.flatMap((item): Problem[] => {
    if (item?.kind !== 'scalar' || item.style === 'code' || isDynamic(item.value)) return [];
    if (item.value.includes('{') || !item.value.includes('.')) return [];
    const { start, end } = item;
    const message = 'Only names of members are allowed here: the cube is the last one of the `join_path`.';
    return [{ code: 'path-in-name', start, end, message }];
  });
}

/** Reports filter members that cannot exist: half a path, or a path that begins at `null` or `undefined`. */
function checkFilterMember(member: TreeNode | undefined): Problem[] {
  if (member?.kind !== 'scalar' || !isPlain(member)) return [];
  const { value, start, end } = member;
  if (!/^\.\w|\w\.$|^(?:null|undefined)\./.test(value)) return [];
  const message = `\`${value}\` names no member: a default filter takes members that the view shows.`;
  return [{ code: 'unknown-reference', start, end, message }];
}

/** Checks the interval of a refresh key with a query, which cannot be a cron expression. */
function checkQueryInterval(node: MapNode): Problem[] {
  const every = findPair(node, 'every')?.value;
  if (!findPair(node, 'sql') || every?.kind !== 'scalar' || !isPlain(every) || isInterval(every.value)) return [];
  const message = `\`${every.value}\` cannot be combined with \`sql\`: write an interval, for example \`1 hour\`.`;
  return [{ code: 'bad-format', start: every.start, end: every.end, message }];
}

function isPlain({ value, style }: ScalarNode): boolean {
  return style !== 'code' && !isDynamic(value) && !value.includes('${');
}

function itemsIn(list: TreeNode | undefined): readonly (TreeNode | undefined)[] {
  return list?.kind === 'seq' ? list.items : [];
}

function mapsIn(list: TreeNode | undefined): MapNode[] {
  return list?.kind === 'seq' ? list.items.flatMap((item) => (item?.kind === 'map' && !item.open ? [item] : [])) : [];
}

function surplus(node: MapNode, name: string, why: string): Problem[] {
  const pair: Pair | undefined = findPair(node, name);
  if (!pair) return [];
  return [
    {
      code: 'misplaced-key',
      start: pair.key.start,
      end: pair.key.end,
      message: `\`${name}\` is not allowed here. ${why}`,
    },
  ];
}

function lack(node: MapNode, name: string, why: string): Problem[] {
  const camel = name.replace(/_d/, 'D');
  const pair = findPair(node, name, camel);
  // The engine makes a function of SQL, also of `undefined`.
  const isThere = pair !== undefined && (name === 'sql' || !isUndefined(pair.value));
  if (isThere || node.pairs.some(({ key }) => isDynamic(key.value))) return [];
  const at = node.pairs[0]?.key ?? { start: node.start, end: Math.min(node.end, node.start + 1) };
  return [{ code: 'missing-key', start: at.start, end: at.end, message: `\`${name}\` is missing here. ${why}` }];
}
