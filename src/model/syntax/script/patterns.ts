import type { AnyNode, ObjectPattern, Pattern, VariableDeclaration } from 'acorn';
import { base, simple } from 'acorn-walk';
import { heldUnder, keyOf } from './keys.ts';
import { type Evaluation, nothing, type Scope, unknown, type Value } from './value.ts';

/** Gives the names of a pattern their values; `assign` does it for a name or a property that exists already. */
export function bindPattern(
  pattern: Pattern,
  value: Value,
  scope: Scope,
  evaluation: Evaluation,
  assign?: (target: Pattern, value: Value) => void,
): void {
  const bind = (inner: Pattern, held: Value): void => bindPattern(inner, held, scope, evaluation, assign);
  switch (pattern.type) {
    case 'Identifier':
      if (assign) assign(pattern, value);
      else scope.set(pattern.name, { value });
      return;
    case 'MemberExpression':
      assign?.(pattern, value);
      return;
    case 'RestElement':
      bind(pattern.argument, value);
      return;
    case 'AssignmentPattern': {
      const isMissing = value.is === 'primitive' && value.value === undefined;
      bind(pattern.left, isMissing ? evaluation.value(pattern.right, scope) : value);
      return;
    }
    case 'ObjectPattern':
      for (const item of pattern.properties) bindProperty(item, value, pattern, { scope, evaluation, bind });
      return;
    case 'ArrayPattern':
      for (const [at, item] of pattern.elements.entries())
        if (item) bindItem(item, at, value, { scope, evaluation, bind });
  }
}

interface Binder {
  readonly scope: Scope;
  readonly evaluation: Evaluation;
  readonly bind: (inner: Pattern, held: Value) => void;
}

function bindProperty(
  item: ObjectPattern['properties'][number],
  value: Value,
  pattern: ObjectPattern,
  { scope, evaluation, bind }: Binder,
): void {
  if (item.type === 'RestElement') bind(item, restOf(value, pattern, scope, evaluation) ?? unknown(item));
  else bind(item.value, heldUnder(value, keyOf(item, scope, evaluation), item, evaluation));
}

function bindItem(item: Pattern, at: number, value: Value, { evaluation, bind }: Binder): void {
  if (item.type !== 'RestElement') bind(item, itemAt(value, at, item, evaluation));
  else bind(item, value.is === 'list' ? { ...value, items: value.items.slice(at) } : unknown(item));
}

/** Returns the item of a list; behind its end there is nothing. */
function itemAt(value: Value, at: number, node: AnyNode, evaluation: Evaluation): Value {
  if (value.is === 'list' && at >= value.items.length) return nothing(node);
  return heldUnder(value, String(at), node, evaluation);
}

/** Returns what a pattern leaves of an object. */
function restOf(value: Value, pattern: ObjectPattern, scope: Scope, evaluation: Evaluation): Value | undefined {
  if (value.is !== 'object' || value.isOpen || value.instanceOf) return undefined;
  const entries = new Map(value.entries);
  for (const item of pattern.properties) {
    if (item.type === 'RestElement') continue;
    const key = keyOf(item, scope, evaluation);
    if (key === undefined) return undefined;
    entries.delete(key);
  }
  return { ...value, entries };
}

/** Returns the names that a pattern declares. */
export function namesIn(pattern: Pattern): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) => namesIn(each.type === 'RestElement' ? each.argument : each.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((each) => (each ? namesIn(each) : []));
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

const varsByBody = new WeakMap<readonly AnyNode[], readonly string[]>();

/** Returns the names that `var` declares in the body of a function, wherever in it that is. */
export function varsIn(statements: readonly AnyNode[]): readonly string[] {
  let found = varsByBody.get(statements);
  if (!found) {
    const names = new Set<string>();
    for (const statement of statements) addVars(statement, names);
    found = [...names];
    varsByBody.set(statements, found);
  }
  return found;
}

function addVars(statement: AnyNode, names: Set<string>): void {
  simple(
    statement,
    {
      VariableDeclaration: ({ kind, declarations }) => {
        if (kind !== 'var') return;
        for (const { id } of declarations) for (const name of namesIn(id)) names.add(name);
      },
    },
    // Functions have variables of their own.
    { ...base, Function: () => {}, Class: () => {} },
  );
}

/** Declares constants, functions and classes of a block before it runs. */
export function declareNames(statements: readonly AnyNode[], scope: Scope, evaluation: Evaluation): void {
  // The value of a variable of a block in it is known only there.
  if (evaluation.hasVars) for (const name of varsIn(statements)) scope.set(name, { value: UNSET });
  for (const each of statements) {
    const statement = each.type === 'ExportNamedDeclaration' && each.declaration ? each.declaration : each;
    if (statement.type === 'FunctionDeclaration' && statement.id)
      scope.set(statement.id.name, { value: { is: 'function', node: statement, scope } });
    if (statement.type === 'ClassDeclaration' && statement.id) scope.set(statement.id.name, { init: statement, scope });
    if (statement.type === 'VariableDeclaration') declareVariables(statement, scope, evaluation);
  }
}

function declareVariables({ declarations }: VariableDeclaration, scope: Scope, evaluation: Evaluation): void {
  for (const { id, init } of declarations) {
    if (id.type === 'Identifier' && init) scope.set(id.name, { init, scope });
    else bindPattern(id, init ? evaluation.value(init, scope) : unknown(id), scope, evaluation);
  }
}

const UNSET = unknown({ type: 'EmptyStatement', start: 0, end: 0 });
