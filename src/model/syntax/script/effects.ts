import type { AnyNode, CallExpression, Identifier } from 'acorn';
import { full } from 'acorn-walk';
import { hasWithin, type ScriptFacts } from './facts.ts';
import type { Evaluation, FunctionValue, ListValue, Range, Scope, Value } from './value.ts';

/** Methods that change their list. */
export const LIST_CHANGES: ReadonlySet<string> = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin'.split(' '),
);
/** Further methods that change their object, or what they are given. */
const CHANGES = new Set(
  'set add delete clear assign defineProperty defineProperties setPrototypeOf apply call bind'.split(' '),
);

/** What code may do beside yielding a value, by its position. */
export class EffectRanges {
  readonly #changes: readonly number[];
  readonly #effects: readonly number[];

  constructor(changes: readonly number[], definitions: readonly number[]) {
    this.#changes = inOrder(changes);
    this.#effects = inOrder([...changes, ...definitions]);
  }

  /** Checks whether code may change something, or make a definition. */
  hasEffect(node: Range): boolean {
    return hasWithin(this.#effects, node);
  }

  /** Checks whether code may change something, or leave the function or the loop around it. */
  changesOrLeaves(node: AnyNode): boolean {
    return hasWithin(this.#changes, node) || leaves(node);
  }
}

function inOrder(offsets: readonly number[]): readonly number[] {
  return [...offsets].sort((a, b) => a - b);
}

/** Returns the offsets of code in a script that may change something; `foreign`: names of imports whose code may. */
export function changesIn(facts: ScriptFacts, foreign: Iterable<string>): readonly number[] {
  const own = [
    ...facts.targets.map(({ start }) => start),
    ...facts.calls.flatMap((call) => {
      if (call.type === 'NewExpression') return [call.start];
      const { callee } = call;
      const isChange =
        callee.type === 'Super' ||
        (callee.type === 'MemberExpression' &&
          (callee.computed || callee.property.type !== 'Identifier' || isChanging(callee.property.name)));
      return isChange ? [call.start] : [];
    }),
  ];
  return spread(facts, own, foreign);
}

/** Returns the offsets of code in a script that may make a definition; `foreign`: names of imports whose code may. */
export function definitionsIn(facts: ScriptFacts, foreign: Iterable<string>): readonly number[] {
  return spread(facts, facts.definingUses, foreign);
}

function isChanging(method: string): boolean {
  return LIST_CHANGES.has(method) || CHANGES.has(method);
}

/** Adds the uses of all functions, classes and objects in whose code one of the offsets is. */
function spread(
  { names, declarators, functions, classes }: ScriptFacts,
  own: readonly number[],
  foreign: Iterable<string>,
): readonly number[] {
  const holders = [
    ...declarators.flatMap(({ id, init }) => (id.type === 'Identifier' && init ? [{ name: id.name, node: init }] : [])),
    ...functions.flatMap(({ id, body }) => (id ? [{ name: id.name, node: body }] : [])),
    ...classes.flatMap(({ id, body }) => (id ? [{ name: id.name, node: body }] : [])),
  ];
  const found = new Set(foreign);
  let offsets = inOrder([...own, ...names.offsetsOf(found)]);
  for (let size = -1; size < found.size;) {
    size = found.size;
    for (const { name, node } of holders) if (!found.has(name) && hasWithin(offsets, node)) found.add(name);
    offsets = inOrder([...own, ...names.offsetsOf(found)]);
  }
  return offsets;
}

/** Checks for code in which the function or loop around it may end. */
function leaves(node: AnyNode): boolean {
  let isThere = false;
  full(node, ({ type }) => {
    if (/^(?:Return|Break|Continue|Throw)Statement$|^YieldExpression$/.test(type)) isThere = true;
  });
  return isThere;
}

/** What a script does to the values and the course of its run, where that is followed. */
export interface Effects {
  /** Runs the body of a function; returns what it returns. */
  returned(statements: readonly AnyNode[], scope: Scope): Value | undefined;
  /** Runs an expression with an effect of its own: an assignment, `new`, `super(…)`. */
  effect(node: AnyNode, scope: Scope): Value;
  /** Runs a static block of a class. */
  block(statements: readonly AnyNode[], scope: Scope): void;
  /** Records the call of `cube(…)` or the like. */
  define(call: CallExpression, values: readonly Value[]): Value;
  /** Runs a function once everything is loaded. */
  later(called: Value | undefined): void;
  /** Notes a name that nothing declares. */
  isMissing(node: AnyNode, name: string): void;
  /** Notes the call of a value that is not a function, at which the script stops; `called`: the code of that value. */
  isMistaken(called: AnyNode): void;
  /** Runs code as it may run any number of times; `code`: all of it. Throws `Unfaithful` if that can change something. */
  forAny(run: () => Value | undefined, code: AnyNode): void;
  /** Runs code of which it is not known whether it runs; what goes wrong in it is not noted. */
  perhaps(run: () => Value): Value;
  /** Checks whether code only yields a value. */
  isPure(node: AnyNode): boolean;
  /** Throws `Unfaithful` unless code that may not run has no effect. */
  skipped(...nodes: readonly AnyNode[]): void;
  /** Throws `Unfaithful` if unknown code could change something through these values. */
  leaked(values: readonly (Value | undefined)[]): void;
  /** Calls a method that changes a list. */
  changedList(name: string, list: ListValue, given: readonly Value[], node: AnyNode): Value;
  /** Copies the keys of objects into another one. */
  assigned(given: readonly Value[], node: AnyNode): Value;
  /** Notices a new object or list. */
  made(value: Value): void;
  /** Returns what a file of the model exports. */
  required(path: string): Value | undefined;
}

/** Evaluates the code of a script, with its effects where these are followed. */
export interface Evaluating extends Evaluation {
  readonly effects: Effects | undefined;
  /** Where the engine makes functions of SQL. */
  readonly brackets: readonly Range[];
  /** Counts work; throws `TooManySteps` if it becomes too much. */
  spend(steps: number): void;
  /** Checks for a name that the script neither declares nor changes. */
  isFree(node: AnyNode, scope: Scope): node is Identifier;
  /** Returns the values of arguments; undefined if their number is not known. */
  given(nodes: CallExpression['arguments'], scope: Scope): readonly Value[] | undefined;
  /** Returns what a function yields, or what the promise of an asynchronous one does. */
  awaited(called: FunctionValue, given: readonly Value[], at: AnyNode): Value;
}
