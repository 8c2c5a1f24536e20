import {
  type AnyNode,
  type ArrayExpression,
  type ArrowFunctionExpression,
  type Expression,
  type Literal,
  type ObjectExpression,
  type Property,
  type TemplateLiteral,
} from 'acorn';
import { full } from 'acorn-walk';
import { isKnownKey } from '#model/language/language.ts';
import { resultOf } from '#model/syntax/unwrapped-sql.ts';
import type { Primitive } from './outcome.ts';
import { withoutNestedLists } from './nested-names.ts';
import type { FunctionNode } from './value.ts';
import type { Values } from './values.ts';
import type { MapNode, OpaqueNode, Pair, ScalarNode, TreeNode, Yielded } from '#model/syntax/tree.ts';

/** What the conversion of a script's expressions needs and notes. */
export interface Source {
  readonly text: string;
  /** Start offsets of arrow functions whose body was read as a value. */
  readonly arrows: Set<number>;
  readonly values: Values;
  /** The files that the script imports, whose code lies behind its own. */
  readonly files?: readonly { readonly start: number; readonly end: number; readonly source: Source }[];
}

/** Returns the source of the file that a node belongs to. */
export function sourceOf(source: Source, { start }: { readonly start: number }): Source {
  return source.files?.find((file) => file.start <= start && start < file.end)?.source ?? source;
}

/** Keys whose value is always SQL. */
const SQL = new Set(['sql', 'sql_table', 'sqlTable']);

/** Keys of views and groups whose values the engine turns into names. */
const NAMES = new Set(['views', 'view_group', 'viewGroup', 'view_groups', 'viewGroups', 'unless']);

/** Converts an expression to the node that YAML would have in its place. */
export function convert(node: Expression, source: Source): TreeNode {
  const { start, end } = node;
  const { text } = source;
  switch (node.type) {
    case 'ObjectExpression':
      return convertObject(node, source);
    case 'ArrayExpression':
      return convertArray(node, source);
    case 'Literal':
      return literal(node, source);
    case 'TemplateLiteral':
      return template(node, source);
    case 'Identifier':
    case 'MemberExpression':
      return code(node, source);
    case 'ArrowFunctionExpression':
      return convertArrow(node, source);
    case 'UnaryExpression':
      return node.operator === '-' && node.argument.type === 'Literal'
        ? { kind: 'scalar', start, end, style: 'plain', value: text.slice(start, end) }
        : unreadable(node, source);
    default:
      return unreadable(node, source);
  }
}

function template(node: TemplateLiteral, source: Source): ScalarNode {
  const { start, end, quasis, expressions } = node;
  if (expressions.length === 0)
    return { kind: 'scalar', start, end, style: 'template', value: quasis[0]?.value.cooked ?? '' };
  const yields = yieldOf(node, source);
  const value = source.text.slice(start + 1, end - 1);
  // Every template is a text.
  return {
    kind: 'scalar',
    start,
    end,
    style: 'template',
    value,
    yields: typeof yields === 'object' ? yields : undefined,
  };
}

function convertArray({ start, end, elements }: ArrayExpression, source: Source): TreeNode {
  const items = elements.map((item): TreeNode | undefined => {
    if (item?.type === 'ChainExpression' && isNamedPath(item.expression, source)) return pathCode(item, source);
    if (item) return item.type === 'SpreadElement' ? undefined : convert(item, source);
    return { kind: 'scalar', start, end: start + 1, style: 'code', value: 'undefined' };
  });
  return { kind: 'seq', start, end, flow: true, items, open: elements.some((item) => item?.type === 'SpreadElement') };
}

/** Converts `(CUBE) => …` to its result; a function with more statements than its `return` is not read. */
function convertArrow(node: ArrowFunctionExpression, source: Source): TreeNode {
  const result = node.async ? undefined : resultOf(node);
  if (!result) return node.async || !yieldsNothing(node) ? unreadable(node, source) : noResult(node);
  source.arrows.add(node.start);
  const read = convert(result, source);
  return read.kind === 'opaque' ? { ...read, yields: 'function', result: read.yields } : { ...read, isResult: true };
}

/** Checks for a function without a result: `() => {}`, `() => { return; }`. */
function yieldsNothing({ body }: ArrowFunctionExpression): boolean {
  if (body.type !== 'BlockStatement') return false;
  const [first] = body.body;
  return first === undefined || (first.type === 'ReturnStatement' && !first.argument);
}

function noResult({ start, end }: Expression): ScalarNode {
  return { kind: 'scalar', start, end, style: 'code', value: 'undefined', isResult: true };
}

/** Returns the node of an expression that cannot be read as written. */
function unreadable(node: Expression, source: Source): OpaqueNode {
  return { kind: 'opaque', start: node.start, end: node.end, yields: yieldOf(node, source) };
}

function yieldOf(node: Expression, { values }: Source): Yielded | undefined {
  const outcome = values.of(node);
  return outcome && ('kind' in outcome ? outcome.kind : scalarOf(outcome.value, node));
}

/** Returns a value as if it were written in the place of the expression that yields it. */
function scalarOf(value: Primitive, { start, end }: Expression): Yielded {
  if (typeof value === 'string') return { kind: 'scalar', start, end, style: 'double', value };
  if (typeof value === 'number' && !Number.isFinite(value)) return 'number';
  return { kind: 'scalar', start, end, style: value === undefined ? 'code' : 'plain', value: String(value) };
}

/** Converts SQL that code assembles to an open list of the templates, paths and names in it, which may or may not be used. */
function computedSql(node: AnyNode, source: Source): TreeNode {
  const { start, end } = node;
  const pieces: Expression[] = [];
  full(node, (found, _, type) => {
    if (type === 'TemplateLiteral' || type === 'MemberExpression' || type === 'Identifier')
      pieces.push(found as Expression);
  });
  pieces.sort((a, b) => a.start - b.start || b.end - a.end);
  const items: ScalarNode[] = [];
  for (const piece of pieces) {
    const read = isNamedPath(piece, source) ? pathCode(piece, source) : convert(piece, source);
    // The contents of a template are read with it.
    if (read.kind === 'scalar' && piece.start >= (items.at(-1)?.end ?? 0)) items.push(read);
  }
  return items.length === 0
    ? { kind: 'opaque', start, end }
    : { kind: 'seq', start, end, flow: true, items, open: true };
}

/** Paths whose names are written: `a.b`, `a?.b`, `a['b']`. */
const NAMED_PATH = /^[\w$]+(?:\s*\??\.\s*[\w$]+|(?:\?\.)?\[\s*(["'`])[\w$]+\1\s*\])+$/;

function isNamedPath({ type, start, end }: Expression, { text }: Source): boolean {
  return type === 'MemberExpression' && NAMED_PATH.test(text.slice(start, end));
}

function pathCode({ start, end }: Expression, { text }: Source): ScalarNode {
  return { kind: 'scalar', start, end, style: 'code', value: text.slice(start, end) };
}

function literal(node: Literal, source: Source): TreeNode {
  const { value, start, end } = node;
  const { text } = source;
  if (typeof value === 'string')
    return { kind: 'scalar', start, end, style: text[start] === "'" ? 'single' : 'double', value };
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return { kind: 'scalar', start, end, style: 'plain', value: text.slice(start, end) };
  return unreadable(node, source);
}

/** Converts an identifier or a dotted path; anything computed is opaque. */
function code(node: Expression, source: Source): TreeNode {
  const { start, end } = node;
  const value = source.text.slice(start, end);
  return /^[\w$]+(?:\s*\.\s*[\w$]+)*$/.test(value)
    ? { kind: 'scalar', start, end, style: 'code', value: value.replaceAll(/\s/g, ''), yields: yieldOf(node, source) }
    : unreadable(node, source);
}

/** Converts the object of a definition. */
export function convertObject(node: ObjectExpression, source: Source): MapNode {
  const pairs: Pair[] = [];
  let open = false;
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      if (!isNothing(property.argument, source)) open = true;
      continue;
    }
    const pair = convertProperty(property, source);
    if (pair) pairs.push(pair);
    else open = true;
  }
  return { kind: 'map', start: node.start, end: node.end, flow: true, pairs, open };
}

/** Checks for `...null`, which adds nothing. */
function isNothing(spread: Expression, { values }: Source): boolean {
  const outcome = values.of(spread);
  return outcome !== undefined && 'value' in outcome && typeof outcome.value !== 'string';
}

/** Converts a property of an object; undefined if its key or its value has no place in a tree. */
export function convertProperty(property: Property, source: Source): Pair | undefined {
  const { value, end, kind } = property;
  const name = kind === 'set' || isPrototype(property) ? undefined : keyNode(property, source);
  if (!name) return undefined;
  const written = writtenAs(property);
  const result = kind === 'get' ? resultOf(value) : value;
  if (name.value === 'joins' && value.type === 'ObjectExpression')
    return { key: name, value: joinsIn(value, source), end, written };
  // The value of a getter with more statements than its `return` is unknown.
  const read: TreeNode = result
    ? convert(withoutAsync(result, name.value), source)
    : { kind: 'opaque', start: value.start, end: value.end };
  const isSql = read.kind === 'opaque' && SQL.has(name.value);
  const converted = isSql ? computedSql(value, source) : NAMES.has(name.value) ? withoutNestedLists(read) : read;
  return { key: name, value: converted, end, written };
}

/** Code that may be SQL wherever it is written. */
export type SqlNode = FunctionNode | TemplateLiteral;

/** Converts SQL that is not written under a key of SQL. */
export function convertSql(node: SqlNode, source: Source): TreeNode {
  const read = node.type === 'FunctionDeclaration' ? undefined : convert(node, source);
  return read && read.kind !== 'opaque' ? read : computedSql(node, source);
}

/** Returns the views of a group as the engine calls them: it makes a function of its own from the body of an `async` one. */
function withoutAsync(value: Expression, key: string): Expression {
  return key === 'views' && value.type === 'ArrowFunctionExpression' && value.async
    ? { ...value, async: false }
    : value;
}

/** Returns whether a property is written as a getter or as a method. */
export function writtenAs({ kind, method }: Property): Pair['written'] {
  return kind === 'get' ? 'getter' : method ? 'method' : undefined;
}

/** Converts joins, of which the engine takes the name in brackets for the name of the cube: `[NAME]` joins to the cube `NAME`. */
function joinsIn(node: ObjectExpression, source: Source): MapNode {
  const map = convertObject(node, source);
  const named = (pair: Pair): Pair =>
    pair.key.style === 'code'
      ? { ...pair, key: { ...pair.key, style: 'plain', value: source.text.slice(pair.key.start, pair.key.end) } }
      : pair;
  return { ...map, pairs: map.pairs.map(named) };
}

/** Checks for `__proto__: …`, whose object the engine reads like further keys. */
function isPrototype({ key, computed, shorthand, method }: Property): boolean {
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : undefined;
  return name === '__proto__' && !computed && !shorthand && !method;
}

/** Returns the key of a property; undefined if code computes it. A constant in brackets is a key like any other. */
function keyNode({ key, computed }: Property, { values }: Source): ScalarNode | undefined {
  const { start, end } = key;
  if (key.type === 'Identifier' && !computed) return { kind: 'scalar', start, end, style: 'plain', value: key.name };
  if (key.type === 'Literal') {
    if (typeof key.value === 'string') return { kind: 'scalar', start, end, style: 'double', value: key.value };
    if (typeof key.value === 'number') return { kind: 'scalar', start, end, style: 'plain', value: String(key.value) };
  }
  // Of other expressions in brackets the engine loses track, and then it takes the references in their value for code.
  const outcome = key.type === 'Identifier' ? values.of(key) : undefined;
  const value = outcome && 'value' in outcome ? outcome.value : undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return isKnownKey(String(value)) ? undefined : { kind: 'scalar', start, end, style: 'code', value: String(value) };
}
