import type {
  AnyNode,
  ArrayExpression,
  BinaryExpression,
  CallExpression,
  MemberExpression,
  ObjectExpression,
  Pattern,
  Property,
  TemplateLiteral,
  UnaryExpression,
} from 'acorn';
import { ofList, ofObjects, ofText } from './script-methods.ts';
import type { Primitive } from './script-outcome.ts';
import {
  type Binding,
  type FunctionNode,
  type FunctionValue,
  nothing,
  ObjectMaker,
  type Range,
  Scope,
  truth,
  unknown,
  UNNAMED,
  type Value,
} from './script-value.ts';

/** Thrown when a script would run too long; the caller then knows nothing of its values. */
export class TooManySteps extends Error {}

/** Maximum number of expressions that are evaluated per script. */
const MOST_STEPS = 20_000;
const DEEPEST = 60;
/** The number of characters of a text that count as one of them. */
const CHARACTERS = 100;

/** Evaluates the expressions of a script that have no effects. Whatever depends on anything else is unknown. */
export class Evaluator {
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

  /** Returns what a function yields for these values; undefined for values that are not given. */
  apply({ node, scope }: FunctionValue, given: readonly Value[], at: AnyNode): Value {
    if (node.async || node.generator) return unknown(at);
    const inner = this.bound(node, scope, given);
    if (node.body.type !== 'BlockStatement') return this.value(node.body, inner);
    return this.#returned(node.body.body, inner) ?? unknown(at);
  }

  /** Returns the scope of a function's body for these values. */
  bound({ params }: FunctionNode, scope: Scope, given: readonly Value[]): Scope {
    const inner = new Scope(scope);
    for (const [at, param] of params.entries()) this.bind(param, given[at] ?? nothing(param), inner);
    return inner;
  }

  /** Gives the names of a pattern their values. */
  bind(pattern: Pattern, value: Value, scope: Scope): void {
    if (pattern.type === 'Identifier') scope.set(pattern.name, { value });
    else if (pattern.type === 'AssignmentPattern') {
      const isMissing = value.is === 'primitive' && value.value === undefined;
      const taken = isMissing ? this.value(pattern.right, scope) : value;
      this.bind(pattern.left, taken, scope);
    } else if (pattern.type === 'ObjectPattern')
      for (const item of pattern.properties) {
        if (item.type === 'RestElement') this.bind(item.argument, unknown(item), scope);
        else this.bind(item.value, this.#keyed(value, this.#keyOf(item, scope), item), scope);
      }
    else if (pattern.type === 'ArrayPattern')
      for (const [at, item] of pattern.elements.entries()) {
        if (item?.type === 'RestElement') this.bind(item.argument, unknown(item), scope);
        else if (item) this.bind(item, this.#keyed(value, String(at), item), scope);
      }
  }

  /** Declares constants and functions of a block before it runs. */
  declare(statements: readonly AnyNode[], scope: Scope): void {
    for (const each of statements) {
      const statement = each.type === 'ExportNamedDeclaration' && each.declaration ? each.declaration : each;
      if (statement.type === 'FunctionDeclaration' && statement.id)
        scope.set(statement.id.name, { value: { is: 'function', node: statement, scope } });
      if (statement.type !== 'VariableDeclaration') continue;
      for (const { id, init } of statement.declarations) {
        if (id.type === 'Identifier' && init) scope.set(id.name, { init, scope });
        else this.bind(id, init ? this.value(init, scope) : unknown(id), scope);
      }
    }
  }

  #returned(statements: readonly AnyNode[], scope: Scope): Value | undefined {
    this.declare(statements, scope);
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
      } else if (!/^(?:Variable|Function)Declaration$|^EmptyStatement$/.test(statement.type)) return undefined;
    }
    return nothing(END);
  }

  #read(node: AnyNode, scope: Scope): Value {
    switch (node.type) {
      case 'Literal':
        return node.regex || typeof node.value === 'bigint'
          ? unknown(node)
          : { is: 'primitive', value: node.value as Primitive, node };
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
        return unknown(node);
    }
  }

  #unary(node: UnaryExpression, scope: Scope): Value {
    if (node.operator === 'void') return nothing(node);
    const isTrue = node.operator === '!' ? truth(this.value(node.argument, scope)) : undefined;
    return isTrue === undefined ? unknown(node) : { is: 'primitive', value: !isTrue, node };
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
      if (value.is !== 'primitive') return unknown(node);
      text += `${value.value}${node.quasis[at + 1]?.value.cooked ?? ''}`;
    }
    this.#spend(text.length / CHARACTERS);
    return { is: 'primitive', value: text, node };
  }

  #binary(node: BinaryExpression, scope: Scope): Value {
    if (node.left.type === 'PrivateIdentifier') return unknown(node);
    const [left, right] = [this.value(node.left, scope), this.value(node.right, scope)];
    if (left.is !== 'primitive' || right.is !== 'primitive') return unknown(node);
    const [first, second] = [left.value, right.value];
    if (node.operator === '===') return { is: 'primitive', value: first === second, node };
    if (node.operator === '!==') return { is: 'primitive', value: first !== second, node };
    if (node.operator !== '+' || !(typeof first === 'string' || typeof second === 'string')) return unknown(node);
    const text = `${first}${second}`;
    this.#spend(text.length / CHARACTERS);
    return { is: 'primitive', value: text, node };
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
      const key = this.#keyOf(property, scope);
      const isPlain = property.kind === 'init' && !property.method && !this.#isWrapped(property);
      if (property.kind === 'set' || (key === '__proto__' && !property.computed)) made.open();
      else if (key === undefined) made.setUnnamed(property.key, this.value(property.value, scope));
      else
        made.set(key, {
          keyNode: property.key,
          value: isPlain ? this.value(property.value, scope) : unknown(property.value),
          property,
          isSure: true,
        });
    }
    return made.value(node);
  }

  /** Checks for SQL that the engine makes a function. */
  #isWrapped({ key, start }: Property): boolean {
    if (key.type !== 'Identifier' || !/^sql(?:_table|Table)?$/.test(key.name)) return false;
    return this.#brackets.some((range) => range.start <= start && start < range.end);
  }

  #keyOf({ key, computed }: Pick<Property, 'key' | 'computed'>, scope: Scope): string | undefined {
    if (!computed && key.type === 'Identifier') return key.name;
    const value = this.value(key, scope);
    return value.is === 'primitive' && !(typeof value.value === 'object') ? String(value.value) : undefined;
  }

  #member(node: MemberExpression, scope: Scope): Value {
    if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') return unknown(node);
    const key = this.#keyOf({ key: node.property, computed: node.computed }, scope);
    return this.#keyed(this.value(node.object, scope), key, node);
  }

  /** Returns what an object holds under a key. */
  #keyed(value: Value, key: string | undefined, node: AnyNode): Value {
    if (key === undefined) return unknown(node);
    if (value.is === 'list') {
      const item = /^\d+$/.test(key) ? value.items[Number(key)] : undefined;
      return item ?? unknown(node);
    }
    if (value.is !== 'object') return unknown(node);
    const entry = value.entries.get(key);
    if (entry && key !== UNNAMED) return entry.isSure ? entry.value : unknown(node);
    return value.isOpen || key in {} ? unknown(node) : nothing(node);
  }

  #call(node: CallExpression, scope: Scope): Value {
    const { callee, arguments: given } = node;
    const values: Value[] = [];
    for (const each of given) {
      if (each.type === 'SpreadElement') return unknown(node);
      values.push(this.value(each, scope));
    }
    if (node.optional || callee.type === 'Super') return unknown(node);
    if (callee.type === 'MemberExpression') return this.#method(callee, values, node, scope);
    const called = this.value(callee, scope);
    return called.is === 'function' ? this.apply(called, values, node) : unknown(node);
  }

  #method(callee: MemberExpression, given: readonly Value[], node: CallExpression, scope: Scope): Value {
    const { object, property } = callee;
    if (callee.computed || property.type !== 'Identifier' || object.type === 'Super') return unknown(node);
    const { name } = property;
    const isOfObjects = object.type === 'Identifier' && object.name === 'Object' && !scope.get('Object');
    if (isOfObjects) return ofObjects(name, given, node);
    const target = this.value(object, scope);
    if (target.is === 'list') this.#spend(target.items.length);
    if (target.is === 'list')
      return ofList(name, target, given, node, (called, values, at) => this.apply(called, values, at));
    if (target.is === 'primitive') return ofText(name, target.value, given, node);
    const held = target.is === 'object' ? this.#keyed(target, name, node) : undefined;
    return held?.is === 'function' ? this.apply(held, given, node) : unknown(node);
  }
}

/** The node of a value that nothing returns: the end of a function. */
const END: AnyNode = { type: 'EmptyStatement', start: 0, end: 0 };

/** Returns whether `a || b`, `a && b` or `a ?? b` yields its left side. */
function isLeft(left: Value, operator: string): boolean | undefined {
  const isTrue = truth(left);
  if (isTrue === undefined) return undefined;
  if (operator === '??') return left.is !== 'primitive' || (left.value !== null && left.value !== undefined);
  return operator === '&&' ? !isTrue : isTrue;
}
