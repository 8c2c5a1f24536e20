import type { AnyNode, ArrayExpression, ObjectExpression, Property } from 'acorn';
import type { Evaluating } from './effects.ts';
import { isWithin, isWrapped, keyOf, keyPatternOf } from './keys.ts';
import { Unfaithful } from './stops.ts';
import { type ListValue, nothing, ObjectMaker, type Scope, unknown, type Value } from './value.ts';

/** Returns the list of `[…]`. */
export function listOf(node: ArrayExpression, scope: Scope, evaluating: Evaluating): Value {
  const items: Value[] = [];
  for (const item of node.elements) {
    if (!item) items.push(nothing(node));
    else if (item.type !== 'SpreadElement') items.push(evaluating.value(item, scope));
    else {
      const spread = setOf(item.argument, scope, evaluating) ?? evaluating.value(item.argument, scope);
      if (spread.is !== 'list') {
        evaluating.effects?.skipped(node);
        return unknown(node);
      }
      evaluating.spend(spread.items.length);
      for (const each of spread.items) items.push(each);
    }
  }
  const list: Value = { is: 'list', items, node };
  evaluating.effects?.made(list);
  return list;
}

/** Returns the items of `new Set([…])`. */
function setOf(node: AnyNode, scope: Scope, evaluating: Evaluating): ListValue | undefined {
  if (node.type !== 'NewExpression' || !evaluating.isFree(node.callee, scope) || node.callee.name !== 'Set')
    return undefined;
  const [list] = evaluating.given(node.arguments, scope) ?? [];
  if (list?.is !== 'list') return undefined;
  const seen = new Set<unknown>();
  const items = list.items.filter((item) => {
    const key = item.is === 'primitive' ? item.value : item;
    return !seen.has(key) && seen.add(key);
  });
  return { is: 'list', items, node };
}

/** Returns the object of `{…}`. */
export function objectOf(node: ObjectExpression, scope: Scope, evaluating: Evaluating): Value {
  const made = new ObjectMaker();
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      made.spread(evaluating.value(property.argument, scope));
      continue;
    }
    const key = keyOf(property, scope, evaluating);
    const isGetter = property.kind === 'set' && made.get(key ?? '')?.property?.kind === 'get';
    if (isGetter) continue;
    if (key === '__proto__' && !property.computed) made.open();
    else if (key === undefined)
      made.setUnnamed(property.key, evaluating.value(property.value, scope), keyPatternOf(property, scope, evaluating));
    else
      made.set(key, {
        keyNode: property.key,
        value: heldBy(property, scope, evaluating),
        property,
        isSure: true,
      });
  }
  const object = made.value(node);
  evaluating.effects?.made(object);
  return object;
}

/** Returns what a property holds: of a getter, what it yields; of a setter without one, nothing. */
function heldBy(property: Property, scope: Scope, evaluating: Evaluating): Value {
  const { kind, value } = property;
  if (kind === 'set') return nothing(property);
  if (isWrapped(property, evaluating.brackets)) return unknown(value, scope);
  const held = evaluating.value(value, scope);
  if (kind !== 'get' || held.is !== 'function') return held;
  const { effects, brackets } = evaluating;
  if (effects?.isPure(value) === false) throw new Unfaithful();
  const yielded = (): Value => evaluating.apply(held, [], value);
  // The engine reads every getter of a definition.
  return effects && !isWithin(property, brackets) ? effects.perhaps(yielded) : yielded();
}
