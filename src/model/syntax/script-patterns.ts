import type { AnyNode, Pattern } from 'acorn';
import { heldUnder, keyOf } from './script-keys.ts';
import { type Evaluation, type Scope, unknown, type Value } from './script-value.ts';

/** Gives the names of a pattern their values. */
export function bindPattern(pattern: Pattern, value: Value, scope: Scope, evaluation: Evaluation): void {
  const bind = (inner: Pattern, held: Value): void => bindPattern(inner, held, scope, evaluation);
  if (pattern.type === 'Identifier') scope.set(pattern.name, { value });
  else if (pattern.type === 'RestElement') bind(pattern.argument, value);
  else if (pattern.type === 'AssignmentPattern') {
    const isMissing = value.is === 'primitive' && value.value === undefined;
    bind(pattern.left, isMissing ? evaluation.value(pattern.right, scope) : value);
  } else if (pattern.type === 'ObjectPattern')
    for (const item of pattern.properties) {
      if (item.type === 'RestElement') bind(item, unknown(item));
      else bind(item.value, heldUnder(value, keyOf(item, scope, evaluation), item, evaluation));
    }
  else if (pattern.type === 'ArrayPattern')
    for (const [at, item] of pattern.elements.entries()) {
      if (item?.type === 'RestElement') bind(item, unknown(item));
      else if (item) bind(item, heldUnder(value, String(at), item, evaluation));
    }
}

/** Declares constants, functions and classes of a block before it runs. */
export function declareNames(statements: readonly AnyNode[], scope: Scope, evaluation: Evaluation): void {
  for (const each of statements) {
    const statement = each.type === 'ExportNamedDeclaration' && each.declaration ? each.declaration : each;
    if (statement.type === 'FunctionDeclaration' && statement.id)
      scope.set(statement.id.name, { value: { is: 'function', node: statement, scope } });
    if (statement.type === 'ClassDeclaration' && statement.id) scope.set(statement.id.name, { init: statement, scope });
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement.declarations) {
      if (id.type === 'Identifier' && init) scope.set(id.name, { init, scope });
      else bindPattern(id, init ? evaluation.value(init, scope) : unknown(id), scope, evaluation);
    }
  }
}
