import type { AnyNode, CallExpression, Expression, ForOfStatement, IfStatement, Program } from 'acorn';
import { full } from 'acorn-walk';
import { CALLS } from '#model/syntax/entity.ts';
import { changesIn, definitionsIn, EffectRanges } from './effects.ts';
import { Executor } from './execute.ts';
import { type HomeOfCode, Homes } from './homes.ts';
import { importedNames } from './imports.ts';
import type { ScriptModule } from './modules.ts';
import { bindPattern, declareNames } from './patterns.ts';
import { Evaluator } from './run.ts';
import { hasWithin, type ScriptFacts } from './facts.ts';
import { TooManySteps } from './stops.ts';
import { type ClassNode, type ListValue, type Range, Scope, SELF, truth, type Value } from './value.ts';

/** A definition that certainly runs, with what its name and its object are then. */
export interface RunDefinition {
  readonly call: CallExpression;
  readonly name: Value;
  readonly definition: Value;
  /** The code of the script that calls a function of another file, in which the call is. */
  readonly home?: Range | undefined;
}

export interface RunDefinitions {
  readonly found: readonly RunDefinition[];
  /** Whether nothing was left out that may be or contain another one. */
  readonly isComplete: boolean;
  /** Evaluates an expression of the script. */
  readonly evaluate: (node: AnyNode, scope: Scope) => Value;
  /** The names of definitions that may run any number of times, with `FILLER` for what is not known, by the offset of the call. */
  readonly possible?: ReadonlyMap<number, readonly string[]>;
  /** Names that nothing declares, at which the script stops. */
  readonly missing?: readonly AnyNode[];
  /** The code of values that are called and are not functions, at which the script stops. */
  readonly mistaken?: readonly AnyNode[];
  /** Where the script uses code of the files that it imports. */
  readonly homes?: readonly HomeOfCode[];
}

/** Maximum number of times that functions and loops run in each other. */
const DEEPEST = 12;

/**
 * Returns the definitions that certainly run while a script is loaded, each as often as it runs: at the top level, in loops over
 * lists that are written out, and in functions that are called. What follows code with an unknown course is omitted.
 */
export function runDefinitions(program: Program, facts: ScriptFacts, changed: ReadonlySet<string>): RunDefinitions {
  const evaluator = new Evaluator({ changed, brackets: facts.definitions, hasVars: facts.hasVars });
  const runner = new Runner(evaluator, definitionsIn(facts, []));
  runner.block(program.body, new Scope());
  return runner;
}

/**
 * Returns the definitions that run while a script is loaded, as {@link runDefinitions}, with what the script changes and with the
 * files that it imports. Only the names that nothing declares if the effects of some code are not known.
 */
export function followDefinitions(
  program: Program,
  facts: ScriptFacts,
  modules: readonly ScriptModule[],
): Pick<RunDefinitions, 'missing' | 'mistaken'> | RunDefinitions {
  const found: RunDefinition[] = [];
  const possible = new Map<number, readonly string[]>();
  const all = [{ imports: [], facts }, ...modules];
  const changes = effectsOf(facts, modules, changesIn);
  const definers = effectsOf(facts, modules, definitionsIn);
  const homes = modules.length > 0 ? new Homes(program.end) : undefined;
  const brackets = all.flatMap((each) => each.facts.definitions);
  const hasVars = all.some((each) => each.facts.hasVars);
  let isComplete = true;
  const executor = new Executor({
    evaluator: (effects) => new Evaluator({ brackets, hasVars, effects, homes }),
    ranges: new EffectRanges(changes, definers),
    modules,
    define: (call, [name, ...others], isSure) => {
      homes?.note(call);
      const definition = others.at(-1);
      const pattern = name?.is === 'primitive' ? String(name.value) : name?.is === 'unknown' ? name.pattern : undefined;
      if (!isSure && pattern !== undefined && call.start < program.end)
        possible.set(call.start, [...(possible.get(call.start) ?? []), pattern]);
      else if (!isSure) isComplete = false;
      else if (!name || !definition) isComplete = false;
      else found.push({ call, name, definition: copied(definition), home: homes?.current });
    },
    leaveOut: (nodes) => {
      if (nodes.some((node) => hasWithin(definers, node))) isComplete = false;
    },
  });
  try {
    executor.program(program.body, new Scope());
  } catch (error) {
    if (error instanceof TooManySteps) return { missing: executor.missing, mistaken: executor.mistaken };
    throw error;
  }
  return {
    found,
    possible,
    missing: executor.missing,
    mistaken: executor.mistaken,
    isComplete,
    evaluate: (node, scope) => executor.evaluator.value(node, scope),
    get homes() {
      return homes?.found ?? [];
    },
  };
}

/** Returns the object of a definition as it is when it is defined; later changes of its own keys do not count. */
function copied(definition: Value): Value {
  return definition.is === 'object' ? { ...definition, entries: new Map(definition.entries) } : definition;
}

/** Returns the offsets that `find` finds in a script and in the files that it imports, in order. */
function effectsOf(facts: ScriptFacts, modules: readonly ScriptModule[], find: typeof changesIn): readonly number[] {
  const byPath = new Map<string, readonly number[]>();
  const foreign = (own: ScriptFacts): readonly string[] =>
    [...importedNames(own)].flatMap(([path, names]) => ((byPath.get(path)?.length ?? 0) > 0 ? names : []));
  // Files that import each other need several turns.
  for (const _ of modules)
    for (const module of modules) byPath.set(module.path, find(module.facts, foreign(module.facts)));
  return [...find(facts, foreign(facts)), ...[...byPath.values()].flat()].sort((a, b) => a - b);
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
      if (!goesOn) this.#leaveOut(statements.slice(at + 1));
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
        this.#leaveOut([statement]);
        return !mayLeave(statement);
    }
  }

  /** Runs what the value of a variable consists of. */
  #value(node: Expression | null | undefined, scope: Scope): void {
    if (node?.type === 'ClassExpression') this.#class(node, scope);
    else if (node && !isFunction(node)) this.#leaveOut([node]);
  }

  /** Runs the static blocks of a class. */
  #class(node: ClassNode, scope: Scope): void {
    this.#leaveOut(runsOf(node));
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
      this.#leaveOut([statement]);
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
      this.#leaveOut([statement]);
      return !leaves(statement);
    }
    return list.items.every((item) => {
      const inner = new Scope(scope);
      bindPattern(pattern, item, inner, this.#evaluator);
      return this.#nested(body, () => this.#statement(body, inner));
    });
  }

  /** Notes code that is not run. */
  #leaveOut(nodes: readonly AnyNode[]): void {
    if (nodes.some((node) => hasWithin(this.#definers, node))) this.isComplete = false;
  }

  #expression(node: Expression, scope: Scope): void {
    const expression = node.type === 'AwaitExpression' ? node.argument : node;
    if (expression.type !== 'CallExpression' || !this.#run(expression, scope)) this.#leaveOut([node]);
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
      this.#leaveOut([node]);
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
