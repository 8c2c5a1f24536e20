import type { AnyNode, CallExpression, Identifier, MemberExpression, UnaryExpression } from 'acorn';
import { JAVASCRIPT, SANDBOX } from '#model/syntax/known-names.ts';
import { classOf } from './classes.ts';
import type { Effects, Evaluating } from './effects.ts';
import type { Homes } from './homes.ts';
import { callOf } from './invoke.ts';
import { heldUnder, isPath, keyOf } from './keys.ts';
import { listOf, objectOf } from './literals.ts';
import { isLeft, resultOfUnary } from './operators.ts';
import { bindPattern, declareNames } from './patterns.ts';
import { TooManySteps, Unfaithful } from './stops.ts';
import { taggedTemplate } from './tagged.ts';
import { binaryOf, templateText } from './texts.ts';
import {
  type Binding,
  type ClassNode,
  END,
  type Evaluation,
  type FunctionValue,
  nothing,
  type PrimitiveValue,
  type Range,
  Scope,
  SELF,
  SUPER,
  truth,
  unknown,
  type Value,
} from './value.ts';

/** Maximum number of expressions that are evaluated per script. */
const MOST_STEPS = 20_000;
const DEEPEST = 60;

interface EvaluatorOptions {
  /** Names whose values change (`changes.ts`). */
  readonly changed?: ReadonlySet<string>;
  /** Where the engine makes functions of SQL. */
  readonly brackets: readonly Range[];
  readonly hasVars: boolean;
  /** Follows what the script changes, so that no name is unknown for that. */
  readonly effects?: Effects;
  readonly homes?: Homes | undefined;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Evaluates the expressions of a script that have no effects. Whatever depends on anything else is unknown. */
export class Evaluator implements Evaluating {
  readonly #changed: ReadonlySet<string>;
  readonly brackets: readonly Range[];
  readonly #known = new Map<Binding, Value>();
  readonly effects: Effects | undefined;
  readonly #homes: Homes | undefined;
  readonly hasVars: boolean;
  readonly block: Evaluation['block'];
  /** The function that is running. */
  #running: FunctionValue['node'] | undefined;
  #steps = 0;
  #depth = 0;

  constructor({ changed = NO_NAMES, brackets, hasVars, effects, homes }: EvaluatorOptions) {
    this.#changed = changed;
    this.brackets = brackets;
    this.hasVars = hasVars;
    this.effects = effects;
    this.#homes = homes;
    this.block = effects && ((statements, scope) => effects.block(statements, scope));
  }

  value(node: AnyNode, scope: Scope): Value {
    this.spend(1);
    if (this.#depth > DEEPEST) {
      if (this.effects) throw new Unfaithful();
      return unknown(node);
    }
    this.#depth++;
    const before = this.#homes?.enter(node);
    try {
      const value = this.#read(node, scope);
      this.#homes?.note(value.node);
      return value;
    } finally {
      this.#depth--;
      this.#homes?.leave(before);
    }
  }

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MOST_STEPS) throw new TooManySteps();
  }

  /** Returns what a function yields for these values; `undefined` stands for values that are not given. */
  apply(called: FunctionValue, given: readonly Value[], at: AnyNode): Value {
    if (!called.node.async) return this.awaited(called, given, at);
    this.effects?.leaked([called, ...given]);
    return unknown(at);
  }

  /** Returns what a function yields, or what the promise of an asynchronous one does. */
  awaited(called: FunctionValue, given: readonly Value[], at: AnyNode): Value {
    const { node } = called;
    if (node.generator) {
      this.effects?.leaked([called, ...given]);
      return unknown(at);
    }
    const before = this.#running;
    this.#running = node;
    try {
      return this.#ran(called, given, at);
    } finally {
      this.#running = before;
    }
  }

  #ran(called: FunctionValue, given: readonly Value[], at: AnyNode): Value {
    const { node } = called;
    const inner = this.bound(called, given);
    if (node.body.type !== 'BlockStatement') return this.value(node.body, inner);
    if (this.effects) return this.effects.returned(node.body.body, inner) ?? nothing(at);
    return this.#returned(node.body.body, inner) ?? unknown(at);
  }

  /** Returns the scope of a function's body for these values. */
  bound({ node, scope, self, onSuper }: FunctionValue, given: readonly Value[]): Scope {
    const inner = new Scope(scope);
    if (node.type === 'FunctionExpression' && node.id)
      inner.set(node.id.name, { value: { is: 'function', node, scope } });
    if (onSuper) inner.set(SUPER, { value: { is: 'function', node, scope, onSuper } });
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
        return templateText(node, scope, this);
      case 'Identifier':
        return this.#name(node.name, scope, node);
      case 'ObjectExpression':
        return objectOf(node, scope, this);
      case 'ArrayExpression':
        return listOf(node, scope, this);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return { is: 'function', node, scope };
      case 'MemberExpression':
        return this.#member(node, scope);
      case 'CallExpression':
        return callOf(node, scope, this);
      default:
        return this.#operation(node, scope);
    }
  }

  #operation(node: AnyNode, scope: Scope): Value {
    switch (node.type) {
      case 'ConditionalExpression': {
        const isTrue = truth(this.value(node.test, scope));
        if (isTrue !== undefined) return this.value(isTrue ? node.consequent : node.alternate, scope);
        this.effects?.skipped(node.consequent, node.alternate);
        return unknown(node);
      }
      case 'LogicalExpression': {
        const left = this.value(node.left, scope);
        const isTaken = isLeft(left, node.operator);
        if (isTaken === undefined) {
          this.effects?.skipped(node.right);
          return unknown(node);
        }
        return isTaken ? left : this.value(node.right, scope);
      }
      case 'UnaryExpression':
        return this.#unary(node, scope);
      case 'BinaryExpression':
        return binaryOf(node, scope, this);
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
        return taggedTemplate(node, scope, this);
      case 'ChainExpression':
        return this.value(node.expression, scope);
      case 'AssignmentExpression':
      case 'UpdateExpression':
      case 'NewExpression':
        return this.effects?.effect(node, scope) ?? unknown(node);
      default:
        this.effects?.skipped(node);
        return unknown(node);
    }
  }

  #unary(node: UnaryExpression, scope: Scope): Value {
    if (node.operator === 'delete' && this.effects) return this.effects.effect(node, scope);
    if (node.operator === 'void' && !this.effects) return nothing(node);
    if (node.operator === 'void') {
      this.value(node.argument, scope);
      return nothing(node);
    }
    const { operator, argument } = node;
    if (operator === 'typeof' && argument.type === 'Identifier' && !scope.get(argument.name)) return unknown(node);
    const given = this.value(node.argument, scope);
    const isTrue = node.operator === '!' ? truth(given) : undefined;
    if (isTrue !== undefined) return { is: 'primitive', value: !isTrue, node };
    const result = given.is === 'primitive' ? resultOfUnary(node.operator, given.value) : undefined;
    return result ? { is: 'primitive', ...result, node } : unknown(node);
  }

  /** Awaits the call of an asynchronous function of the script, or a value other than a promise. */
  #awaited(argument: AnyNode, scope: Scope): Value {
    if (argument.type !== 'CallExpression') return this.value(argument, scope);
    const { callee } = argument;
    const called = isPath(callee) && !argument.optional ? this.value(callee, scope) : undefined;
    if (called?.is !== 'function' || !called.node.async) return this.value(argument, scope);
    const given = this.given(argument.arguments, scope);
    return given ? this.awaited(called, given, argument) : this.value(argument, scope);
  }

  #name(name: string, scope: Scope, node: AnyNode): Value {
    if (this.#changed.has(name)) return unknown(node);
    const binding = scope.get(name);
    if (!binding && name === 'undefined') return nothing(node);
    if (!binding) {
      if (name !== SELF && !KNOWN.has(name) && this.#isEvaluated(node)) this.effects?.isMissing(node, name);
      return unknown(node);
    }
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

  /** Checks whether the engine evaluates a name when the script runs: it makes functions of some code in definitions. */
  #isEvaluated({ start }: AnyNode): boolean {
    const around = this.effects && this.brackets.find((range) => range.start <= start && start < range.end);
    const running = this.#running;
    return !around || (running !== undefined && around.start <= running.start && running.end <= around.end);
  }

  #member(node: MemberExpression, scope: Scope): Value {
    if (node.object.type === 'Super') return unknown(node);
    const object = this.value(node.object, scope);
    if (node.property.type === 'PrivateIdentifier') return heldUnder(object, `#${node.property.name}`, node, this);
    const key = keyOf({ key: node.property, computed: node.computed }, scope, this);
    if (node.optional && object.is === 'primitive' && (object.value === undefined || object.value === null))
      return nothing(node);
    return heldUnder(object, key, node, this);
  }

  given(given: CallExpression['arguments'], scope: Scope): readonly Value[] | undefined {
    const values: Value[] = [];
    for (const each of given) {
      const value = this.value(each.type === 'SpreadElement' ? each.argument : each, scope);
      if (each.type !== 'SpreadElement') values.push(value);
      else if (value.is !== 'list') return undefined;
      else {
        this.spend(value.items.length);
        for (const item of value.items) values.push(item);
      }
    }
    return values;
  }

  isFree(node: AnyNode, scope: Scope): node is Identifier {
    return node.type === 'Identifier' && !scope.get(node.name) && !this.#changed.has(node.name);
  }
}

/** Names that every script has. */
const KNOWN: ReadonlySet<string> = new Set([...JAVASCRIPT, ...SANDBOX]);
