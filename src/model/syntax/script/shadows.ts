import type { AnyNode, Program } from 'acorn';
import { full } from 'acorn-walk';
import { blockVariables, variablesIn } from './sql-variables.ts';
import type { SqlVariable } from './sql-names.ts';
import type { Range } from './value.ts';

/** Code in which a name has a meaning of its own. */
export interface Shadow extends Range {
  readonly name: string;
}

/**
 * Returns where parameters, variables of loops and blocks, and caught errors have one of the names: `cubes.map((cube) => …)`. What
 * the script declares at its top is not among them.
 */
export function shadowsOf(program: Program, names: ReadonlySet<string>): readonly Shadow[] {
  const found: Shadow[] = [];
  full(program, (node) => {
    for (const { name } of declaredFor(node))
      if (names.has(name)) found.push({ name, start: node.start, end: node.end });
  });
  return found;
}

/** Yields the variables that code declares for itself alone. */
function* declaredFor(node: AnyNode): Iterable<SqlVariable> {
  if ('params' in node) for (const param of node.params) yield* variablesIn(param);
  switch (node.type) {
    case 'BlockStatement':
      yield* blockVariables(node.body);
      return;
    case 'ForStatement':
      if (node.init) yield* variablesOf(node.init);
      return;
    case 'ForOfStatement':
    case 'ForInStatement':
      yield* variablesOf(node.left);
      return;
    case 'CatchClause':
      if (node.param) yield* variablesIn(node.param);
      return;
    default:
  }
}

function* variablesOf(node: AnyNode): Iterable<SqlVariable> {
  if (node.type === 'VariableDeclaration') for (const { id } of node.declarations) yield* variablesIn(id);
}
