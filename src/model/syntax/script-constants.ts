import type {
  AnyNode,
  ArrowFunctionExpression,
  Expression,
  FunctionDeclaration,
  FunctionExpression,
  Identifier,
  ImportDeclaration,
  Program,
  UpdateExpression,
} from 'acorn';
import { simple } from 'acorn-walk';
import { resultOf } from './unwrapped-sql.ts';

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

/** Finds the constants of a script, when the first of them is needed. */
export function constantsOf(program: Program): Constants {
  let found: ReturnType<typeof declarationsIn> | undefined;
  const read = (): ReturnType<typeof declarationsIn> => (found ??= declarationsIn(program));
  const held = (name: string): AnyNode | undefined =>
    read().counts.get(name) === 1 ? read().held.get(name) : undefined;
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
    isFree: (name) => !read().counts.has(name),
  };
}

type FunctionNode = ArrowFunctionExpression | FunctionDeclaration | FunctionExpression;

function isFunction(node: AnyNode): node is FunctionNode {
  return (
    node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression'
  );
}

/** Returns what the constants and functions of the top level hold, and how often each name is declared or assigned anywhere. */
function declarationsIn(program: Program): {
  readonly held: ReadonlyMap<string, AnyNode>;
  readonly counts: ReadonlyMap<string, number>;
} {
  const held = new Map<string, AnyNode>();
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const visitors = {
    // A declaration, a parameter or an assignment.
    VariablePattern: ({ name }: Identifier) => count(name),
    UpdateExpression: ({ argument }: UpdateExpression) => {
      if (argument.type === 'Identifier') count(argument.name);
    },
    ImportDeclaration: ({ specifiers }: ImportDeclaration) => {
      for (const { local } of specifiers) count(local.name);
    },
  };
  simple(program, visitors as Parameters<typeof simple>[1]);
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type === 'FunctionDeclaration') held.set(declared.id.name, declared);
    if (declared?.type !== 'VariableDeclaration' || declared.kind !== 'const') continue;
    for (const { id, init } of declared.declarations) if (id.type === 'Identifier' && init) held.set(id.name, init);
  }
  return { held, counts };
}
