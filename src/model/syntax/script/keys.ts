import type { AnyNode, Property } from 'acorn';
import { accessorOf, isOfUnknown } from './accessors.ts';
import { asText } from './as-text.ts';
import { lengthOf } from './methods.ts';
import {
  type ClassValue,
  type Evaluation,
  mayBe,
  nothing,
  type ObjectValue,
  type Range,
  type Scope,
  unknown,
  UNNAMED,
  type Value,
} from './value.ts';

/** Returns the name of a key, which code in brackets may yield; undefined if it is not known. */
export function keyOf(
  { key, computed }: { readonly key: AnyNode; readonly computed: boolean },
  scope: Scope,
  evaluation: Evaluation,
): string | undefined {
  if (!computed && key.type === 'Identifier') return key.name;
  const value = evaluation.value(key, scope);
  return value.is === 'primitive' && typeof value.value === 'object' ? undefined : asText(value);
}

/** Returns the pattern of a key of which some is known. */
export function keyPatternOf(
  { key, computed }: { readonly key: AnyNode; readonly computed: boolean },
  scope: Scope,
  evaluation: Evaluation,
): string | undefined {
  const value = computed ? evaluation.value(key, scope) : undefined;
  return value?.is === 'unknown' ? value.pattern : undefined;
}

/** Returns what a value holds under a key. */
export function heldUnder(value: Value, key: string | undefined, node: AnyNode, evaluation: Evaluation): Value {
  if (key === undefined) return unknown(node);
  const length = key === 'length' ? lengthOf(value) : undefined;
  if (length !== undefined) return { is: 'primitive', value: length, node };
  switch (value.is) {
    case 'list':
      return (/^\d+$/.test(key) ? value.items[Number(key)] : undefined) ?? unknown(node);
    case 'class':
      return heldByClass(value, key, node, evaluation);
    case 'object':
      return heldByObject(value, key, node, evaluation);
    default:
      return unknown(node);
  }
}

function heldByObject(value: ObjectValue, key: string, node: AnyNode, evaluation: Evaluation): Value {
  const hidden = value.hidden?.get(key);
  if (hidden) return hidden;
  const entry = value.entries.get(key);
  if (entry && key !== UNNAMED) return entry.isSure ? withSelf(entry.value, value) : unknown(node);
  if (value.isOpen || [...value.entries.keys()].some((each) => mayBe(each, key))) return unknown(node);
  if (value.instanceOf) return heldByInstance(value, value.instanceOf, key, node, evaluation);
  return key in {} ? unknown(node) : nothing(node);
}

function heldByInstance(
  value: ObjectValue,
  made: ClassValue,
  key: string,
  node: AnyNode,
  evaluation: Evaluation,
): Value {
  const getter = accessorOf(made, key, 'get', evaluation);
  if (getter) return evaluation.apply({ is: 'function', ...getter, self: value }, [], node);
  const method = accessorOf(made, key, 'method', evaluation);
  if (method) return { is: 'function', ...method, self: value };
  return isOfUnknown(made) || key in {} ? unknown(node) : nothing(node);
}

function heldByClass(value: ClassValue, key: string, node: AnyNode, evaluation: Evaluation): Value {
  const held = value.statics.get(key);
  if (value.isOpen) return unknown(node);
  // Every class is a function.
  if (!held) return key in Object ? unknown(node) : nothing(node);
  const own = withSelf(held, value);
  if (!value.getters.has(key)) return own;
  return own.is === 'function' ? evaluation.apply(own, [], node) : unknown(node);
}

/** Returns a value as one of the object that holds it, which `this` is if it is a function. */
function withSelf(value: Value, self: Value): Value {
  return value.is === 'function' ? { ...value, self } : value;
}

/** Checks for names with dots between them, which are looked up without an effect. */
export function isPath(node: AnyNode): boolean {
  if (node.type === 'MemberExpression') return !node.computed && isPath(node.object);
  return node.type === 'Identifier' || node.type === 'ThisExpression';
}

/** Checks for SQL that the engine makes a function, which it does within these brackets. */
export function isWrapped(property: Property, brackets: readonly Range[]): boolean {
  const { key } = property;
  return key.type === 'Identifier' && /^sql(?:_table|Table)?$/.test(key.name) && isWithin(property, brackets);
}

/** Checks for code within the brackets of a definition. */
export function isWithin({ start }: Range, brackets: readonly Range[]): boolean {
  return brackets.some((range) => range.start <= start && start < range.end);
}
