import type { AnyNode, Expression, Program } from 'acorn';
import type { ScriptFacts } from './facts.ts';
import { type FunctionNode, isFunction } from './value.ts';
import { resultOf } from '#model/syntax/unwrapped-sql.ts';

/** What the top level of a script declares once and never changes. */
export interface Constants {
  /** Returns the value of a constant: `const name = value`. */
  constant(name: string): Expression | undefined;
  /** Returns the result of a function that does nothing else: `const name = () => result`. */
  result(name: string): Expression | undefined;
  isFunction(name: string): boolean;
  /** Checks for a name that the script declares nowhere: `String` is then JavaScript's. */
  isFree(name: string): boolean;
}

/** Finds the constants of a script. */
export function constantsOf(program: Program, { assigned }: ScriptFacts): Constants {
  const all = heldBy(program);
  const held = (name: string): AnyNode | undefined => (assigned.get(name) === 1 ? all.get(name) : undefined);
  const functionOf = (name: string): FunctionNode | undefined => {
    const node = held(name);
    return node && isFunction(node) ? node : undefined;
  };
  return {
    constant: (name) => {
      const node = held(name);
      return node && !isFunction(node) ? (node as Expression) : undefined;
    },
    result: (name) => {
      const node = functionOf(name);
      return node && !node.async && !node.generator ? resultOf(node) : undefined;
    },
    isFunction: (name) => functionOf(name) !== undefined,
    isFree: (name) => !assigned.has(name),
  };
}

/** Returns what the constants and functions of the top level hold. */
function heldBy({ body }: Program): ReadonlyMap<string, AnyNode> {
  const held = new Map<string, AnyNode>();
  for (const statement of body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type === 'FunctionDeclaration') held.set(declared.id.name, declared);
    if (declared?.type !== 'VariableDeclaration' || declared.kind !== 'const') continue;
    for (const { id, init } of declared.declarations) if (id.type === 'Identifier' && init) held.set(id.name, init);
  }
  return held;
}
