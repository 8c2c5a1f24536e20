import type { AnyNode, Property } from 'acorn';
import { lengthOf } from './script-methods.ts';
import {
  type ClassValue,
  type Evaluation,
  nothing,
  type Range,
  type Scope,
  unknown,
  UNNAMED,
  type Value,
} from './script-value.ts';

/** Returns the name of a key, which code in brackets may yield; undefined if it is not known. */
export function keyOf(
  { key, computed }: { readonly key: AnyNode; readonly computed: boolean },
  scope: Scope,
  evaluation: Evaluation,
): string | undefined {
  if (!computed && key.type === 'Identifier') return key.name;
  const value = evaluation.value(key, scope);
  return value.is === 'primitive' && !(typeof value.value === 'object') ? String(value.value) : undefined;
}

/** Returns what a value holds under a key. */
export function heldUnder(value: Value, key: string | undefined, node: AnyNode, evaluation: Evaluation): Value {
  if (key === undefined) return unknown(node);
  const length = key === 'length' ? lengthOf(value) : undefined;
  if (length !== undefined) return { is: 'primitive', value: length, node };
  if (value.is === 'list') {
    const item = /^\d+$/.test(key) ? value.items[Number(key)] : undefined;
    return item ?? unknown(node);
  }
  if (value.is === 'class') return heldByClass(value, key, node, evaluation);
  if (value.is !== 'object') return unknown(node);
  const entry = value.entries.get(key);
  if (entry && key !== UNNAMED) return entry.isSure ? withSelf(entry.value, value) : unknown(node);
  return value.isOpen || key in {} ? unknown(node) : nothing(node);
}

function heldByClass(value: ClassValue, key: string, node: AnyNode, evaluation: Evaluation): Value {
  const held = value.statics.get(key);
  if (!held || value.isOpen) return unknown(node);
  const own = withSelf(held, value);
  if (!value.getters.has(key)) return own;
  return own.is === 'function' ? evaluation.apply(own, [], node) : unknown(node);
}

/** Returns a value as one of the object that holds it, which `this` is if it is a function. */
function withSelf(value: Value, self: Value): Value {
  return value.is === 'function' ? { ...value, self } : value;
}

/** Checks for SQL that the engine makes a function, which it does within these brackets. */
export function isWrapped({ key, start }: Property, brackets: readonly Range[]): boolean {
  if (key.type !== 'Identifier' || !/^sql(?:_table|Table)?$/.test(key.name)) return false;
  return brackets.some((range) => range.start <= start && start < range.end);
}
