import type {
  AnyNode,
  ArrayExpression,
  AwaitExpression,
  BinaryExpression,
  CallExpression,
  MemberExpression,
  ObjectExpression,
  Pattern,
  Property,
  TaggedTemplateExpression,
  TemplateLiteral,
  UnaryExpression,
} from 'acorn';
import { lengthOf, ofList, ofObjects, ofText } from './script-methods.ts';
import { resultOfBinary, resultOfUnary } from './script-operators.ts';
import type { Primitive } from './script-outcome.ts';
import {
  type Binding,
  type ClassNode,
  type ClassValue,
  type FunctionValue,
  nothing,
  ObjectMaker,
  type Range,
  Scope,
  SELF,
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
    for (const [at, param] of node.params.entries())
      if (param.type === 'RestElement')
        this.bind(param.argument, { is: 'list', items: given.slice(at), node: param }, inner);
      else this.bind(param, given[at] ?? nothing(param), inner);
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
      if (statement.type === 'ClassDeclaration' && statement.id)
        scope.set(statement.id.name, { init: statement, scope });
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
      } else if (!/^(?:Variable|Function|Class)Declaration$|^EmptyStatement$/.test(statement.type)) return undefined;
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
        return this.#other(node, scope);
    }
  }

  #other(node: AnyNode, scope: Scope): Value {
    switch (node.type) {
      case 'SequenceExpression': {
        const last = node.expressions.at(-1);
        return last ? this.value(last, scope) : unknown(node);
      }
      case 'ClassDeclaration':
      case 'ClassExpression':
        return this.#class(node as ClassNode, scope);
      case 'ThisExpression':
        return this.#name(SELF, scope, node);
      case 'AwaitExpression':
        return this.#awaited(node, scope);
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

  /** Awaits the call of an asynchronous function of the script, or a value that is no promise. */
  #awaited({ argument }: AwaitExpression, scope: Scope): Value {
    if (argument.type !== 'CallExpression') return this.value(argument, scope);
    const given = this.#arguments(argument, scope);
    const called = given && argument.callee.type !== 'Super' ? this.value(argument.callee, scope) : undefined;
    const isAsync = called?.is === 'function' && called.node.async && !argument.optional;
    return given && isAsync ? this.#applied(called, given, argument) : this.value(argument, scope);
  }

  /** Reads a text that is written with ``String.raw`…` ``. */
  #tagged({ tag, quasi, ...node }: TaggedTemplateExpression, scope: Scope): Value {
    const [text, ...others] = quasi.quasis;
    const isRaw = tag.type === 'MemberExpression' && this.#isFree(tag.object, 'String', scope) && isNamed(tag, 'raw');
    if (!isRaw || !text || others.length > 0) return unknown({ ...node, tag, quasi });
    return { is: 'primitive', value: text.value.raw, node: { ...node, tag, quasi } };
  }

  #class(node: ClassNode, outer: Scope): Value {
    const scope = new Scope(outer);
    const statics = new Map<string, Value>();
    const getters = new Set<string>();
    const parent = node.superClass ? this.value(node.superClass, outer) : undefined;
    const keys = node.body.body.flatMap((item) =>
      item.type === 'StaticBlock' ? [undefined] : item.static ? [this.#keyOf(item, scope)] : [],
    );
    const isOpen = keys.includes(undefined) || (parent !== undefined && (parent.is !== 'class' || parent.isOpen));
    const made: ClassValue = { is: 'class', statics, getters, isOpen, node };
    scope.set(SELF, { value: made });
    if (node.id) scope.set(node.id.name, { value: made });
    if (parent?.is === 'class') {
      for (const [key, value] of parent.statics) statics.set(key, value);
      for (const key of parent.getters) getters.add(key);
    }
    for (const item of node.body.body) {
      if (item.type === 'StaticBlock' || !item.static) continue;
      const key = this.#keyOf(item, scope);
      if (key === undefined) continue;
      const value = item.value ? this.value(item.value, scope) : nothing(item);
      statics.set(key, item.type === 'MethodDefinition' && item.kind === 'set' ? unknown(item) : value);
      if (item.type === 'MethodDefinition' && item.kind === 'get') getters.add(key);
      else getters.delete(key);
    }
    return made;
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
      const key = this.#keyOf(property, scope);
      const isPlain = property.kind === 'init' && !this.#isWrapped(property);
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

  #keyOf({ key, computed }: { readonly key: AnyNode; readonly computed: boolean }, scope: Scope): string | undefined {
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
    const length = key === 'length' ? lengthOf(value) : undefined;
    if (length !== undefined) return { is: 'primitive', value: length, node };
    if (value.is === 'list') {
      const item = /^\d+$/.test(key) ? value.items[Number(key)] : undefined;
      return item ?? unknown(node);
    }
    if (value.is === 'class') return this.#static(value, key, node);
    if (value.is !== 'object') return unknown(node);
    const entry = value.entries.get(key);
    if (entry && key !== UNNAMED) return entry.isSure ? withSelf(entry.value, value) : unknown(node);
    return value.isOpen || key in {} ? unknown(node) : nothing(node);
  }

  /** Returns what a class holds under a key. */
  #static(value: ClassValue, key: string, node: AnyNode): Value {
    const held = value.statics.get(key);
    if (!held || value.isOpen) return unknown(node);
    const own = withSelf(held, value);
    if (!value.getters.has(key)) return own;
    return own.is === 'function' ? this.apply(own, [], node) : unknown(node);
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
    if (callee.type === 'Identifier' && !scope.get(callee.name) && Object.hasOwn(CONVERSIONS, callee.name))
      return this.#converted(callee.name, values, node);
    const called = this.value(callee, scope);
    return called.is === 'function' ? this.apply(called, values, node) : unknown(node);
  }

  /** Returns what `String(…)` and the like yield. */
  #converted(name: string, [first]: readonly Value[], node: AnyNode): Value {
    const convert = CONVERSIONS[name];
    if (!convert || this.#changed.has(name) || first?.is !== 'primitive') return unknown(node);
    return { is: 'primitive', value: convert(first.value), node };
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
    const held = target.is === 'object' || target.is === 'class' ? this.#keyed(target, name, node) : undefined;
    return held?.is === 'function' ? this.apply(held, given, node) : unknown(node);
  }
}

/** Returns a value as one of the object that holds it, which `this` is if it is a function. */
function withSelf(value: Value, self: Value): Value {
  return value.is === 'function' ? { ...value, self } : value;
}

function isNamed({ property, computed }: MemberExpression, name: string): boolean {
  return !computed && property.type === 'Identifier' && property.name === name;
}

const CONVERSIONS: Readonly<Record<string, (value: Primitive) => Primitive>> = { String, Number, Boolean };

/** The node of a value that nothing returns: the end of a function. */
const END: AnyNode = { type: 'EmptyStatement', start: 0, end: 0 };

/** Returns whether `a || b`, `a && b` or `a ?? b` yields its left side. */
function isLeft(left: Value, operator: string): boolean | undefined {
  const isTrue = truth(left);
  if (isTrue === undefined) return undefined;
  if (operator === '??') return left.is !== 'primitive' || (left.value !== null && left.value !== undefined);
  return operator === '&&' ? !isTrue : isTrue;
}
