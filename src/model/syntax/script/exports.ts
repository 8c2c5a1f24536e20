import type { AnyNode, ExportNamedDeclaration, ImportDeclaration, ImportSpecifier } from 'acorn';
import type { Evaluating } from './effects.ts';
import { heldUnder } from './keys.ts';
import { changeProperty } from './objects.ts';
import { type Scope, unknown } from './value.ts';

/** The name under which the scope of an imported file holds what it exports. */
export const EXPORTS = 'exports of this';

/** Gives the names of an `import` their values, as the engine does where the statement is. */
export function importNames({ source, specifiers }: ImportDeclaration, scope: Scope, evaluating: Evaluating): void {
  const path = typeof source.value === 'string' ? source.value : '';
  const exports = evaluating.effects?.required(path) ?? unknown(source);
  for (const each of specifiers) {
    const name = each.type === 'ImportSpecifier' ? nameOf(each.imported) : undefined;
    const value = name === undefined ? exports : heldUnder(exports, name, each, evaluating);
    scope.set(each.local.name, { value });
  }
}

/** Exports what an `export` names, with the values that it has then. */
export function exportNames(
  { declaration, specifiers }: ExportNamedDeclaration,
  scope: Scope,
  evaluating: Evaluating,
): void {
  const binding = scope.get(EXPORTS);
  const exports = binding && 'value' in binding ? binding.value : undefined;
  if (!exports) return;
  const node = declaration ?? exports.node;
  const add = (name: string, local: string): void => {
    const held = scope.get(local);
    changeProperty(exports, name, held && 'value' in held ? held.value : unknown(node), node, evaluating);
  };
  for (const { local, exported } of specifiers) add(nameOf(exported), nameOf(local));
  if (declaration?.type === 'VariableDeclaration') {
    for (const { id } of declaration.declarations) if (id.type === 'Identifier') add(id.name, id.name);
  } else if (declaration) add(declaration.id.name, declaration.id.name);
}

function nameOf(node: ImportSpecifier['imported']): string {
  return node.type === 'Identifier' ? node.name : String(node.value);
}

/** Returns what an `export` declares, or the statement itself. */
export function declared(statement: AnyNode): AnyNode {
  return statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement;
}
