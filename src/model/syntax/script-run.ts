import type {
  AnyNode,
  ArrayExpression,
  BinaryExpression,
  CallExpression,
  MemberExpression,
  ObjectExpression,
  Property,
  TaggedTemplateExpression,
  TemplateLiteral,
  UnaryExpression,
} from 'acorn';
import { classOf } from './script-classes.ts';
import { heldUnder, isWrapped, keyOf } from './script-keys.ts';
import { ofList, ofObjects, ofText, rawText } from './script-methods.ts';
import { convertedValue, isConversion, isLeft, resultOfBinary, resultOfUnary } from './script-operators.ts';
import { bindPattern, declareNames } from './script-patterns.ts';
import {
  type Binding,
  type ClassNode,
  END,
  type Evaluation,
  type FunctionValue,
  nothing,
  ObjectMaker,
  type PrimitiveValue,
  type Range,
  Scope,
  SELF,
  truth,
  unknown,
  type Value,
} from './script-value.ts';

/** Thrown when a script would run too long; the caller then knows nothing of its values. */
export class TooManySteps extends Error {}

/** Maximum number of expressions that are evaluated per script; so many characters of a text count as one of them. */
const MOST_STEPS = 20_000;
const CHARACTERS = 100;
const DEEPEST = 60;

/** Evaluates the expressions of a script that have no effects. Whatever depends on anything else is unknown. */
export class Evaluator implements Evaluation {
  readonly #changed: ReadonlySet<string>;
  readonly #brackets: readonly Range[];
  readonly #known = new Map<Binding, Value>();
  #steps = 0;
  #depth = 0;

  /** `changed`: names whose values change (`script-changes.ts`); `brackets`: where the engine makes functions of SQL. */
  constructor(changed: ReadonlySet<string>, brackets: readonly Range[]) {
    this.#changed = changed;
    this.#brackets = brackets;
  }

  value(node: AnyNode, scope: Scope): Value {
    this.#spend(1);
    if (this.#depth > DEEPEST) return unknown(node);
    this.#depth++;
    try {
      return this.#read(node, scope);
    } finally {
      this.#depth--;
    }
  }

  #spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MOST_STEPS) throw new TooManySteps();
  }

  /** Returns what a function yields for these values; `undefined` stands for values that are not given. */
  apply(called: FunctionValue, given: readonly Value[], at: AnyNode): Value {
    return called.node.async ? unknown(at) : this.#applied(called, given, at);
  }

  /** Returns what a function yields, or what the promise of an asynchronous one does. */
  #applied(called: FunctionValue, given: readonly Value[], at: AnyNode): Value {
    const { node } = called;
    if (node.generator) return unknown(at);
    const inner = this.bound(called, given);
    if (node.body.type !== 'BlockStatement') return this.value(node.body, inner);
    return this.#returned(node.body.body, inner) ?? unknown(at);
  }

  /** Returns the scope of a function's body for these values. */
  bound({ node, scope, self }: FunctionValue, given: readonly Value[]): Scope {
    const inner = new Scope(scope);
    if (node.type !== 'ArrowFunctionExpression') inner.set(SELF, { value: self ?? unknown(node) });
    for (const [at, param] of node.params.entries()) {
      const rest: Value = { is: 'list', items: given.slice(at), node: param };
      bindPattern(param, param.type === 'RestElement' ? rest : (given[at] ?? nothing(param)), inner, this);
    }
    return inner;
  }

  #returned(statements: readonly AnyNode[], scope: Scope): Value | undefined {
    declareNames(statements, scope, this);
    for (const statement of statements) {
      if (statement.type === 'ReturnStatement')
        return statement.argument ? this.value(statement.argument, scope) : nothing(statement);
      if (statement.type === 'IfStatement') {
        const isTrue = truth(this.value(statement.test, scope));
        if (isTrue === undefined) return undefined;
        const taken = isTrue ? statement.consequent : statement.alternate;
        if (!taken) continue;
        const inner = taken.type === 'BlockStatement' ? taken.body : [taken];
        const result = this.#returned(inner, new Scope(scope));
        if (result && !(result.is === 'primitive' && result.node === END)) return result;
        if (!result) return undefined;
      } else if (!/^(?:Variable|Function|Class)Declaration$|^EmptyStatement$/.test(statement.type)) return undefined;
    }
    return nothing(END);
  }

  #read(node: AnyNode, scope: Scope): Value {
    switch (node.type) {
      case 'Literal':
        return node.regex || typeof node.value === 'bigint'
          ? unknown(node)
          : { is: 'primitive', value: node.value as PrimitiveValue['value'], node };
      case 'TemplateLiteral':
        return this.#template(node, scope);
      case 'Identifier':
        return this.#name(node.name, scope, node);
      case 'ObjectExpression':
        return this.#object(node, scope);
      case 'ArrayExpression':
        return this.#list(node, scope);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return { is: 'function', node, scope };
      case 'MemberExpression':
        return this.#member(node, scope);
      case 'CallExpression':
        return this.#call(node, scope);
      default:
        return this.#operation(node, scope);
    }
  }

  #operation(node: AnyNode, scope: Scope): Value {
    switch (node.type) {
      case 'ConditionalExpression': {
        const isTrue = truth(this.value(node.test, scope));
        return isTrue === undefined ? unknown(node) : this.value(isTrue ? node.consequent : node.alternate, scope);
      }
      case 'LogicalExpression': {
        const left = this.value(node.left, scope);
        const isTaken = isLeft(left, node.operator);
        if (isTaken === undefined) return unknown(node);
        return isTaken ? left : this.value(node.right, scope);
      }
      case 'UnaryExpression':
        return this.#unary(node, scope);
      case 'BinaryExpression':
        return this.#binary(node, scope);
      default:
        return this.#other(node, scope);
    }
  }

  #other(node: AnyNode, scope: Scope): Value {
    switch (node.type) {
      case 'SequenceExpression':
        return node.expressions.reduce<Value>((_, each) => this.value(each, scope), unknown(node));
      case 'ClassDeclaration':
      case 'ClassExpression':
        return classOf(node as ClassNode, scope, this);
      case 'ThisExpression':
        return this.#name(SELF, scope, node);
      case 'AwaitExpression':
        return this.#awaited(node.argument, scope);
      case 'TaggedTemplateExpression':
        return this.#tagged(node, scope);
      default:
        return unknown(node);
    }
  }

  #unary(node: UnaryExpression, scope: Scope): Value {
    if (node.operator === 'void') return nothing(node);
    const given = this.value(node.argument, scope);
    const isTrue = node.operator === '!' ? truth(given) : undefined;
    if (isTrue !== undefined) return { is: 'primitive', value: !isTrue, node };
    const result = given.is === 'primitive' ? resultOfUnary(node.operator, given.value) : undefined;
    return result ? { is: 'primitive', ...result, node } : unknown(node);
  }

  /** Awaits the call of an asynchronous function of the script, or a value other than a promise. */
  #awaited(argument: AnyNode, scope: Scope): Value {
    if (argument.type !== 'CallExpression') return this.value(argument, scope);
    const given = this.#arguments(argument, scope);
    const called = given && argument.callee.type !== 'Super' ? this.value(argument.callee, scope) : undefined;
    const isAsync = called?.is === 'function' && called.node.async && !argument.optional;
    return given && isAsync ? this.#applied(called, given, argument) : this.value(argument, scope);
  }

  /** Reads a text that is written with ``String.raw`…` ``. */
  #tagged(node: TaggedTemplateExpression, scope: Scope): Value {
    const value =
      node.tag.type === 'MemberExpression' && this.#isFree(node.tag.object, 'String', scope) && rawText(node);
    return typeof value === 'string' ? { is: 'primitive', value, node } : unknown(node);
  }

  #name(name: string, scope: Scope, node: AnyNode): Value {
    if (this.#changed.has(name)) return unknown(node);
    const binding = scope.get(name);
    if (!binding) return name === 'undefined' ? nothing(node) : unknown(node);
    if ('value' in binding) return binding.value;
    let value = this.#known.get(binding);
    if (!value) {
      // A constant that needs itself is unknown.
      this.#known.set(binding, unknown(node));
      value = this.value(binding.init, binding.scope);
      this.#known.set(binding, value);
    }
    return value;
  }

  #template(node: TemplateLiteral, scope: Scope): Value {
    let text = node.quasis[0]?.value.cooked ?? '';
    for (const [at, expression] of node.expressions.entries()) {
      const value = this.value(expression, scope);
      if (value.is !== 'primitive') return unknown(node, scope);
      text += `${value.value}${node.quasis[at + 1]?.value.cooked ?? ''}`;
    }
    this.#spend(text.length / CHARACTERS);
    return { is: 'primitive', value: text, node };
  }

  #binary(node: BinaryExpression, scope: Scope): Value {
    if (node.left.type === 'PrivateIdentifier') return unknown(node);
    const [left, right] = [this.value(node.left, scope), this.value(node.right, scope)];
    if (left.is !== 'primitive' || right.is !== 'primitive') return unknown(node);
    const result = resultOfBinary(node.operator, left.value, right.value);
    if (!result) return unknown(node);
    if (typeof result.value === 'string') this.#spend(result.value.length / CHARACTERS);
    return { is: 'primitive', ...result, node };
  }

  #list(node: ArrayExpression, scope: Scope): Value {
    const items: Value[] = [];
    for (const item of node.elements) {
      if (!item) items.push(nothing(node));
      else if (item.type !== 'SpreadElement') items.push(this.value(item, scope));
      else {
        const spread = this.value(item.argument, scope);
        if (spread.is !== 'list') return unknown(node);
        this.#spend(spread.items.length);
        for (const each of spread.items) items.push(each);
      }
    }
    return { is: 'list', items, node };
  }

  #object(node: ObjectExpression, scope: Scope): Value {
    const made = new ObjectMaker();
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        made.spread(this.value(property.argument, scope));
        continue;
      }
      const key = keyOf(property, scope, this);
      const isGetter = property.kind === 'set' && made.get(key ?? '')?.property?.kind === 'get';
      if (isGetter) continue;
      if (property.kind === 'set' || (key === '__proto__' && !property.computed)) made.open();
      else if (key === undefined) made.setUnnamed(property.key, this.value(property.value, scope));
      else
        made.set(key, {
          keyNode: property.key,
          value: this.#held(property, scope),
          property,
          isSure: true,
        });
    }
    return made.value(node);
  }

  /** Returns what a property holds: of a getter, what it yields. */
  #held(property: Property, scope: Scope): Value {
    const { kind, value } = property;
    if (isWrapped(property, this.#brackets)) return unknown(value, scope);
    const held = this.value(value, scope);
    return kind === 'get' && held.is === 'function' ? this.apply(held, [], value) : held;
  }

  #member(node: MemberExpression, scope: Scope): Value {
    if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') return unknown(node);
    const key = keyOf({ key: node.property, computed: node.computed }, scope, this);
    return heldUnder(this.value(node.object, scope), key, node, this);
  }

  #arguments({ arguments: given }: CallExpression, scope: Scope): readonly Value[] | undefined {
    const values: Value[] = [];
    for (const each of given) {
      const value = this.value(each.type === 'SpreadElement' ? each.argument : each, scope);
      if (each.type !== 'SpreadElement') values.push(value);
      else if (value.is !== 'list') return undefined;
      else {
        this.#spend(value.items.length);
        for (const item of value.items) values.push(item);
      }
    }
    return values;
  }

  #call(node: CallExpression, scope: Scope): Value {
    const { callee } = node;
    const values = this.#arguments(node, scope);
    if (!values || node.optional || callee.type === 'Super') return unknown(node);
    if (callee.type === 'MemberExpression') return this.#method(callee, values, node, scope);
    if (callee.type === 'Identifier' && !scope.get(callee.name) && isConversion(callee.name))
      return this.#changed.has(callee.name) ? unknown(node) : convertedValue(callee.name, values, node);
    const called = this.value(callee, scope);
    return called.is === 'function' ? this.apply(called, values, node) : unknown(node);
  }

  /** Checks for a name of JavaScript itself, which the script does not declare. */
  #isFree(node: AnyNode, name: string, scope: Scope): boolean {
    return node.type === 'Identifier' && node.name === name && !scope.get(name) && !this.#changed.has(name);
  }

  #method(callee: MemberExpression, given: readonly Value[], node: CallExpression, scope: Scope): Value {
    const { object, property } = callee;
    if (callee.computed || property.type !== 'Identifier' || object.type === 'Super') return unknown(node);
    const { name } = property;
    if (this.#isFree(object, 'Object', scope)) return ofObjects(name, given, node);
    const target = this.value(object, scope);
    if (target.is === 'list') this.#spend(target.items.length);
    if (target.is === 'list')
      return ofList(name, target, given, node, (called, values, at) => this.apply(called, values, at));
    if (target.is === 'primitive') return ofText(name, target.value, given, node);
    const held = target.is === 'object' || target.is === 'class' ? heldUnder(target, name, node, this) : undefined;
    return held?.is === 'function' ? this.apply(held, given, node) : unknown(node);
  }
}
