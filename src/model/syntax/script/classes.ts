import type { MethodDefinition, PropertyDefinition } from 'acorn';
import { keyOf } from './keys.ts';
import {
  type ClassNode,
  type ClassValue,
  type Evaluation,
  nothing,
  Scope,
  SELF,
  unknown,
  type Value,
} from './value.ts';

/** Returns a class with its static members and those that it inherits. */
export function classOf(node: ClassNode, outer: Scope, evaluation: Evaluation): Value {
  const scope = new Scope(outer);
  const inherited = parentOf(node, outer, evaluation);
  const statics = new Map(inherited?.statics);
  const getters = new Set(inherited?.getters);
  const members = node.body.body.flatMap((item) =>
    item.type !== 'StaticBlock' && item.static ? [{ item, key: keyOf(item, scope, evaluation) }] : [],
  );
  const hasUnknown =
    members.some(({ key }) => key === undefined) || (!evaluation.block && node.body.body.some(isBlock));
  const isOpen = hasUnknown || (!!node.superClass && inherited?.isOpen !== false);
  const made: ClassValue = { is: 'class', statics, getters, isOpen, node, scope, parent: inherited };
  scope.set(SELF, { value: made });
  if (node.id) scope.set(node.id.name, { value: made });
  const keys = new Map(members.map(({ item, key }) => [item, key]));
  for (const item of node.body.body) {
    if (item.type === 'StaticBlock') evaluation.block?.(item.body, new Scope(scope));
    else addStatic(made, item, keys.get(item), evaluation);
  }
  return made;
}

function addStatic(
  { statics, getters, scope }: ClassValue,
  item: MethodDefinition | PropertyDefinition,
  key: string | undefined,
  evaluation: Evaluation,
): void {
  if (key === undefined) return;
  statics.set(key, valueOf(item, scope, evaluation));
  if (item.type === 'MethodDefinition' && item.kind === 'get') getters.add(key);
  else getters.delete(key);
}

function parentOf({ superClass }: ClassNode, scope: Scope, evaluation: Evaluation): ClassValue | undefined {
  const parent = superClass ? evaluation.value(superClass, scope) : undefined;
  return parent?.is === 'class' ? parent : undefined;
}

function valueOf(item: MethodDefinition | PropertyDefinition, scope: Scope, evaluation: Evaluation): Value {
  if (item.type === 'MethodDefinition' && item.kind === 'set') return unknown(item);
  return item.value ? evaluation.value(item.value, scope) : nothing(item);
}

function isBlock({ type }: ClassNode['body']['body'][number]): boolean {
  return type === 'StaticBlock';
}
