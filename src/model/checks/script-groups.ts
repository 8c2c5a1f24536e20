import { append } from '#base/long-lists.ts';
import { GROUP_SHAPES } from '#model/language/group-shapes.ts';
import { camelize } from '#model/language/camelize.ts';
import { canonicalKey } from '#model/language/language.ts';
import type { Problem } from '../codes.ts';
import type { Chunk } from '../file.ts';
import type { ModelIndex } from '../index.ts';
import type { EntitySymbol } from '../symbols.ts';
import type { Entity } from '../syntax/entity.ts';
import { findPair, type MapNode, type Pair, type ScalarNode, scalarType, type TreeNode } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { isInside, isOtherFunction, notCalled } from './evaluated-names.ts';
import { unreadableForm } from './script-accessors.ts';
import { constantIn, isUndefined, kindOfComputed } from './script-values.ts';
import { isNamesOfGroups } from './texts.ts';
import { isComputedText, wrongType } from './wrong-type.ts';

/**
 * What a script gives for the groups of a view and the views of a group. The engine makes a function of most of it, calls it, and
 * takes the texts of what it yields for names (docs/model-language.md#view-groups).
 */

/** A value that the engine takes for a name; one without `name` can never be one. */
interface Given {
  readonly node: TreeNode;
  readonly name?: string;
}

/** Checks for a value, or a part of one, that is judged by the names that it yields and not by its type. */
export function isGroupValue(site: Site, entity: Entity, chunk: Chunk): boolean {
  if (chunk.kind !== 'script') return false;
  const { pair, parent, node } = site;
  if (isEvaluated(site) && isCalled(pair, entity)) return true;
  if (parent && isEvaluated(parent)) return isGroupValue(parent, entity, chunk);
  return isIncluded(site, false) && (isName(node) || kindOfComputed(node) === 'function');
}

/** Checks for an item that a function in place of the `includes` of a group yields: only the names among them are judged. */
export function isOfGroupFunction(site: Site, { kind }: Chunk): boolean {
  return kind === 'script' && isIncluded(site, true);
}

/** Reports names that no view or group has, and values that can never be one. */
export function checkGroupNames({ kind, entity, chunk, references }: EntitySymbol, index: ModelIndex): Problem[] {
  if (chunk.kind !== 'script' || kind === 'cube') return [];
  const { node } = entity;
  const evaluated = pairsUnder(node, kind, kind === 'view' ? ['view_group', 'view_groups'] : ['views']);
  const given = evaluated.flatMap((pair) => (pair.value && isCalled(pair, entity) ? called(pair.value, chunk) : []));
  if (kind === 'viewGroup') append(given, includedIn(node, chunk));
  const target = kind === 'view' ? 'view group' : 'view';
  const names = given.flatMap((each): Problem[] => {
    if (each.name === undefined) return [noName(each.node, target)];
    if (
      index.mayHave(each.name) ||
      references.some(({ node: { start, style } }) => start === each.node.start && style !== 'code')
    )
      return [];
    const isThere = kind === 'view' ? index.viewGroup(each.name) : index.entity(each.name)?.kind === 'view';
    return isThere ? [] : [unknownName(each.node, each.name, target)];
  });
  return [...evaluated.flatMap(misread), ...names];
}

/** Reports a method, whose parameters the engine cannot read, and the value of a getter, which it takes as it is. */
function misread({ key, value, written }: Pair): Problem[] {
  if (written === 'method') return [unreadableForm(key, written)];
  if (written !== 'getter' || !value) return [];
  const isText = value.kind === 'scalar' && value.style !== 'code';
  const isOne = camelize(key.value) === 'viewGroup';
  if (isOne ? value.kind !== 'seq' : !isText) return [];
  return [wrongType(value, isOne ? 'text' : 'a list')];
}

function noName(node: TreeNode, target: string): Problem {
  return kindOfComputed(node) === 'function' ? notCalled(node) : wrongType(node, `the name of a ${target}`);
}

function unknownName({ start, end }: TreeNode, name: string, target: string): Problem {
  return { code: 'unknown-reference', start, end, message: `There is no ${target} \`${name}\`.` };
}

/** Checks for a value that the engine makes a function of, and whose result it turns into names. */
function isEvaluated({ key, type, parent }: Site): boolean {
  return (key === 'views' && parent?.shape === 'viewGroup') || (key !== undefined && isNamesOfGroups(type));
}

/** Checks for a value of which the engine makes a function. */
function isCalled(pair: Pair | undefined, entity: Entity): boolean {
  return pair?.value !== undefined && pair.written === undefined && isInside(pair.value, entity);
}

/** Checks for an item of the list that a group includes, as it is written there or (`ofFunction`) as a function yields it. */
function isIncluded({ parent }: Site, ofFunction: boolean): boolean {
  if (parent?.node.kind !== 'seq' || (parent.node.isResult === true) !== ofFunction) return false;
  return parent.key === 'includes' && GROUP_SHAPES.has(parent.parent?.shape ?? '');
}

function pairsUnder({ pairs }: MapNode, shape: 'view' | 'viewGroup', keys: readonly string[]): readonly Pair[] {
  return pairs.filter(({ key }) => keys.includes(canonicalKey(shape, key.value) ?? ''));
}

/** Returns what a value yields that the engine makes a function of. */
function called(value: TreeNode, chunk: Chunk): readonly Given[] {
  const result = resultOf(value);
  if (result) return namesIn(result, chunk);
  // A function whose result is not known; of another one the engine takes the code for a name.
  if (value.kind === 'opaque' && value.yields === 'function')
    return isOtherFunction(value, chunk) ? [{ node: value }] : [];
  return namesIn(value, chunk);
}

/** Returns what an arrow function yields, as if it were written there; undefined for other values. */
function resultOf(value: TreeNode): TreeNode | undefined {
  if (value.kind !== 'opaque') return value.isResult === true ? { ...value, isResult: undefined } : undefined;
  return value.result && { ...value, yields: value.result, result: undefined };
}

function namesIn(value: TreeNode, chunk: Chunk): readonly Given[] {
  if (value.kind !== 'seq') return nameOf(value, chunk);
  return value.items.flatMap((item) => (item ? nameOf(item, chunk) : []));
}

/** Returns what the engine takes a value for; empty if that is not known, or if it is written as a name. */
function nameOf(value: TreeNode, chunk: Chunk): readonly Given[] {
  const kind = kindOfComputed(value);
  if (kind) return NAMELESS.has(kind) ? [{ node: value }] : [];
  const known = constantIn(value) ?? value;
  if (known.kind === 'opaque') return [];
  if (known.kind === 'map') return [{ node: value }];
  if (known.kind === 'seq') return nameOfList(known, chunk);
  if (isUndefined(known) || (known.style === 'plain' && scalarType(known) !== 'string')) return [{ node: value }];
  if (known.style === 'code' || isComputedText(known)) return [];
  return [known.value === '' ? { node: value } : { node: value, name: known.value }];
}

/** A list among the names is a text as well: that of its only item, or an empty one. */
function nameOfList(list: TreeNode & { readonly kind: 'seq' }, chunk: Chunk): readonly Given[] {
  const [item, ...more] = list.items;
  if (list.open || more.length > 0) return [];
  return item && !isUndefined(item) ? nameOf(item, chunk) : [{ node: list }];
}

const NAMELESS: ReadonlySet<string> = new Set(['function', 'number', 'boolean', 'bigint', 'map', 'instance', 'regexp']);

/** Returns what a group includes, and the groups within it. */
function includedIn(group: MapNode, chunk: Chunk): readonly Given[] {
  const value = findPair(group, 'includes')?.value;
  if (!value) return [];
  const result = resultOf(value);
  if (!result) return value.kind === 'seq' ? value.items.flatMap((item) => included(item, chunk)) : [];
  return result.kind === 'seq'
    ? result.items.flatMap((item) => (item ? yielded(item, chunk) : []))
    : yielded(result, chunk);
}

/** Returns the names of an item that is written in the list of a group: the engine makes a function of a name in it. */
function included(item: TreeNode | undefined, chunk: Chunk): readonly Given[] {
  if (!item) return [];
  if (item.kind === 'map' && item.isResult !== true) return includedIn(item, chunk);
  return isName(item) ? namesIn(item, chunk) : yielded(item, chunk);
}

/** Returns the names of a value that is not evaluated: the engine passes over all but texts and functions. */
function yielded(value: TreeNode, chunk: Chunk): readonly Given[] {
  const result = resultOf(value);
  if (result) return namesIn(result, chunk);
  const isText = kindOfComputed(value) === undefined && (constantIn(value) ?? value).kind === 'scalar';
  return isText ? nameOf(value, chunk).filter(({ name, node }) => name !== undefined || isEmptyText(node)) : [];
}

function isEmptyText(node: TreeNode): boolean {
  const known = constantIn(node) ?? node;
  return known.kind === 'scalar' && known.value === '' && known.style !== 'plain';
}

/** Checks for a name on its own, which may be that of a view or of a variable. */
function isName(node: TreeNode): node is ScalarNode {
  return node.kind === 'scalar' && node.isResult !== true && node.style === 'code' && /^[\w$]+$/.test(node.value);
}
