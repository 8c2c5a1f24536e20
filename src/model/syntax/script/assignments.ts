import type { AnyNode, AssignmentExpression, CallExpression } from 'acorn';
import type { Effects, Evaluating } from './effects.ts';
import { keyOf } from './keys.ts';
import { callSuper, changeProperty, instanceOf } from './objects.ts';
import { isLeft, resultOfBinary } from './operators.ts';
import { bindPattern } from './patterns.ts';
import { Unfaithful } from './stops.ts';
import { type ClassValue, Scope, unknown, type Value } from './value.ts';

/** What changes of values need. */
export interface Changing {
  readonly evaluator: Evaluating;
  readonly effects: Effects;
  /** Throws `Unfaithful` for an object or a scope whose changes are not followed. */
  change(holder: object): void;
}

/** Runs an expression with an effect of its own: an assignment, `++`, `delete`, `new`, `super(…)`. */
export function effectOf(node: AnyNode, scope: Scope, changing: Changing): Value {
  switch (node.type) {
    case 'AssignmentExpression':
      return assigned(node, scope, changing);
    case 'UpdateExpression': {
      const before = changing.evaluator.value(node.argument, scope);
      const number = before.is === 'primitive' ? Number(before.value) : undefined;
      const after: Value =
        number === undefined
          ? unknown(node)
          : { is: 'primitive', value: node.operator === '++' ? number + 1 : number - 1, node };
      assign(node.argument, after, scope, changing);
      return node.prefix || number === undefined ? after : { is: 'primitive', value: number, node };
    }
    case 'UnaryExpression':
      return deleted(node.argument, scope, node, changing);
    case 'NewExpression': {
      const values = changing.evaluator.given(node.arguments, scope);
      const called = changing.evaluator.value(node.callee, scope);
      if (!values) throw new Unfaithful();
      if (called?.is === 'class') return instanceMade(called, values, node, changing);
      changing.effects.leaked([...values, called]);
      return unknown(node);
    }
    case 'CallExpression':
      return superCalled(node, scope, changing);
    default:
      throw new Unfaithful();
  }
}

function instanceMade(made: ClassValue, values: readonly Value[], node: AnyNode, changing: Changing): Value {
  const object = instanceOf(made, values, node, changing.evaluator);
  changing.effects.made(object);
  return object;
}

function superCalled(node: CallExpression, scope: Scope, changing: Changing): Value {
  const values = changing.evaluator.given(node.arguments, scope);
  if (!values) throw new Unfaithful();
  return callSuper(values, node, scope);
}

function deleted(target: AnyNode, scope: Scope, node: AnyNode, changing: Changing): Value {
  if (target.type !== 'MemberExpression' || target.object.type === 'Super') throw new Unfaithful();
  const object = changing.evaluator.value(target.object, scope);
  if (object.is === 'unknown') return unknown(node);
  const key = keyOf({ key: target.property, computed: target.computed }, scope, changing.evaluator);
  if (object.is !== 'object' || key === undefined) throw new Unfaithful();
  changing.change(object);
  object.entries.delete(key);
  return { is: 'primitive', value: true, node };
}

function assigned(node: AssignmentExpression, scope: Scope, changing: Changing): Value {
  const { operator, left, right } = node;
  if (operator === '=') {
    const value = changing.evaluator.value(right, scope);
    assign(left, value, scope, changing);
    return value;
  }
  const before = changing.evaluator.value(left, scope);
  const binary = operator.slice(0, -1);
  if (/^(?:&&|\|\||\?\?)=$/.test(operator)) return assignedOnce(node, before, scope, changing);
  const after = changing.evaluator.value(right, scope);
  const result =
    before.is === 'primitive' && after.is === 'primitive'
      ? resultOfBinary(binary, before.value, after.value)
      : undefined;
  const value: Value = result ? { is: 'primitive', ...result, node } : unknown(node);
  assign(left, value, scope, changing);
  return value;
}

/** Runs `||=` and the like; `before`: the value until then. */
function assignedOnce(
  { operator, left, right }: AssignmentExpression,
  before: Value,
  scope: Scope,
  changing: Changing,
): Value {
  const isTaken = isLeft(before, operator.slice(0, -1));
  if (isTaken === true) return before;
  if (isTaken === undefined) changing.effects.skipped(right);
  const value = isTaken === false ? changing.evaluator.value(right, scope) : unknown(right);
  assign(left, value, scope, changing);
  return value;
}

/** Gives a name, a property or a pattern another value. */
export function assign(target: AnyNode, value: Value, scope: Scope, changing: Changing): void {
  if (target.type === 'Identifier') {
    const holder = scope.holderOf(target.name);
    if (!holder) throw new Unfaithful();
    changing.change(holder);
    holder.set(target.name, { value });
  } else if (target.type === 'MemberExpression' && target.object.type !== 'Super') {
    const object = changing.evaluator.value(target.object, scope);
    const key =
      target.property.type === 'PrivateIdentifier'
        ? `#${target.property.name}`
        : keyOf({ key: target.property, computed: target.computed }, scope, changing.evaluator);
    changing.change(object);
    // What is not known may refer to it from then on.
    if (object.is === 'unknown') changing.effects.leaked([value]);
    changeProperty(object, key, value, target.property, changing.evaluator);
  } else if (target.type === 'ObjectPattern' || target.type === 'ArrayPattern') {
    const inner = new Scope(scope);
    bindPattern(target, value, inner, changing.evaluator, (each, held) => assign(each, held, scope, changing));
  } else throw new Unfaithful();
}
