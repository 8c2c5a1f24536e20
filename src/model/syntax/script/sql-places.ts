import type { AnyNode, ClassBody } from 'acorn';
import { full, recursive } from 'acorn-walk';
import { variablesIn } from './sql-variables.ts';

/** Where code is. */
export interface Place {
  /** Whether it runs whatever happens. */
  readonly isCertain: boolean;
  /** The variables of the functions around it. */
  readonly variables: ReadonlySet<string>;
  /** What those that are declared once hold. */
  readonly held: ReadonlyMap<string, AnyNode>;
  /** The only names that can be references; without, all can. */
  readonly given?: ReadonlySet<string>;
}

/** The place of SQL itself. */
export const NOWHERE: Place = { isCertain: true, variables: new Set(), held: new Map() };

/** Checks for code of a class that runs when it is declared. */
export function runsAtOnce(item: ClassBody['body'][number]): boolean {
  return item.type === 'StaticBlock' || (item.type === 'PropertyDefinition' && item.static);
}

/** Returns a place whose code may not run. */
export function possibly(place: Place): Place {
  return place.isCertain ? { ...place, isCertain: false } : place;
}

/** Returns the place of code with the variables that it declares; of a function, with its parameters. */
export function declaredIn(node: AnyNode, place: Place): Place {
  const variables = new Set(place.variables);
  const held = new Map(place.held);
  const add = (pattern: AnyNode): void => {
    for (const { name } of variablesIn(pattern)) variables.add(name);
  };
  const isOwn = 'params' in node;
  if (isOwn) for (const param of node.params) add(param);
  if (node.type === 'FunctionExpression' && node.id) add(node.id);
  const body = isOwn ? node.body : node;
  if (body.type !== 'BlockStatement') return { ...place, variables };
  const hold = (name: string, value: AnyNode): void =>
    void (variables.has(name) ? held.delete(name) : held.set(name, value));
  full(body, (each) => {
    if (each.type === 'VariableDeclaration')
      for (const { id, init } of each.declarations) {
        if (id.type === 'Identifier' && init && each.kind === 'const') hold(id.name, init);
        else if (id.type === 'Identifier') held.delete(id.name);
        add(id);
      }
    else if (each.type === 'FunctionDeclaration' && each.id) {
      hold(each.id.name, each);
      add(each.id);
    } else if (each.type === 'ClassDeclaration' && each.id) add(each.id);
    else if (each.type === 'CatchClause' && each.param) add(each.param);
  });
  return { ...place, variables, held };
}

/** Checks for a statement at which the function or the loop around it may end. */
export function leaves(statement: AnyNode): boolean {
  let isThere = false;
  recursive(statement, undefined, {
    Function: () => {},
    ReturnStatement: () => void (isThere = true),
    ThrowStatement: () => void (isThere = true),
    BreakStatement: () => void (isThere = true),
    ContinueStatement: () => void (isThere = true),
  });
  return isThere;
}
