import type { Problem } from '../codes.ts';
import type { Chunk } from '../file.ts';
import { canonicalKey, language } from '../language/language.ts';
import { nounOf, type Type } from '../language/types.ts';
import {
  findPair,
  isDynamic,
  type Pair,
  type ScalarNode,
  scalarType,
  textOf,
  type TreeNode,
  walk,
} from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { checkBoolean } from './booleans.ts';
import { checkKeyValue } from './grouping-key.ts';
import { isUnreadableItem } from './templates.ts';
import { checkText, isNamesOfGroups } from './texts.ts';
import { checkParent, isHole, isNull, LOOSE_REFERENCES, missingItem, resolvesLate } from './script-references.ts';
import { checkComputed, constantIn, isUndefined, kindOfComputed } from './script-values.ts';
import { isNothing, isComputedText, PASSED_OVER, wrongType } from './wrong-type.ts';

type Checker<T extends Type['is']> = (
  site: Site,
  node: TreeNode,
  type: Type & { readonly is: T },
  isScript: boolean,
  chunk: Chunk,
) => Problem[];

const CHECKERS: { readonly [T in Type['is']]: Checker<T> } = {
  text: (site, node, type, _, chunk) => checkText(site, node, type.choices, chunk),
  sql: (site, node, _, isScript) =>
    node.kind === 'scalar' || isScript
      ? []
      : [{ ...wrongType(node, 'SQL text'), severity: isUnreadSql(site, node) ? 'warning' : undefined }],
  reference: (site, node, _, isScript) => {
    if (isPathOfFilter(site, node)) return [noMember(node, 'number')];
    if (isScript && site.key === 'key' && site.parent?.shape === 'dimension') return checkKeyValue(node);
    return isScript ? checkParent(site, node) : checkReferenceValue(site, node);
  },
  boolean: (site, node, _, __, chunk) =>
    node.kind === 'scalar' ? checkBoolean(site, node, chunk) : [wrongType(node, 'true or false')],
  number: (_, node, __, isScript) =>
    node.kind === 'scalar' && (scalarType(node) === 'number' || (isScript && isComputedText(node)))
      ? []
      : [wrongType(node, 'a number')],
  list: (site, node, type, isScript) => (isNameOfGroup(node, type) ? [] : checkList(node, type, site, isScript)),
  members: (site, node, _, isScript) => checkMembers(site, node, isScript),
  map: (_, node, type) => (node.kind === 'map' ? [] : [wrongType(node, `a mapping (${nounOf(language[type.shape])})`)]),
  either: (site, node, type) =>
    site.shape !== undefined || type.of.some((option) => fits(node, option))
      ? []
      : [wrongType(node, 'another kind of value')],
  any: () => [],
};

/** Checks one value against its type. */
export function checkValue(site: Site, chunk: Chunk): Problem[] {
  return (chunk.kind === 'script' ? checkYielded(site, chunk) : undefined) ?? checkWritten(site, chunk);
}

/** Checks a value of a script that is not simply written there; undefined if it is, or if nothing is known of it. */
function checkYielded(site: Site, chunk: Chunk): Problem[] | undefined {
  const { node, type } = site;
  const constant = isExpression(type) ? undefined : constantIn(node);
  if (constant)
    return checkValue({ ...site, node: constant }, chunk).map((problem) => ({ ...problem, fix: undefined }));
  const computed = kindOfComputed(node);
  if (computed) return checkComputed(site, computed);
  return isUndefined(node) ? checkUndefined(site) : undefined;
}

function checkWritten(site: Site, chunk: Chunk): Problem[] {
  const { node, type } = site;
  const isScript = chunk.kind === 'script';
  if (node.kind === 'opaque' || (node.kind === 'scalar' && (node.style === 'code' || isDynamic(node.value)))) return [];
  // The table has a checker for each kind of type; the compiler cannot see that this one fits.
  const check = CHECKERS[type.is] as Checker<Type['is']>;
  const problems = check(site, node, type, isScript, chunk);
  return isScript && node.kind === 'scalar' && node.style !== 'plain'
    ? problems.map((each) => quoted(each, node))
    : problems;
}

/** Checks for a type whose value the engine reads as an expression on the model, in which a name may be that of a member. */
function isExpression(type: Type): boolean {
  const options = type.is === 'either' ? type.of : [type.is === 'list' ? type.of : type];
  return options.some(({ is }) => is === 'sql' || is === 'reference');
}

/** Reports `undefined` where the engine resolves a reference while the model is loaded; elsewhere the key counts as missing. */
function checkUndefined(site: Site): Problem[] {
  const { key, type, node, parent } = site;
  if (!site.pair) return isMissingItem(site) ? [missingItem(node)] : [];
  // The engine asks whether a granularity has the key, whatever it holds.
  if (key === 'origin' && parent?.shape === 'granularity') return [wrongType(node, 'text')];
  const isReference = type.is === 'reference' || (type.is === 'list' && type.of.is === 'reference');
  const isRead = key !== 'extends' && !isUnresolved(key, parent) && !resolvesLate(parent);
  return isReference && isRead ? [wrongType(node, 'a reference')] : [];
}

/** Checks for references that the engine does not resolve. */
function isUnresolved(key: string | undefined, { shape, node }: Partial<Site> = {}): boolean {
  if (shape === 'measure') return key === 'drill_member_references';
  const isInStage =
    node?.kind === 'map' && node.pairs.some((pair) => canonicalKey('dimension', pair.key.value) === 'multi_stage');
  return shape === 'dimension' && key === 'add_group_by' && !isInStage;
}

/** Checks for an item of a list that the engine needs. */
function isMissingItem({ node, type, parent }: Site): boolean {
  if (parent?.node.kind !== 'seq' || type.is === 'any') return false;
  if (type.is !== 'reference') return true;
  return !resolvesLate(parent) && !(isHole(node) && SKIPS_HOLES.has(parent.key ?? ''));
}

/** Lists of references in which the engine passes over what is missing between two commas. */
const SKIPS_HOLES = new Set(['group_by', 'reduce_by', 'add_group_by', 'levels']);

/** Returns a problem whose fix keeps the quotes of the value that it replaces. */
function quoted(problem: Problem, { start, end }: ScalarNode): Problem {
  const { fix, code } = problem;
  if (!fix || !/^(?:bad-value|bad-format|deprecated)$/.test(code) || fix.start !== start || fix.end !== end)
    return problem;
  return { ...problem, fix: { ...fix, start: start + 1, end: end - 1 } };
}

function fits(node: TreeNode, type: Type): boolean {
  if (type.is === 'map') return node.kind === 'map';
  if (type.is === 'list') return node.kind === 'seq';
  return node.kind === 'scalar';
}

/** Shapes whose own `sql` the engine reads while it compiles. */
const READ_SQL = new Set(['dimension', 'measure', 'segment']);

/** Checks for a mapping or list where SQL is expected: the engine compiles the model, but its queries fail. */
function isUnreadSql({ parent }: Site, node: TreeNode): boolean {
  let isPlain = true;
  walk(node, (item) => {
    if (item.kind === 'scalar' && scalarType(item) === 'null') isPlain = false;
    if (item.kind === 'map' && item.pairs.some(({ value }) => !value)) isPlain = false;
    if (item.kind === 'seq' && item.items.includes(undefined)) isPlain = false;
  });
  if (node.kind !== 'seq' || node.items.length === 0) return isPlain;
  const isRead = READ_SQL.has(parent?.shape ?? '');
  return node.items.every(
    (item) => item?.kind === 'scalar' && isText(item) && (!isRead || (parent && mayBeMember(parent, item.value))),
  );
}

/**
 * Checks whether a name may be that of a member of the same entity, which the engine resolves. References have their own check.
 */
function mayBeMember(site: Site, name: string): boolean {
  if (/[{.]/.test(name)) return true;
  let root = site;
  while (root.parent) root = root.parent;
  let isThere = false;
  walk(root.node, (item) => {
    if (item.kind === 'map' && textOf(item, 'name') === name) isThere = true;
  });
  return isThere;
}

function isText(node: ScalarNode): boolean {
  return scalarType(node) === 'string';
}

/** Keys whose reference is resolved while the model is loaded. */
const FOLLOWED = new Set(['extends', 'key']);

/** Checks for the text `true` as a parent: the engine evaluates it, and then has no cube to inherit from. */
function isTrueAsParent({ key }: Site, node: ScalarNode): boolean {
  return key === 'extends' && node.value === 'true' && isText(node);
}

/**
 * Checks whether the engine follows a value as a join path. A mapping leads to no cube, which matters only if members are listed.
 */
function isWalkedPath({ key, parent }: Site, node: TreeNode): boolean {
  if (key !== 'join_path') return false;
  if (node.kind !== 'map' || parent?.shape !== 'viewCube' || parent.node.kind !== 'map') return true;
  const includes = findPair(parent.node, 'includes')?.value;
  return includes?.kind !== 'seq' ? includes?.kind !== 'scalar' : includes.items.length > 0;
}

/** Checks for a number with a point in place of a row filter's member: the engine takes it for a path, which it refuses there. */
function isPathOfFilter({ key, parent }: Site, node: TreeNode): node is ScalarNode {
  if (key !== 'member' || parent?.shape !== 'rowFilter' || node.kind !== 'scalar') return false;
  return scalarType(node) === 'number' && String(Number(node.value)).includes('.');
}

function noMember(node: ScalarNode, kind: string): Problem {
  return {
    ...wrongType(node, 'a reference'),
    message: `\`${node.value}\` is a ${kind}: write the name of a member.`,
  };
}

/** Checks for a list in place of one reference that the engine cannot read: it reads each item as an expression. */
function isUnreadableList(node: TreeNode): boolean {
  if (node.kind !== 'seq') return false;
  return node.items.some((item) => {
    if (item?.kind === 'scalar')
      return !isDynamic(item.value) && (isText(item) ? isUnreadableItem(item.value) : !isNull(item));
    return item?.kind === 'map' || (item?.kind === 'seq' && item.items.length > 0);
  });
}

function checkReferenceValue(site: Site, node: TreeNode): Problem[] {
  const isItem = site.parent?.node.kind === 'seq';
  const isRead = isItem || FOLLOWED.has(site.key ?? '') || isWalkedPath(site, node) || isUnreadableList(node);
  if (node.kind !== 'scalar') return [{ ...wrongType(node, 'a reference'), severity: isRead ? undefined : 'warning' }];
  const kind = scalarType(node);
  if (isTrueAsParent(site, node)) return [wrongType(node, 'the name of a cube')];
  if (kind === 'string' || kind === 'null' || !(isItem || FOLLOWED.has(site.key ?? ''))) return [];
  return [noMember(node, kind)];
}

/** Checks for the name of one view group in place of a list of them. */
function isNameOfGroup(node: TreeNode, type: Type): boolean {
  return node.kind === 'scalar' && isText(node) && node.value !== '' && isNamesOfGroups(type);
}

function checkList(node: TreeNode, type: Type & { readonly is: 'list' }, site: Site, isScript: boolean): Problem[] {
  if (node.kind === 'seq' && !(isScript && isNeverCalled(site, node)))
    return type.min !== undefined && node.items.length < type.min && !node.open
      ? [wrongType(node, 'a list with at least one item')]
      : [];
  if (isScript) return checkScriptList(node, type, site);
  if (PASSED_OVER.has(site.key ?? '') && isNothing(node)) return [];
  if (node.kind === 'scalar' && isSingle(site, node, type.of)) return [];
  return [{ ...wrongType(node, 'a list'), severity: isUnread(node, type, site) ? 'warning' : undefined }];
}

/** Lists that the engine ignores in a script when they are empty. */
const PASSED_OVER_IN_SCRIPTS = new Set(['access_policy', 'cubes']);

function checkScriptList(node: TreeNode, type: Type & { readonly is: 'list' }, site: Site): Problem[] {
  if (isNeverCalled(site, node)) return [wrongType(node, 'a function (better: `drill_members`, as a list)')];
  if (isOptionalList(node, type, site)) return [];
  if (isNull(node)) return [wrongType(node, 'a list')];
  // An empty text has no names in it.
  if (site.key === 'unless' && node.kind === 'scalar' && node.value === '') return [];
  const isGroup = site.parent?.shape === 'viewGroup';
  const isIgnored = (!isGroup && isUnread(node, type, site)) || isEmptyLevel(node, site);
  return [{ ...wrongType(node, 'a list'), severity: isIgnored ? 'warning' : undefined }];
}

/** Checks for an old list of references in a spelling of which the engine does not make a function. */
function isNeverCalled({ pair }: Site, node: TreeNode): boolean {
  return pair?.key.value === 'drill_member_references' && !(node.kind !== 'opaque' && node.isResult === true);
}

/** Checks for something other than a list that the engine accepts in a script. */
function isOptionalList(node: TreeNode, { of }: Type & { readonly is: 'list' }, site: Site): boolean {
  const { key = '', parent } = site;
  // The reference to the view is checked like any other.
  if (key === 'views' && parent?.shape === 'viewGroup' && node.kind === 'scalar' && scalarType(node) === 'string')
    return node.value !== '';
  if (PASSED_OVER_IN_SCRIPTS.has(key) && isNothing(node)) return true;
  if (isNull(node)) return mayBeNull(site, of);
  return (node.kind === 'scalar' && isSingle(site, node, of)) || (parent?.shape === 'rowFilter' && key === 'values');
}

function isEmptyLevel(node: TreeNode, { parent }: Site): boolean {
  return parent?.shape === 'hierarchy' && node.kind === 'scalar' && node.value === '';
}

/** Checks whether the engine reads a missing value as an empty list in a script. */
function mayBeNull({ key, parent }: Site, { is }: Type): boolean {
  return isUnresolved(key, parent) || is === 'any' || (is === 'reference' && LOOSE_REFERENCES.has(parent?.shape ?? ''));
}

/** Checks for a list of references that is a single expression; the engine reads it as one. */
function isSingle(site: Site, node: ScalarNode, { is }: Type): boolean {
  if (is === 'reference') return site.parent?.shape !== 'hierarchy';
  return is === 'any' && !isListOnly(site, node);
}

/** Checks for values that are read while the model is loaded and must be a list then; an expression may yield one. */
function isListOnly({ parent }: Site, node: ScalarNode): boolean {
  const isExpression = scalarType(node) !== 'number' && /[{(.]/.test(node.value);
  return parent?.shape === 'stageCondition' || (parent?.shape === 'defaultFilter' && !isExpression);
}

/**
 * Checks for a value that the engine ignores: a mapping instead of a list of references, or anything except a list in a view
 * group. It reads the levels of a hierarchy where a view includes it (`view-hierarchies.ts`).
 */
function isUnread(node: TreeNode, { of }: Type & { readonly is: 'list' }, { parent }: Site): boolean {
  if (parent?.shape === 'viewGroup') return true;
  if (parent?.shape === 'hierarchy') return node.kind === 'map' || (node.kind === 'scalar' && node.value !== '');
  return node.kind === 'map' && of.is === 'reference';
}

function checkMembers(site: Site, node: TreeNode, isScript: boolean): Problem[] {
  if (isScript && site.key !== 'joins') return checkScriptMembers(site, node);
  if (node.kind === 'seq')
    return node.items.flatMap((item) =>
      isScript && item && isNoObject(item) ? [wrongType(item, 'an object')] : checkMember(item),
    );
  if (isScript && node.kind === 'map' && !node.open) return node.pairs.flatMap(leftOutJoin);
  if (isScript) return checkScriptMembers(site, node);
  // The engine reads a missing value as an empty list.
  if (isNothing(node)) return [];
  const isNested = site.key === 'indexes' || site.key === 'granularities';
  return [
    wrongType(
      node,
      isNested ? 'a list of mappings with `name`' : 'a list: put `- name: …` in front of each definition',
    ),
  ];
}

/** Reports a join whose value is not written as an object, such as a name of one: the engine ignores it. */
function leftOutJoin({ key, value }: Pair): Problem[] {
  if (!value || (value.kind === 'map' && !value.isResult)) return [];
  const message = `The engine ignores the join to \`${key.value}\`: write its value here as an object, \`{ relationship, sql }\`.`;
  return [{ code: 'wrong-type', severity: 'warning', start: key.start, end: key.end, message }];
}

function checkScriptMembers({ key }: Site, node: TreeNode): Problem[] {
  const isNested = key === 'granularities' || key === 'indexes';
  if (node.kind === 'seq')
    return node.items.some((item) => item && !isHole(item)) || node.open || isNested
      ? [wrongType(node, 'an object: `{ name: { … } }`')]
      : [];
  // A text is taken apart into characters; of other values the engine finds no members.
  if (node.kind === 'scalar')
    return isNested || (scalarType(node) === 'string' && node.value !== '') ? [wrongType(node, 'an object')] : [];
  if (node.kind !== 'map') return [];
  return node.pairs.flatMap(({ value }) => (value && isNoObject(value) ? [wrongType(value, 'an object')] : []));
}

/** Checks for a value of a script that is certainly no object: only the engine knows what a call or a name yields. */
function isNoObject(node: TreeNode): boolean {
  const kind = kindOfComputed(node);
  if (kind) return kind !== 'object' && kind !== 'map';
  if (constantIn(node)) return true;
  if (node.kind !== 'scalar') return node.kind === 'seq';
  return node.style !== 'code' || LITERAL.test(node.value);
}

const LITERAL = /^(?:null|undefined|NaN|Infinity|true|false|-?\d[\d.]*)$/;

function checkMember(item: TreeNode | undefined): Problem[] {
  if (
    !item ||
    item.kind === 'map' ||
    item.kind === 'opaque' ||
    (item.kind === 'scalar' && (item.style === 'code' || isDynamic(item.value)))
  )
    return [];
  return [wrongType(item, 'a mapping with a `name`')];
}
