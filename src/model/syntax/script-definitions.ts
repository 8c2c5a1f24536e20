import type { AnyNode, CallExpression, Expression, ForOfStatement, IfStatement, Program } from 'acorn';
import { full } from 'acorn-walk';
import { CALLS } from './entity.ts';
import { bindPattern, declareNames } from './script-patterns.ts';
import { Evaluator } from './script-run.ts';
import { hasWithin, type ScriptFacts } from './script-facts.ts';
import { type ClassNode, type ListValue, Scope, SELF, truth, type Value } from './script-value.ts';

/** A definition that certainly runs, with what its name and its object are then. */
export interface RunDefinition {
  readonly call: CallExpression;
  readonly name: Value;
  readonly definition: Value;
}

export interface RunDefinitions {
  readonly found: readonly RunDefinition[];
  /** Whether nothing was left out that may be or contain another one. */
  readonly isComplete: boolean;
  /** Evaluates an expression of the script. */
  readonly evaluate: (node: AnyNode, scope: Scope) => Value;
}

/** Maximum number of times that functions and loops run in each other. */
const DEEPEST = 12;

/**
 * Returns the definitions that certainly run while a script is loaded, each as often as it runs: at the top level, in loops over
 * lists that are written out, and in functions that are called. What follows code with an unknown course is omitted.
 */
export function runDefinitions(program: Program, facts: ScriptFacts, changed: ReadonlySet<string>): RunDefinitions {
  const runner = new Runner(new Evaluator(changed, facts.definitions), facts.names.offsetsOf(definersIn(facts)));
  runner.block(program.body, new Scope());
  return runner;
}

/** Returns the names of `cube(…)` and the like, and of all functions and classes of a script that call them. */
function definersIn({ names, declarators, functions, classes }: ScriptFacts): ReadonlySet<string> {
  const holders = [
    ...declarators.flatMap(({ id, init }) => (id.type === 'Identifier' && init ? [{ name: id.name, node: init }] : [])),
    ...functions.flatMap(({ id, body }) => (id ? [{ name: id.name, node: body }] : [])),
    ...classes.flatMap(({ id, body }) => (id ? [{ name: id.name, node: body }] : [])),
  ];
  const definers = new Set(Object.keys(CALLS));
  for (let size = 0; size < definers.size;) {
    size = definers.size;
    const offsets = names.offsetsOf(definers);
    for (const { name, node } of holders) if (!definers.has(name) && hasWithin(offsets, node)) definers.add(name);
  }
  return definers;
}

class Runner implements RunDefinitions {
  readonly found: RunDefinition[] = [];
  isComplete = true;
  readonly #evaluator: Evaluator;
  readonly #definers: readonly number[];
  #depth = 0;

  /** `definers`: the offsets of names whose code may make a definition. */
  constructor(evaluator: Evaluator, definers: readonly number[]) {
    this.#evaluator = evaluator;
    this.#definers = definers;
  }

  evaluate(node: AnyNode, scope: Scope): Value {
    return this.#evaluator.value(node, scope);
  }

  /** Runs the statements of a block; returns whether whatever follows it certainly runs. */
  block(statements: readonly AnyNode[], scope: Scope): boolean {
    declareNames(statements, scope, this.#evaluator);
    return statements.every((statement, at) => {
      const goesOn = this.#statement(statement, scope);
      if (!goesOn) this.#leaveOut(...statements.slice(at + 1));
      return goesOn;
    });
  }

  #statement(statement: AnyNode, scope: Scope): boolean {
    switch (statement.type) {
      case 'ExpressionStatement':
        this.#expression(statement.expression, scope);
        return true;
      case 'BlockStatement':
        return this.block(statement.body, new Scope(scope));
      case 'IfStatement':
        return this.#either(statement, scope);
      case 'ForOfStatement':
        return this.#loop(statement, scope);
      case 'ReturnStatement':
        if (statement.argument) this.#expression(statement.argument, scope);
        return false;
      case 'FunctionDeclaration':
        return true;
      case 'VariableDeclaration':
        for (const { init } of statement.declarations) this.#value(init, scope);
        return true;
      case 'ClassDeclaration':
        this.#class(statement as ClassNode, scope);
        return true;
      default:
        this.#leaveOut(statement);
        return !mayLeave(statement);
    }
  }

  /** Runs what the value of a variable consists of. */
  #value(node: Expression | null | undefined, scope: Scope): void {
    if (node?.type === 'ClassExpression') this.#class(node, scope);
    else if (node && !isFunction(node)) this.#leaveOut(node);
  }

  /** Runs the static blocks of a class. */
  #class(node: ClassNode, scope: Scope): void {
    this.#leaveOut(...runsOf(node));
    for (const item of node.body.body) {
      if (item.type !== 'StaticBlock') continue;
      const inner = new Scope(scope);
      inner.set(SELF, { value: this.#evaluator.value(node, scope) });
      this.#nested(item, () => this.block(item.body, inner));
    }
  }

  #either(statement: IfStatement, scope: Scope): boolean {
    const isTrue = truth(this.#evaluator.value(statement.test, scope));
    if (isTrue === undefined) {
      this.#leaveOut(statement);
      return !leaves(statement);
    }
    const taken = isTrue ? statement.consequent : statement.alternate;
    return !taken || this.#statement(taken, new Scope(scope));
  }

  #loop(statement: ForOfStatement, scope: Scope): boolean {
    const list = this.#evaluator.value(statement.right, scope);
    const { left, body } = statement;
    const pattern = left.type === 'VariableDeclaration' ? left.declarations[0]?.id : undefined;
    if (list.is !== 'list' || !pattern || statement.await) {
      this.#leaveOut(statement);
      return !leaves(statement);
    }
    return list.items.every((item) => {
      const inner = new Scope(scope);
      bindPattern(pattern, item, inner, this.#evaluator);
      return this.#nested(body, () => this.#statement(body, inner));
    });
  }

  /** Notes code that is not run. */
  #leaveOut(...nodes: readonly AnyNode[]): void {
    if (nodes.some((node) => hasWithin(this.#definers, node))) this.isComplete = false;
  }

  #expression(node: Expression, scope: Scope): void {
    const expression = node.type === 'AwaitExpression' ? node.argument : node;
    if (expression.type !== 'CallExpression' || !this.#run(expression, scope)) this.#leaveOut(node);
  }

  /** Runs a call; returns whether that was possible. */
  #run(call: CallExpression, scope: Scope): boolean {
    const { callee, arguments: given } = call;
    if (call.optional || callee.type === 'Super' || given.some(({ type }) => type === 'SpreadElement')) return false;
    if (callee.type === 'Identifier' && Object.hasOwn(CALLS, callee.name) && !scope.get(callee.name))
      return this.#definition(call, scope);
    const values = given.map((each) => this.#evaluator.value(each, scope));
    const [first] = values;
    if (callee.type === 'Identifier' && callee.name === 'asyncModule') return this.#call(first, []);
    if (callee.type !== 'MemberExpression' || !isNamed(callee.property, 'forEach'))
      return this.#call(this.#evaluator.value(callee, scope), values);
    const list = callee.object.type === 'Super' ? undefined : this.#evaluator.value(callee.object, scope);
    return list?.is === 'list' && this.#each(list, first);
  }

  #each(list: ListValue, called: Value | undefined): boolean {
    return list.items.every((item, at) =>
      this.#call(called, [item, { is: 'primitive', value: at, node: item.node }, list]),
    );
  }

  #call(called: Value | undefined, given: readonly Value[]): boolean {
    if (called?.is !== 'function' || called.node.generator) return false;
    const { body } = called.node;
    const inner = this.#evaluator.bound(called, given);
    this.#nested(body, () => {
      if (body.type === 'BlockStatement') return this.block(body.body, inner);
      this.#expression(body, inner);
      return true;
    });
    return true;
  }

  #definition(call: CallExpression, scope: Scope): boolean {
    const [first, ...others] = call.arguments;
    const last = others.at(-1);
    if (!first || !last) return false;
    const name = this.#evaluator.value(first, scope);
    this.found.push({ call, name, definition: this.#evaluator.value(last, scope) });
    return true;
  }

  #nested(node: AnyNode, run: () => boolean): boolean {
    if (this.#depth === DEEPEST) {
      this.#leaveOut(node);
      return false;
    }
    this.#depth++;
    try {
      return run();
    } finally {
      this.#depth--;
    }
  }
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

function isFunction({ type }: AnyNode): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

/** Returns the code of a class that runs when it is declared, without its static blocks. */
function runsOf({ superClass, body }: ClassNode): readonly AnyNode[] {
  const items = body.body.flatMap((item): readonly AnyNode[] => {
    const value = item.type === 'PropertyDefinition' && item.static ? item.value : undefined;
    return value && !isFunction(value) ? [value] : [];
  });
  return superClass ? [superClass, ...items] : items;
}

/** Checks for a statement after which the rest of its function or loop may not run. */
function mayLeave({ type }: AnyNode): boolean {
  return !/^(?:Import|ExportNamed|ExportDefault)Declaration$|^EmptyStatement$/.test(type);
}

/** Checks for a statement in which the function or loop around it may end. */
function leaves(statement: AnyNode): boolean {
  let isThere = false;
  full(statement, ({ type }) => {
    if (/^(?:Return|Break|Continue|Throw)Statement$/.test(type)) isThere = true;
  });
  return isThere;
}
