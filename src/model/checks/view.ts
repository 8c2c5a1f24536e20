import { append } from '#base/long-lists.ts';
import type { Problem } from '../codes.ts';
import { type EffectiveMembers, extendedParent } from '../effective.ts';
import type { ModelIndex } from '../index.ts';
import { isNamedLikeCube } from '../resolve.ts';
import { nearestName } from '../suggest.ts';
import { type Path, readTemplate, type Segment } from '#model/expressions/strings.ts';
import type { EntitySymbol } from '../symbols.ts';
import type { IncludeSymbol, ViewCubeSymbol } from '../view-cube.ts';
import { AGGREGATE_TYPES } from './joins.ts';
import { isComputedText } from './wrong-type.ts';
import { checkHierarchies } from './view-hierarchies.ts';
import { findPair, type MapNode, type ScalarNode, scalarType, textOf, type TreeNode } from '../syntax/tree.ts';

/** Checks the rules of a view (docs/model-language.md#views). */
export function checkView(view: EntitySymbol, index: ModelIndex): Problem[] {
  const { missing, clashes } = index.membersOf(view);
  return [
    ...checkPaths(view, index),
    ...checkOwnMembers(view, index),
    ...checkJoins(view, index),
    ...checkFolders(view, index),
    ...checkHierarchies(view, index),
    ...missing.flatMap(({ include, owner }) =>
      isComputedText(include.nameNode) ? [] : [missingMember(include, owner, index)],
    ),
    ...(view.chunk.templated ? [] : clashes.flatMap((clash) => clashing(clash, view))),
  ];
}

function missingMember({ nameNode }: IncludeSymbol, owner: EntitySymbol, index: ModelIndex): Problem {
  const at = { start: nameNode.start, end: nameNode.end };
  if (nameNode.value.includes('.'))
    return {
      code: 'path-in-name',
      ...at,
      message: 'Only names of members are allowed here: the cube is the last one of the `join_path`.',
    };
  const guess = nearestName(nameNode.value, index.membersOf(owner).byName.keys());
  const hint = guess === undefined ? '' : ` Did you mean \`${guess}\`?`;
  const fix = guess === undefined ? undefined : { title: `Change to \`${guess}\``, ...at, text: guess };
  return {
    code: 'unknown-reference',
    ...at,
    message: `\`${owner.name}\` has no member \`${nameNode.value}\`.${hint}`,
    fix,
  };
}

function clashing({ first, second }: EffectiveMembers['clashes'][number], view: EntitySymbol): Problem[] {
  const cube = second.via?.cube;
  const node = second.via?.include?.nameNode ?? cube?.path;
  if (!node) return [];
  const severity = first.kind === second.kind ? undefined : 'warning';
  const message = `\`${second.name}\` of \`${second.owner.name}\` has the same name as a member of \`${first.owner.name}\`: exclude it, give it an alias, or set \`prefix: true\`.`;
  return [
    { code: 'view-clash', start: node.start, end: node.end, message, severity, fix: cube && addPrefix(cube, view) },
  ];
}

function addPrefix(cube: ViewCubeSymbol, view: EntitySymbol): Problem['fix'] {
  const last = cube.node.pairs.at(-1);
  if (!last || view.chunk.kind === 'script' || findPair(cube.node, 'prefix', 'split')) return undefined;
  const lineStart = view.chunk.text.lastIndexOf('\n', cube.node.start - 1) + 1;
  const text = cube.node.flow ? ', prefix: true' : `\n${' '.repeat(cube.node.start - lineStart)}prefix: true`;
  return { title: 'Add `prefix: true`', start: last.end, end: last.end, text };
}

/** Checks whether one cube joins to another, itself or by inheritance; undefined if that cannot be known. */
function joinsTo(from: EntitySymbol, to: string, index: ModelIndex): boolean | undefined {
  for (let at: EntitySymbol | undefined = from, depth = 0; at && depth < 50; at = extendedParent(at, index), depth++) {
    if (at.joins.some(({ name }) => name === to)) return true;
    if (at.open || at.extendsUnknown || (at.extends && !extendedParent(at, index))) return undefined;
  }
  return false;
}

function checkPaths(view: EntitySymbol, index: ModelIndex): Problem[] {
  const problems: Problem[] = [];
  const ways = new Map<string, string>();
  for (const cube of view.cubes) {
    const { path, includes } = cube;
    const segments = path?.segments ?? [];
    append(problems, [...checkHead(cube, view), ...checkNoCube(cube, view, index)]);
    for (const [at, segment] of segments.entries()) {
      const before = segments[at - 1];
      if (before) append(problems, checkStep(before, segment, index));
      const way = segments
        .slice(0, at + 1)
        .map(({ text }) => text)
        .join('.');
      const target = `${segments[0]?.text ?? ''} ${segment.text}`;
      const other = ways.get(target) ?? way;
      ways.set(target, other);
      if (other !== way)
        problems.push({
          code: 'several-paths',
          severity: isReturn(segments, at) && listsMembers(includes) ? 'error' : undefined,
          start: segment.start,
          end: segment.end,
          message: `\`${segment.text}\` is reached by \`${other}\` and by \`${way}\`: a view should reach a cube by one path from a root.`,
        });
    }
  }
  return problems;
}

/** Checks whether single members are listed: the engine reports those that it does not find. */
function listsMembers(includes: ViewCubeSymbol['includes']): boolean {
  return Array.isArray(includes) && includes.length > 0;
}

/** Checks the first cube of a join path: a view has no rows to join. */
function checkHead({ path, includes }: ViewCubeSymbol, view: EntitySymbol): Problem[] {
  const [head, ...rest] = path?.segments ?? [];
  const isView = head !== undefined && (/^(?:CUBE|TABLE)$/.test(head.text) || head.text === view.name);
  if (!isView || view.chunk.kind === 'script' || (rest.length === 0 && !listsMembers(includes))) return [];
  const message = `A join path begins with the name of a cube, and \`${head.text}\` is this view.`;
  return [{ code: 'unknown-reference', start: head.start, end: head.end, message }];
}

/**
 * Reports a number, a boolean or, in a script, an object or a text that names no cube as a join path: to the engine it is a path
 * without a cube, so that it finds none of the listed members.
 */
function checkNoCube({ node, includes, isDynamic }: ViewCubeSymbol, view: EntitySymbol, index: ModelIndex): Problem[] {
  const value = findPair(node, 'join_path', 'joinPath')?.value;
  if (!value || isDynamic || !(view.chunk.kind === 'script' ? isNoPath(value, view, index) : isNumber(value)))
    return [];
  const names = value.kind === 'scalar' ? value.value.split('.') : [];
  // A name that is there twice is a second path to a cube.
  const isFound = !listsMembers(includes) && new Set(names).size === names.length;
  const { start, end } = value;
  return isFound ? [] : [{ code: 'wrong-type', start, end, message: 'A join path begins with the name of a cube.' }];
}

function isNumber(value: TreeNode): boolean {
  return value.kind === 'scalar' && /^(?:\d|true$|false$)/.test(value.value);
}

/** Checks for a value of a script that certainly leads to no cube; a text may name one. */
function isNoPath(value: TreeNode, { chunk }: EntitySymbol, index: ModelIndex): boolean {
  if (value.kind !== 'scalar') return value.kind === 'map' && !value.open;
  if (isNamedLikeCube(value, chunk, index)) return false;
  if (value.style === 'code' || isComputedText(value) || scalarType(value) === 'null') return false;
  const last = value.value.split('.').at(-1) ?? '';
  return index.entity(last) === undefined && !index.mayHave(last);
}

/** Checks whether a path returns to a cube: the engine then finds none of the requested members. */
function isReturn(segments: readonly Segment[], at: number): boolean {
  return segments.findIndex(({ text }) => text === segments[at]?.text) < at - 1;
}

/** Checks one step of a join path: the first cube must declare a join to the second. */
function checkStep(before: Segment, segment: Segment, index: ModelIndex): Problem[] {
  const from = index.entity(before.text);
  if (from?.kind !== 'cube' || !index.entity(segment.text) || joinsTo(from, segment.text, index) !== false) return [];
  return [
    {
      code: 'no-join-path',
      start: segment.start,
      end: segment.end,
      message: `\`${from.name}\` declares no join to \`${segment.text}\`: queries of this view fail.`,
    },
  ];
}

/** Checks that the members of a view refer to members of cubes. */
export function checkOwnMembers(view: EntitySymbol, index: ModelIndex): Problem[] {
  const problems: Problem[] = [];
  for (const member of view.members.values()) {
    const sql = findPair(member.node, 'sql')?.value;
    const isOwn = sql?.kind === 'scalar' && sql.style !== 'code' && isOfTable(sql, view, index);
    const isBare =
      sql === undefined && member.kind === 'measure' && !findPair(member.node, 'case') && !member.node.open;
    if (member.kind === 'preAggregation' || member.kind === 'hierarchy' || !(isOwn || isBare)) continue;
    const { start, end } = member.nameNode;
    problems.push({
      code: 'view-own-member',
      start,
      end,
      message: `A view only shows members of cubes: move \`${member.name}\` to one of them.`,
    });
  }
  return problems;
}

/** Checks for SQL that names no member of a cube: text, columns of a table. */
function isOfTable(sql: ScalarNode, { name, chunk }: EntitySymbol, index: ModelIndex): boolean {
  const { braces, paths } = readTemplate(chunk.text, sql);
  const isTable = ({ segments: [head, more] }: Path): boolean =>
    !more &&
    (/^(?:CUBE|TABLE)$/.test(head?.text ?? '') || head?.text === name || index.entity(head?.text ?? '') !== undefined);
  return braces.length === 0 || (paths.length > 0 && paths.every(isTable));
}

/**
 * Reports joins of a view: it has no rows of its own, so the engine reports a missing primary key once there is something to
 * aggregate.
 */
function checkJoins(view: EntitySymbol, index: ModelIndex): Problem[] {
  const aggregates = [...index.membersOf(view).byName.values()].some(
    ({ kind, member }) => kind === 'measure' && AGGREGATE_TYPES.has(member.text('type') ?? ''),
  );
  if (!aggregates || view.chunk.templated) return [];
  return view.joins.map(({ nameNode, name }): Problem => {
    const message = `A view cannot join: let one of its cubes join to \`${name}\`, and list the path under \`cubes\`.`;
    return { code: 'missing-primary-key', start: nameNode.start, end: nameNode.end, message };
  });
}

function checkFolders(view: EntitySymbol, index: ModelIndex): Problem[] {
  const folders = findPair(view.entity.node, 'folders')?.value;
  if (folders?.kind !== 'seq' || view.chunk.templated) return [];
  const paths = new Set(view.cubes.map(({ path }) => path?.segments.map(({ text }) => text).join('.')));
  const problems: Problem[] = [];
  // A view inherits the folders of the one that it extends.
  const seen = new Set(inheritedFolders(view, index));
  for (const folder of folders.items) {
    if (folder?.kind !== 'map') continue;
    const name = findPair(folder, 'name')?.value;
    if (name?.kind === 'scalar') {
      if (seen.has(name.value))
        problems.push({
          code: 'duplicate-name',
          start: name.start,
          end: name.end,
          message: `Another folder of this view is called \`${name.value}\`.`,
        });
      seen.add(name.value);
    }
    append(problems, checkFolder(folder, view, paths));
  }
  return problems;
}

function inheritedFolders(view: EntitySymbol, index: ModelIndex): string[] {
  const names: string[] = [];
  for (let at = extendedParent(view, index), depth = 0; at && depth < 50; at = extendedParent(at, index), depth++) {
    const folders = findPair(at.entity.node, 'folders')?.value;
    if (folders?.kind !== 'seq' || at.chunk.templated) continue;
    for (const folder of folders.items)
      if (folder?.kind === 'map')
        append(
          names,
          [textOf(folder, 'name')].filter((name) => name !== undefined),
        );
  }
  return names;
}

function checkFolder(folder: MapNode, view: EntitySymbol, paths: ReadonlySet<string | undefined>): Problem[] {
  const includes = findPair(folder, 'includes')?.value;
  if (includes?.kind !== 'seq') return [];
  return includes.items.flatMap((item: TreeNode | undefined): Problem[] => {
    if (item?.kind === 'scalar')
      return item.value.includes('.') && item.style !== 'code' ? [pathInFolder(item.start, item.end)] : [];
    if (item?.kind !== 'map') return [];
    const path = textOf(item, 'join_path', 'joinPath');
    const node = findPair(item, 'join_path', 'joinPath')?.value;
    if (path === undefined || !node) return checkFolder(item, view, paths);
    // A view inherits the join paths of the one that it extends.
    const isKnown = paths.has(path) || view.extends !== undefined || view.chunk.kind === 'script';
    return isKnown
      ? []
      : [{ code: 'folder-path', start: node.start, end: node.end, message: `The view has no \`join_path: ${path}\`.` }];
  });
}

function pathInFolder(start: number, end: number): Problem {
  return { code: 'path-in-name', start, end, message: 'A folder may contain only names of members of this view.' };
}
