import type { AnyNode, FunctionExpression, PropertyDefinition } from 'acorn';
import { accessorOf } from './accessors.ts';
import { keyOf } from './keys.ts';
import { Unfaithful } from './stops.ts';
import {
  type ClassValue,
  type Evaluation,
  type FunctionValue,
  nothing,
  type ObjectValue,
  opened,
  Scope,
  SELF,
  SUPER,
  type Value,
} from './value.ts';

/** Changes what a value holds under a key; `key`: undefined if it is not known. */
export function changeProperty(
  object: Value,
  key: string | undefined,
  value: Value,
  node: AnyNode,
  evaluation: Evaluation,
): void {
  switch (object.is) {
    case 'object':
      changeObject(object, key, value, node, evaluation);
      return;
    case 'list': {
      const at = key !== undefined && /^\d+$/.test(key) ? Number(key) : undefined;
      if (at === undefined || at > object.items.length) throw new Unfaithful();
      object.items[at] = value;
      return;
    }
    case 'class':
      if (key === undefined || object.getters.has(key)) throw new Unfaithful();
      object.statics.set(key, value);
      return;
    case 'function':
      throw new Unfaithful();
    case 'primitive':
    case 'unknown':
  }
}

function changeObject(
  object: ObjectValue,
  key: string | undefined,
  value: Value,
  node: AnyNode,
  evaluation: Evaluation,
): void {
  if (key === undefined) {
    opened(object);
    return;
  }
  if (object.hidden?.has(key) === true) {
    object.hidden.set(key, value);
    return;
  }
  const setter = accessorOf(object.instanceOf, key, 'set', evaluation);
  if (setter) {
    evaluation.apply({ is: 'function', ...setter, self: object }, [value], node);
    return;
  }
  const kind = object.entries.get(key)?.property?.kind;
  if (kind === 'set' || kind === 'get') throw new Unfaithful();
  object.entries.set(key, { keyNode: node, value, property: undefined, isSure: true });
}

/** Returns an instance of a class, as its fields and its constructor make it. */
export function instanceOf(made: ClassValue, given: readonly Value[], node: AnyNode, evaluation: Evaluation): Value {
  const object: ObjectValue = {
    is: 'object',
    entries: new Map(),
    isOpen: false,
    node,
    instanceOf: made,
    hidden: new Map(),
  };
  construct(made, given, object, node, evaluation);
  return object;
}

function construct(
  made: ClassValue,
  given: readonly Value[],
  object: ObjectValue,
  at: AnyNode,
  evaluation: Evaluation,
): void {
  const { node, scope, parent } = made;
  if (node.superClass && !parent) throw new Unfaithful();
  const constructor = constructorOf(made);
  if (!constructor) {
    if (parent) construct(parent, given, object, at, evaluation);
    setFields(made, object, evaluation);
    return;
  }
  if (!parent) setFields(made, object, evaluation);
  const onSuper: FunctionValue['onSuper'] = (values, call) => {
    if (!parent) throw new Unfaithful();
    construct(parent, values, object, call, evaluation);
    setFields(made, object, evaluation);
  };
  evaluation.apply({ is: 'function', node: constructor, scope, self: object, onSuper }, given, at);
}

function constructorOf({ node }: ClassValue): FunctionExpression | undefined {
  const found = node.body.body.find((item) => item.type === 'MethodDefinition' && item.kind === 'constructor');
  return found?.type === 'MethodDefinition' ? found.value : undefined;
}

/** Runs `super(…)`. */
export function callSuper(values: readonly Value[], node: AnyNode, scope: Scope): Value {
  const binding = scope.get(SUPER);
  const held = binding && 'value' in binding ? binding.value : undefined;
  if (held?.is !== 'function' || !held.onSuper) throw new Unfaithful();
  held.onSuper(values, node);
  return nothing(node);
}

function setFields({ node, scope }: ClassValue, object: ObjectValue, evaluation: Evaluation): void {
  const inner = new Scope(scope);
  inner.set(SELF, { value: object });
  for (const item of node.body.body)
    if (item.type === 'PropertyDefinition' && !item.static) setField(item, object, inner, evaluation);
}

function setField(item: PropertyDefinition, object: ObjectValue, scope: Scope, evaluation: Evaluation): void {
  const value = item.value ? evaluation.value(item.value, scope) : nothing(item);
  if (item.key.type === 'PrivateIdentifier') {
    object.hidden?.set(`#${item.key.name}`, value);
    return;
  }
  const key = keyOf(item, scope, evaluation);
  if (key === undefined) throw new Unfaithful();
  object.entries.set(key, { keyNode: item.key, value, property: undefined, isSure: true });
}
