import type { AnyNode, Identifier, Program } from 'acorn';
import { ancestor } from 'acorn-walk';
import { JAVASCRIPT, SANDBOX } from './known-names.ts';

/** A name that nothing declares, at a place that is run while the model is loaded. */
export interface UndefinedName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const KNOWN: ReadonlySet<string> = new Set([...SANDBOX, ...JAVASCRIPT]);
const DEFINITIONS = new Set(['cube', 'view', 'view_group', 'context']);
const SELF = new Set(['CUBE', 'TABLE']);

/**
 * Names that stop the engine with `x is not defined` while it loads a script. In the definition of a cube only values of
 * keys that are read at once count (`isPlainKey`); what stands in a function of the script's own only where it is called.
 */
export function undefinedNames(program: Program, isPlainKey: (key: string) => boolean): UndefinedName[] {
  const declared = new Set<string>();
  const uses: { readonly node: Identifier; readonly around: readonly AnyNode[] }[] = [];
  const called = new Set<string>();
  const visitors = {
    Identifier: (node: Identifier, _: unknown, around: readonly AnyNode[]) => {
      if (!KNOWN.has(node.name)) uses.push({ node, around: around.slice(0, -1) });
    },
    VariablePattern: ({ name }: Identifier) => declared.add(name),
    ImportDeclaration: ({ specifiers }: Extract<AnyNode, { type: 'ImportDeclaration' }>) => {
      for (const { local } of specifiers) declared.add(local.name);
    },
    CallExpression: ({ callee }: Extract<AnyNode, { type: 'CallExpression' }>) => {
      if (callee.type === 'Identifier') called.add(callee.name);
    },
  };
  ancestor(program, visitors as Parameters<typeof ancestor>[1]);
  return uses.flatMap(({ node, around }): UndefinedName[] => {
    const { name, start, end } = node;
    const isRun = !declared.has(name) && isLoaded(node, around, called, isPlainKey);
    return isRun ? [{ name, start, end }] : [];
  });
}

function isLoaded(
  node: Identifier,
  around: readonly AnyNode[],
  called: ReadonlySet<string>,
  isPlainKey: (key: string) => boolean,
): boolean {
  const definition = around.findLastIndex((outer) => isCallOf(outer, DEFINITIONS));
  if (definition !== -1)
    return isPlainValue(node, around.slice(definition), isPlainKey) && !inFunction(around, definition);
  if (around.at(-1)?.type === 'UnaryExpression') return false;
  const functions = around.flatMap((outer, at) => (isFunction(outer) && !isModule(around[at - 1]) ? [at] : []));
  if (functions.length === 0) return true;
  // Elsewhere a name may be declared by whoever calls: only what is never anything else is sure.
  const [at = 0] = functions;
  return SELF.has(node.name) && functions.length === 1 && called.has(nameOf(around, at) ?? '');
}

function inFunction(around: readonly AnyNode[], before: number): boolean {
  return around.slice(0, before).some((outer, at) => isFunction(outer) && !isModule(around[at - 1]));
}

/** The name of a function: `function f() {…}`, `const f = () => …`. */
function nameOf(around: readonly AnyNode[], at: number): string | undefined {
  const node = around[at];
  if (node?.type === 'FunctionDeclaration') return node.id?.name;
  const holder = around[at - 1];
  return holder?.type === 'VariableDeclarator' && holder.id.type === 'Identifier' ? holder.id.name : undefined;
}

function isFunction({ type }: AnyNode): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

function isCallOf(node: AnyNode, names: ReadonlySet<string>): boolean {
  return node.type === 'CallExpression' && node.callee.type === 'Identifier' && names.has(node.callee.name);
}

/** `asyncModule(async () => …)` runs what it is given. */
function isModule(node: AnyNode | undefined): boolean {
  return node !== undefined && isCallOf(node, new Set(['asyncModule']));
}

/** Whether a name is the value of a key that is read at once, or the name of the definition itself. */
function isPlainValue(
  node: Identifier,
  [call, ...around]: readonly AnyNode[],
  isPlainKey: (key: string) => boolean,
): boolean {
  if (call?.type === 'CallExpression' && call.arguments[0] === node) return true;
  if (around.some(({ type }) => !PLAIN.has(type))) return false;
  const holder = around.at(-1);
  return (
    holder?.type === 'Property' &&
    holder.value === node &&
    holder.key.type === 'Identifier' &&
    isPlainKey(holder.key.name)
  );
}

const PLAIN = new Set(['ObjectExpression', 'Property', 'ArrayExpression']);
