import type { AnyNode, CallExpression, MemberExpression } from 'acorn';
import { CALLS } from '#model/syntax/entity.ts';
import { type Evaluating, LIST_CHANGES } from './effects.ts';
import { heldUnder, keyOf } from './keys.ts';
import { ofArrays, ofList, ofObjects, ofText } from './methods.ts';
import { convertedValue, isConversion } from './operators.ts';
import { type ListValue, nothing, type PrimitiveValue, type Scope, unknown, type Value } from './value.ts';

/** Returns what a call yields. */
export function callOf(node: CallExpression, scope: Scope, evaluating: Evaluating): Value {
  const { callee } = node;
  const { effects } = evaluating;
  if (callee.type === 'Super') return effects?.effect(node, scope) ?? unknown(node);
  const values = evaluating.given(node.arguments, scope);
  if (effects && evaluating.isFree(callee, scope) && Object.hasOwn(CALLS, callee.name))
    return effects.define(node, values ?? []);
  if (!values) {
    effects?.skipped(node);
    return unknown(node);
  }
  return calledWith(values, node, scope, evaluating);
}

function calledWith(values: readonly Value[], node: CallExpression, scope: Scope, evaluating: Evaluating): Value {
  const { callee } = node;
  if (callee.type === 'MemberExpression') return methodCalled(callee, values, node, { scope, evaluating });
  if (callee.type === 'Identifier' && !scope.get(callee.name))
    return freeCalled(callee, values, node, { scope, evaluating });
  const called = evaluating.value(callee, scope);
  if (called.is === 'function') return evaluating.apply(called, values, node);
  noteMistake(called, node, evaluating);
  evaluating.effects?.leaked(values);
  return node.optional && called.is === 'primitive' ? nothing(node) : unknown(node);
}

/** Where a call is. */
interface At {
  readonly scope: Scope;
  readonly evaluating: Evaluating;
}

/** Calls a function that the script does not declare. */
function freeCalled(callee: AnyNode, values: readonly Value[], node: CallExpression, { scope, evaluating }: At): Value {
  const { effects } = evaluating;
  // Another name may be a mistake, which evaluating it notices.
  evaluating.value(callee, scope);
  if (!evaluating.isFree(callee, scope)) return unknown(node);
  const { name } = callee;
  if (isConversion(name)) return convertedValue(name, values, node);
  const [first] = values;
  if (effects && name === 'asyncModule') {
    effects.later(first);
    return nothing(node);
  }
  const path = first?.is === 'primitive' && typeof first.value === 'string' ? first.value : undefined;
  const module = name === 'require' && path !== undefined ? effects?.required(path) : undefined;
  if (module) return module;
  effects?.leaked(values);
  return unknown(node);
}

function methodCalled(
  callee: MemberExpression,
  given: readonly Value[],
  node: CallExpression,
  { scope, evaluating }: At,
): Value {
  const { object, property } = callee;
  if (object.type === 'Super') {
    evaluating.effects?.skipped(node);
    return unknown(node);
  }
  const name =
    property.type === 'PrivateIdentifier'
      ? `#${property.name}`
      : keyOf({ key: property, computed: callee.computed }, scope, evaluating);
  const result =
    evaluating.isFree(object, scope) && name !== undefined
      ? builtInCalled(object.name, name, given, { node, evaluating })
      : undefined;
  if (result) return result;
  const target = evaluating.value(object, scope);
  if (name === undefined) return unknownCalled([target, ...given], node, evaluating);
  return methodOf(target, name, given, { node, evaluating });
}

/** Notes that the script stops at a call: what is called is certainly not a function. */
function noteMistake(called: Value, { callee, optional }: CallExpression, { effects }: Evaluating): void {
  const isPrimitive = called.is === 'primitive' && called.value !== undefined && !(optional && called.value === null);
  if (isPrimitive || called.is === 'object' || called.is === 'list') effects?.isMistaken(callee);
}

interface Call {
  readonly node: CallExpression;
  readonly evaluating: Evaluating;
}

/** Calls a function of an object that JavaScript has itself; undefined for other objects. */
function builtInCalled(object: string, name: string, given: readonly Value[], call: Call): Value | undefined {
  const { node, evaluating } = call;
  if (object === 'Object') return ofObject(name, given, call);
  if (object === 'Array') return ofArrays(name, given, node) ?? unknownCalled(given, node, evaluating);
  if (!READING.has(object)) return undefined;
  leakFunctions(given, evaluating);
  return unknown(node);
}

function ofObject(name: string, given: readonly Value[], { node, evaluating }: Call): Value {
  if (evaluating.effects && name === 'assign') return evaluating.effects.assigned(given, node);
  const result = ofObjects(name, given, node);
  if (result.is === 'unknown' && !OBJECT_READING.has(name)) evaluating.effects?.leaked(given);
  return result;
}

function methodOf(target: Value, name: string, given: readonly Value[], call: Call): Value {
  const { node, evaluating } = call;
  switch (target.is) {
    case 'list':
      return ofListCalled(target, name, given, call);
    case 'primitive':
      return ofPrimitiveCalled(target, name, given, call);
    case 'object':
    case 'class': {
      const held = heldUnder(target, name, node, evaluating);
      if (held.is === 'function') return evaluating.apply(held, given, node);
      noteMistake(held, node, evaluating);
      return unknownCalled([target, ...given], node, evaluating);
    }
    case 'function':
      return unknownCalled([target, ...given], node, evaluating);
    default:
      return ofUnknownCalled(name, given, call);
  }
}

function ofListCalled(list: ListValue, name: string, given: readonly Value[], { node, evaluating }: Call): Value {
  const { effects } = evaluating;
  evaluating.spend(list.items.length);
  if (effects && LIST_CHANGES.has(name)) return effects.changedList(name, list, given, node);
  const result = ofList(name, list, given, node, (called, values, at) => evaluating.apply(called, values, at));
  // A method that is not known here may call a function with the items.
  const isCalled = CALLING.has(name) || (name === 'reduce' && given.length > 1);
  if (result.is === 'unknown' && !isCalled) leakFunctions(given, evaluating);
  return result;
}

function ofPrimitiveCalled(
  target: PrimitiveValue,
  name: string,
  given: readonly Value[],
  { node, evaluating }: Call,
): Value {
  const isMissing = target.value === undefined || target.value === null;
  if (node.callee.type === 'MemberExpression' && node.callee.optional && isMissing) return nothing(node);
  leakFunctions(given, evaluating);
  return ofText(name, target.value, given, node);
}

function ofUnknownCalled(name: string, given: readonly Value[], { node, evaluating }: Call): Value {
  const [called, ...others] = given;
  const { effects } = evaluating;
  if (!effects || !CALLING.has(name) || called?.is !== 'function' || others.length > 0)
    return unknownCalled(given, node, evaluating);
  const any = unknown(node);
  effects.forAny(() => evaluating.awaited(called, [any, any, any], node), called.node.body);
  return any;
}

function leakFunctions(given: readonly Value[], { effects }: Evaluating): void {
  effects?.leaked(given.filter(({ is }) => is === 'function'));
}

/** Notes the call of code that is not known. */
function unknownCalled(values: readonly (Value | undefined)[], node: CallExpression, { effects }: Evaluating): Value {
  effects?.leaked(values);
  return unknown(node);
}

/** Objects of JavaScript whose functions change nothing. */
const READING = new Set(['JSON', 'Math', 'console', 'Number', 'String']);
/** Functions of `Object` that change nothing. */
const OBJECT_READING = new Set(
  'keys values entries fromEntries freeze isFrozen hasOwn getOwnPropertyNames is'.split(' '),
);
/** Methods of lists that call their function with each item, here as well. */
const CALLING = new Set('map flatMap filter some every find forEach'.split(' '));
