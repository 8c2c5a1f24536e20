import type { AnyNode, CallExpression, IfStatement, SwitchStatement, TryStatement, VariableDeclaration } from 'acorn';
import { assign, type Changing, effectOf } from './assignments.ts';
import type { EffectRanges, Effects } from './effects.ts';
import { declared, EXPORTS, exportNames, importNames } from './exports.ts';
import { listChanged } from './list-changes.ts';
import { type Completion, isLoop, type Loop, NORMAL, runLoop } from './loops.ts';
import { ModuleExports, type ScriptModule } from './modules.ts';
import { bindPattern, varsIn } from './patterns.ts';
import type { Evaluator } from './run.ts';
import { Unfaithful } from './stops.ts';
import {
  type ClassNode,
  type FunctionValue,
  type ListValue,
  nothing,
  ObjectMaker,
  type ObjectValue,
  Scope,
  truth,
  unknown,
  type Value,
} from './value.ts';

interface ExecutorOptions {
  /** Creates the evaluator of expressions. */
  readonly evaluator: (effects: Effects) => Evaluator;
  readonly ranges: EffectRanges;
  readonly modules: readonly ScriptModule[];
  /** Records a definition, of which `values` are the arguments. */
  readonly define: (call: CallExpression, values: readonly Value[], isSure: boolean) => void;
  /** Notes code that does not run, or of which that is not known. */
  readonly leaveOut: (nodes: readonly AnyNode[]) => void;
}

/**
 * Executes the statements of a script one after the other, with what they change. Throws `Unfaithful` at code whose effects are not
 * known: everything after it would be a guess.
 */
export class Executor implements Effects {
  readonly evaluator: Evaluator;
  readonly #ranges: EffectRanges;
  readonly #options: ExecutorOptions;
  readonly #exports: ModuleExports;
  readonly #changing: Changing;
  /** Functions that are given to `asyncModule`, which the engine calls once all files are loaded. */
  readonly #later: FunctionValue[] = [];
  /** What the top level of imported files made: other files may change it, so that its changes are not followed. */
  readonly #shared = new Set<object>();
  #loading = 0;
  #isOver = false;
  /** How many loops are running of which it is not known how often they do. */
  #unsure = 0;
  /** How many `try` statements are running that would catch an error, and how much code that may not run at all. */
  #caught = 0;
  /** The names of definitions, which views and groups may have as variables. */
  readonly #defined = new Set<string>();
  readonly #missing = new Map<AnyNode, string>();
  readonly #mistaken = new Set<AnyNode>();

  constructor(options: ExecutorOptions) {
    this.evaluator = options.evaluator(this);
    this.#ranges = options.ranges;
    this.#options = options;
    this.#changing = { evaluator: this.evaluator, effects: this, change: (holder) => this.#change(holder) };
    this.#exports = new ModuleExports(options.modules, (module, update) => this.#module(module, update));
  }

  /** Runs a whole script, and then the functions that it gives to `asyncModule`. */
  program(statements: readonly AnyNode[], scope: Scope): void {
    this.#body(statements, scope);
    for (let next = this.#later.shift(); next; next = this.#later.shift()) this.evaluator.awaited(next, [], next.node);
    this.#isOver = true;
  }

  /** Runs the top level of a file that is imported. */
  #module({ program }: ScriptModule, update: (exports: Value) => void): void {
    const scope = new Scope();
    const box: ObjectValue = { is: 'object', entries: new Map(), isOpen: false, node: program };
    this.#loading++;
    scope.set(EXPORTS, { value: box });
    update(box);
    this.#shared.add(scope);
    this.#body(program.body, scope);
    const last = scope.get(EXPORTS);
    if (last && 'value' in last) update(last.value);
    this.#loading--;
  }

  required(path: string): Value | undefined {
    return this.#exports.required(path);
  }

  returned(statements: readonly AnyNode[], scope: Scope): Value | undefined {
    const end = this.#body(statements, scope);
    return end.is === 'return' ? end.value : undefined;
  }

  block(statements: readonly AnyNode[], scope: Scope): void {
    this.#body(statements, scope);
  }

  define(call: CallExpression, values: readonly Value[]): Value {
    // The definitions of an imported file are its own.
    if (this.#loading === 0) this.#options.define(call, values, this.#unsure === 0);
    const [name] = values;
    if (name?.is === 'primitive') this.#defined.add(String(name.value));
    return unknown(call);
  }

  later(called: Value | undefined): void {
    if (called?.is === 'function' && this.#loading === 0) this.#later.push(called);
  }

  made(value: Value): void {
    if (this.#loading > 0) this.#shared.add(value);
  }

  #change(holder: object): void {
    if (this.#loading === 0 && this.#shared.has(holder)) throw new Unfaithful();
  }

  assigned([target, ...sources]: readonly Value[], node: AnyNode): Value {
    if (target?.is !== 'object') {
      this.leaked([target, ...sources]);
      return unknown(node);
    }
    this.#change(target);
    const made = new ObjectMaker(target);
    for (const each of sources) made.spread(each);
    target.isOpen = made.isOpen;
    return target;
  }

  /** The names that nothing declares, at which the script stops. */
  get missing(): readonly AnyNode[] {
    return [...this.#missing].flatMap(([node, name]) => (this.#defined.has(name) ? [] : [node]));
  }

  isMissing(node: AnyNode, name: string): void {
    if (this.#isSure) this.#missing.set(node, name);
  }

  /** The code of values that are called and are not functions, and what throws an error: the script stops there. */
  get mistaken(): readonly AnyNode[] {
    return [...this.#mistaken];
  }

  isMistaken(called: AnyNode): void {
    // A file that is imported has its own mistakes.
    if (this.#isSure && this.#loading === 0) this.#mistaken.add(called);
  }

  /** Whether the code that runs now certainly runs, and nothing catches its errors. */
  get #isSure(): boolean {
    return this.#unsure === 0 && this.#caught === 0 && !this.#isOver;
  }

  forAny(run: () => Value | undefined, code: AnyNode): void {
    if (this.#ranges.changesOrLeaves(code)) throw new Unfaithful();
    this.#unsure++;
    run();
    this.#unsure--;
  }

  perhaps(run: () => Value): Value {
    this.#caught++;
    const value = run();
    this.#caught--;
    return value;
  }

  isPure(node: AnyNode): boolean {
    return !this.#ranges.hasEffect(node);
  }

  skipped(...nodes: readonly AnyNode[]): void {
    for (const node of nodes) if (!this.isPure(node)) throw new Unfaithful();
  }

  leaked(values: readonly (Value | undefined)[]): void {
    for (const value of values) {
      if (value?.is === 'object' || value?.is === 'list' || value?.is === 'class') throw new Unfaithful();
      if (value?.is === 'function' && !this.isPure(value.node)) throw new Unfaithful();
    }
  }

  changedList(name: string, list: ListValue, given: readonly Value[], node: AnyNode): Value {
    this.#change(list);
    return listChanged(name, list, given, node);
  }

  effect(node: AnyNode, scope: Scope): Value {
    return effectOf(node, scope, this.#changing);
  }

  #body(statements: readonly AnyNode[], scope: Scope): Completion {
    for (const name of varsIn(statements)) if (scope.holderOf(name) !== scope) scope.set(name, { value: UNSET });
    return this.#block(statements, scope);
  }

  #block(statements: readonly AnyNode[], scope: Scope): Completion {
    for (const each of statements) {
      const statement = declared(each);
      if (statement.type === 'FunctionDeclaration' && statement.id)
        scope.set(statement.id.name, { value: { is: 'function', node: statement, scope } });
    }
    for (const statement of statements) {
      const end = this.#statement(statement, scope);
      if (end.is !== 'normal') return end;
    }
    return NORMAL;
  }

  #statement(statement: AnyNode, scope: Scope, label?: string): Completion {
    switch (statement.type) {
      case 'ExpressionStatement':
        this.evaluator.value(statement.expression, scope);
        return NORMAL;
      case 'VariableDeclaration':
        this.#variables(statement, scope);
        return NORMAL;
      case 'ClassDeclaration':
        this.#class(statement as ClassNode, scope);
        return NORMAL;
      case 'BlockStatement':
      case 'StaticBlock':
        return this.#block(statement.body, new Scope(scope));
      case 'ReturnStatement':
        return {
          is: 'return',
          value: statement.argument ? this.evaluator.value(statement.argument, scope) : nothing(statement),
        };
      case 'LabeledStatement': {
        const end = this.#statement(statement.body, scope, statement.label.name);
        return end.is === 'break' && end.label === statement.label.name ? NORMAL : end;
      }
      default:
        return this.#control(statement, scope, label);
    }
  }

  #control(statement: AnyNode, scope: Scope, label: string | undefined): Completion {
    if (isLoop(statement)) return this.#loop(statement, scope, label);
    switch (statement.type) {
      case 'IfStatement':
        return this.#if(statement, scope);
      case 'SwitchStatement':
        return this.#switch(statement, scope);
      case 'TryStatement':
        return this.#try(statement, scope);
      case 'BreakStatement':
        return { is: 'break', label: statement.label?.name };
      case 'ContinueStatement':
        return { is: 'continue', label: statement.label?.name };
      default:
        this.#declaration(statement, scope);
        return NORMAL;
    }
  }

  #declaration(statement: AnyNode, scope: Scope): void {
    switch (statement.type) {
      case 'FunctionDeclaration':
      case 'EmptyStatement':
        return;
      case 'ImportDeclaration':
        importNames(statement, scope, this.evaluator);
        return;
      case 'ExportNamedDeclaration':
        if (statement.declaration) this.#statement(statement.declaration, scope);
        exportNames(statement, scope, this.evaluator);
        return;
      case 'ExportDefaultDeclaration': {
        const value = this.evaluator.value(statement.declaration, scope);
        if (this.#loading > 0) scope.set(EXPORTS, { value });
        return;
      }
      case 'ThrowStatement':
        this.evaluator.value(statement.argument, scope);
        this.isMistaken(statement);
        throw new Unfaithful();
      default:
        throw new Unfaithful();
    }
  }

  #loop(statement: Loop, scope: Scope, label: string | undefined): Completion {
    return runLoop(statement, scope, label, {
      evaluator: this.evaluator,
      run: (each, inner) => this.#statement(each, inner),
      variables: (declaration, inner) => this.#variables(declaration, inner),
      assign: (target, value, inner) => assign(target, value, inner, this.#changing),
      unknown: (...nodes) => this.#unknown(nodes),
      forAny: (run, code) => this.forAny(run, code),
    });
  }

  #if({ test, consequent, alternate }: IfStatement, scope: Scope): Completion {
    const isTrue = truth(this.evaluator.value(test, scope));
    if (isTrue === undefined) return this.#unknown([consequent, alternate]);
    const taken = isTrue ? consequent : alternate;
    return taken ? this.#statement(taken, scope) : NORMAL;
  }

  /** Skips code of which it is not known whether it runs; that must not matter for what follows. */
  #unknown(nodes: readonly (AnyNode | null | undefined)[]): Completion {
    const code = nodes.filter((node) => node !== null && node !== undefined);
    this.#options.leaveOut(code);
    for (const node of code) if (this.#ranges.changesOrLeaves(node)) throw new Unfaithful();
    return NORMAL;
  }

  #variables({ kind, declarations }: VariableDeclaration, scope: Scope): void {
    for (const { id, init } of declarations) {
      if (!init && kind === 'var') continue;
      const value = init ? this.evaluator.value(init, scope) : nothing(id);
      if (kind === 'var') assign(id, value, scope, this.#changing);
      else bindPattern(id, value, scope, this.evaluator);
    }
  }

  /** Declares a class, and runs its static blocks. */
  #class(node: ClassNode, scope: Scope): void {
    const value = this.evaluator.value(node, scope);
    if (node.id) scope.set(node.id.name, { value });
  }

  #switch({ discriminant, cases }: SwitchStatement, outer: Scope): Completion {
    const given = this.evaluator.value(discriminant, outer);
    const scope = new Scope(outer);
    let isTaken = false;
    const matches = cases.map(({ test }) => {
      if (!test || isTaken) return false;
      const value = this.evaluator.value(test, scope);
      if (value.is !== 'primitive' || given.is !== 'primitive') return undefined;
      isTaken = value.value === given.value;
      return isTaken;
    });
    if (matches.includes(undefined)) return this.#unknown(cases);
    const first = isTaken ? matches.indexOf(true) : cases.findIndex(({ test }) => !test);
    const statements = first === -1 ? [] : cases.slice(first).flatMap(({ consequent }) => consequent);
    const end = this.#block(statements, scope);
    return end.is === 'break' && end.label === undefined ? NORMAL : end;
  }

  /** Runs a block that may fail; what happens then must not matter. */
  #try({ block, handler, finalizer }: TryStatement, scope: Scope): Completion {
    if (handler && this.#ranges.changesOrLeaves(handler.body)) throw new Unfaithful();
    if (handler) this.#options.leaveOut([handler]);
    if (handler) this.#caught++;
    const end = this.#statement(block, scope);
    if (handler) this.#caught--;
    const last = finalizer ? this.#statement(finalizer, scope) : NORMAL;
    return last.is === 'normal' ? end : last;
  }
}

const UNSET: Value = { is: 'primitive', value: undefined, node: { type: 'EmptyStatement', start: 0, end: 0 } };
