import type {
  AnyNode,
  DoWhileStatement,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  Pattern,
  VariableDeclaration,
  WhileStatement,
} from 'acorn';
import type { Evaluating } from './effects.ts';
import { bindPattern } from './patterns.ts';
import { Unfaithful } from './stops.ts';
import { type PrimitiveValue, Scope, truth, unknown, type Value } from './value.ts';

/** How a statement ends. */
export type Completion =
  | { readonly is: 'normal' }
  | { readonly is: 'return'; readonly value: Value }
  | { readonly is: 'break' | 'continue'; readonly label: string | undefined };

export const NORMAL: Completion = { is: 'normal' };

/** Runs the statements of a script. */
interface LoopRunner {
  readonly evaluator: Evaluating;
  run(statement: AnyNode, scope: Scope): Completion;
  variables(declaration: VariableDeclaration, scope: Scope): void;
  assign(target: AnyNode, value: Value, scope: Scope): void;
  /** Skips code of which it is not known whether it runs. */
  unknown(...nodes: readonly (AnyNode | null | undefined)[]): Completion;
  /** Runs code as it may run any number of times. */
  forAny(run: () => Value | undefined, code: AnyNode): void;
}

export type Loop = DoWhileStatement | ForInStatement | ForOfStatement | ForStatement | WhileStatement;

/** Runs a loop; `label`: its label. */
export function runLoop(loop: Loop, scope: Scope, label: string | undefined, runner: LoopRunner): Completion {
  switch (loop.type) {
    case 'ForOfStatement':
      return forOf(loop, scope, label, runner);
    case 'ForInStatement':
      return forIn(loop, scope, label, runner);
    case 'ForStatement':
      return forWhile(loop, scope, label, runner);
    default:
      return whileTrue(loop, scope, label, runner);
  }
}

function forOf(statement: ForOfStatement, scope: Scope, label: string | undefined, runner: LoopRunner): Completion {
  const list = runner.evaluator.value(statement.right, scope);
  if (list.is !== 'list' || statement.await) {
    if (statement.left.type !== 'VariableDeclaration') throw new Unfaithful();
    runner.forAny(() => {
      forEach(statement, [unknown(statement.right)], scope, label, runner);
      return undefined;
    }, statement.body);
    return NORMAL;
  }
  return forEach(statement, list.items, scope, label, runner);
}

function forIn(statement: ForInStatement, scope: Scope, label: string | undefined, runner: LoopRunner): Completion {
  const object = runner.evaluator.value(statement.right, scope);
  const keys =
    object.is === 'list'
      ? object.items.map((_, at) => String(at))
      : object.is === 'object' && !object.isOpen && !object.instanceOf
        ? [...object.entries.keys()]
        : undefined;
  // JavaScript puts numbers first.
  if (!keys || (object.is === 'object' && keys.some((key) => /^\d/.test(key)))) return runner.unknown(statement.body);
  const items = keys.map((value): PrimitiveValue => ({ is: 'primitive', value, node: statement.right }));
  return forEach(statement, items, scope, label, runner);
}

function forEach(
  { left, body }: ForInStatement | ForOfStatement,
  items: readonly Value[],
  scope: Scope,
  label: string | undefined,
  runner: LoopRunner,
): Completion {
  for (const item of items) {
    const inner = new Scope(scope);
    if (left.type !== 'VariableDeclaration') runner.assign(left, item, scope);
    else if (left.kind === 'var') runner.assign(left.declarations[0]?.id ?? left, item, scope);
    else bindPattern(left.declarations[0]?.id as Pattern, item, inner, runner.evaluator);
    const end = runner.run(body, inner);
    if (endsLoop(end, label)) return after(end, label);
  }
  return NORMAL;
}

function forWhile(
  { init, test, update, body }: ForStatement,
  scope: Scope,
  label: string | undefined,
  runner: LoopRunner,
): Completion {
  let inner = new Scope(scope);
  if (init?.type === 'VariableDeclaration') runner.variables(init, inner);
  else if (init) runner.evaluator.value(init, inner);
  for (;;) {
    runner.evaluator.spend(1);
    const isTrue = test ? truth(runner.evaluator.value(test, inner)) : true;
    if (isTrue === undefined) return runner.unknown(body, update);
    if (!isTrue) return NORMAL;
    const end = runner.run(body, new Scope(inner));
    if (endsLoop(end, label)) return after(end, label);
    // Functions that the body makes keep the variables of their turn.
    inner = inner.copy();
    if (update) runner.evaluator.value(update, inner);
  }
}

function whileTrue(
  { test, body, type }: DoWhileStatement | WhileStatement,
  scope: Scope,
  label: string | undefined,
  runner: LoopRunner,
): Completion {
  for (let isFirst = type === 'DoWhileStatement'; ; isFirst = false) {
    runner.evaluator.spend(1);
    const isTrue = isFirst || truth(runner.evaluator.value(test, scope));
    if (isTrue === undefined) return runner.unknown(body);
    if (!isTrue) return NORMAL;
    const end = runner.run(body, new Scope(scope));
    if (endsLoop(end, label)) return after(end, label);
  }
}

/** Checks whether a statement in a loop ends the loop; `label`: that of the loop. */
function endsLoop(end: Completion, label: string | undefined): boolean {
  return end.is !== 'normal' && !(end.is === 'continue' && (end.label === undefined || end.label === label));
}

/** Returns how a loop ends because of a statement in it. */
function after(end: Completion, label: string | undefined): Completion {
  return end.is === 'break' && (end.label === undefined || end.label === label) ? NORMAL : end;
}

/** Checks for a statement that runs others again and again. */
export function isLoop(statement: AnyNode): statement is Loop {
  return /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/.test(statement.type);
}
