import type { AnyNode, Statement } from 'acorn';
import type { SqlVariable } from './sql-names.ts';

/** Yields the variables of statements that cannot have the name of a parameter. */
export function* blockVariables(statements: readonly Statement[]): Iterable<SqlVariable> {
  for (const statement of statements) {
    const ids: readonly AnyNode[] =
      statement.type === 'VariableDeclaration' && statement.kind !== 'var'
        ? statement.declarations.map(({ id }) => id)
        : statement.type === 'ClassDeclaration'
          ? [statement.id]
          : [];
    for (const id of ids) yield* variablesIn(id);
  }
}

/** Yields the variables of a pattern. */
export function* variablesIn(pattern: AnyNode): Iterable<SqlVariable> {
  switch (pattern.type) {
    case 'Identifier':
      yield { name: pattern.name, start: pattern.start, end: pattern.end };
      return;
    case 'ObjectPattern':
      for (const item of pattern.properties) yield* variablesIn(item.type === 'Property' ? item.value : item.argument);
      return;
    case 'ArrayPattern':
      for (const item of pattern.elements) if (item) yield* variablesIn(item);
      return;
    case 'AssignmentPattern':
      yield* variablesIn(pattern.left);
      return;
    case 'RestElement':
      yield* variablesIn(pattern.argument);
      return;
    default:
  }
}
