import type { AnyNode, Identifier, Program } from 'acorn';
import { ancestor, base, fullAncestor, simple } from 'acorn-walk';
import { JAVASCRIPT, SANDBOX, SELF } from '#model/syntax/known-names.ts';
import { isFunction } from './value.ts';
import { isCalledForGroup, isLazy, isLeftOut } from './lazy.ts';

/** An undeclared name at a position that runs while the model is loaded. */
export interface UndefinedName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const KNOWN: ReadonlySet<string> = new Set([...SANDBOX, ...JAVASCRIPT]);
const DEFINITIONS = new Set(['cube', 'view', 'view_group', 'context']);
/** A name that the engine refuses everywhere. */
const REMOVED = 'USER_CONTEXT';
const SQL = new Set(['sql', 'sql_table', 'sqlTable']);

/**
 * Returns names that stop the engine with `x is not defined` while it loads a script. In the definition of a cube only values
 * that are read immediately count (`isLazy`); code in the script's own functions only if they are called. `evaluated`: objects in
 * functions that are certainly called; `sql`: functions that the engine calls with nothing but what their parameters name.
 */
export function undefinedNames(
  program: Program,
  evaluated: ReadonlySet<AnyNode> = new Set(),
  sql: ReadonlySet<AnyNode> = new Set(),
): UndefinedName[] {
  const declared = new Set<string>();
  const uses: { readonly node: Identifier; readonly around: readonly AnyNode[] }[] = [];
  const called = new Set<string>();
  const visitors = {
    Identifier: (node: Identifier, _: unknown, around: readonly AnyNode[]) => {
      if (!KNOWN.has(node.name)) uses.push({ node, around: around.slice(0, -1) });
    },
    VariablePattern: ({ name }: Identifier, _: unknown, around: readonly AnyNode[]) => {
      const holder = around.at(-2);
      if (!SELF.has(name) || !holder || !isFunction(holder)) declared.add(name);
    },
    ImportDeclaration: ({ specifiers }: Extract<AnyNode, { type: 'ImportDeclaration' }>) => {
      for (const { local } of specifiers) declared.add(local.name);
    },
    CallExpression: ({ callee, arguments: [name] }: Extract<AnyNode, { type: 'CallExpression' }>) => {
      if (callee.type === 'Identifier') called.add(callee.name);
      // A group can be referred to by its name from then on.
      if (callee.type === 'Identifier' && callee.name === 'view_group') declared.add(textOf(name));
    },
  };
  ancestor(program, visitors as Parameters<typeof ancestor>[1], withoutSql());
  return uses.flatMap(({ node, around }): UndefinedName[] => {
    const { name, start, end } = node;
    return !declared.has(name) && !isParameter(node, around) && isLoaded(node, around, { called, evaluated, sql })
      ? [{ name, start, end }]
      : [];
  });
}

/** Checks whether a surrounding function has a name as its parameter: `(CUBE) => …` does not affect the rest of the script. */
function isParameter({ name }: Identifier, around: readonly AnyNode[]): boolean {
  return around.some(
    (node) => 'params' in node && node.params.some((param) => param.type === 'Identifier' && param.name === name),
  );
}

/** Returns a visitor that skips the SQL of definitions, which is most of a model and read later. */
function withoutSql(): typeof base {
  let depth = 0;
  return {
    ...base,
    CallExpression: (node, state, visit) => {
      const isDefinition = isCallOf(node, DEFINITIONS);
      if (isDefinition) depth++;
      base.CallExpression?.(node, state, visit);
      if (isDefinition) depth--;
    },
    Property: (node, state, visit) => {
      const key = depth > 0 && node.key.type === 'Identifier' ? node.key.name : '';
      if (!SQL.has(key)) base.Property?.(node, state, visit);
    },
  };
}

/** Returns those nodes of a program that the engine evaluates when they run: it makes functions of some code in definitions. */
export function evaluatedAtOnce(program: Program, nodes: ReadonlySet<AnyNode>): readonly AnyNode[] {
  const found = new Set<AnyNode>();
  if (nodes.size === 0) return [];
  fullAncestor(program, (node, _, around) => {
    if (!nodes.has(node)) return;
    const definition = around.findIndex((outer) => isCallOf(outer, DEFINITIONS));
    if (definition === -1 || isEvaluated(around.slice(definition))) found.add(node);
  });
  return [...found];
}

/** Returns every use of a name that the engine refuses everywhere: `USER_CONTEXT`. */
export function removedNames(program: Program): UndefinedName[] {
  const found: UndefinedName[] = [];
  const notice = (node: AnyNode): void => {
    if (node.type === 'Identifier' && node.name === REMOVED)
      found.push({ name: REMOVED, start: node.start, end: node.end });
  };
  simple(program, {
    Identifier: notice,
    Pattern: notice,
    Property: ({ key, computed, shorthand }) => {
      if (!computed && !shorthand) notice(key);
    },
    MemberExpression: ({ property, computed }) => {
      if (!computed) notice(property);
    },
  });
  return found;
}

function textOf(node: AnyNode | undefined): string {
  if (node?.type === 'Literal') return String(node.value);
  return node?.type === 'TemplateLiteral' ? (node.quasis[0]?.value.cooked ?? '') : '';
}

/** The code that runs while a script is loaded: functions by their names, and objects that functions create. */
interface Evaluated {
  readonly called: ReadonlySet<string>;
  readonly evaluated: ReadonlySet<AnyNode>;
  readonly sql: ReadonlySet<AnyNode>;
}

/** Checks whether the engine certainly evaluates a name while it loads the script. */
function isLoaded(node: Identifier, outer: readonly AnyNode[], { called, evaluated, sql }: Evaluated): boolean {
  const own = outer.findLastIndex((each) => sql.has(each));
  if (own !== -1) return runsIn(node, outer.slice(own));
  const run = outer.findIndex((each) => isCallOf(each, DEFINITIONS) && evaluated.has(each));
  // Whatever is around a definition that certainly runs does not matter.
  const around = run === -1 ? outer : outer.slice(run);
  if (isTypeOf(around) || isOptional([...around, node])) return false;
  const definition = around.findIndex((outer) => isCallOf(outer, DEFINITIONS));
  const functions = functionsIn(around, definition);
  if (functions.length === 0) return definition === -1 || isEvaluated(around.slice(definition));
  // Elsewhere the caller may declare a name: only names that can never have another meaning are certain.
  const [at = 0] = functions;
  if (definition !== -1) return isCalled(around, functions, definition);
  const member = around.findLastIndex((outer) => evaluated.has(outer));
  if (member !== -1) return functions.every((outer) => outer < member || isOwnSql(around, outer, member));
  if (functions.length > 1) return false;
  return SELF.has(node.name) && called.has(nameOf(around, at) ?? '');
}

/** Checks for a name that is evaluated whenever a function runs. */
function runsIn(node: Identifier, [, ...around]: readonly AnyNode[]): boolean {
  return !around.some(isFunction) && !isTypeOf(around) && !isOptional([...around, node]);
}

function isTypeOf(around: readonly AnyNode[]): boolean {
  const holder = around.at(-1);
  return holder?.type === 'UnaryExpression' && holder.operator === 'typeof';
}

/** Returns which of the nodes around code are functions that something must call; the engine reads every getter of a definition. */
function functionsIn(around: readonly AnyNode[], definition: number): readonly number[] {
  return around.flatMap((outer, at) => {
    const holder = around[at - 1];
    const isGetter = definition !== -1 && at > definition && holder?.type === 'Property' && holder.kind === 'get';
    return isFunction(outer) && !isModule(holder) && !isGetter ? [at] : [];
  });
}

/** Checks for code directly in a function that the engine calls for the views of a group, or for references within a getter. */
function isCalled(around: readonly AnyNode[], functions: readonly number[], definition: number): boolean {
  const [at = 0, ...more] = functions;
  return more.length === 0 && (isCalledForGroup(around.slice(definition)) || isKept(around, at, definition));
}

/** Checks for a function for references within a getter: there, the engine passes it no names of members. */
function isKept(around: readonly AnyNode[], at: number, definition: number): boolean {
  const holder = around[at - 1];
  const isReference = holder?.type === 'Property' && holder.key.type === 'Identifier' && KEPT.has(holder.key.name);
  const isInGetter = around
    .slice(definition, at - 1)
    .some((outer) => outer.type === 'Property' && outer.kind === 'get' && outer !== holder);
  return isReference && isInGetter;
}

/** Keys of members with references that the engine resolves while it loads the model, and of which it makes functions by their path. */
const KEPT = new Set('drill_members drillMembers group_by groupBy reduce_by reduceBy'.split(' '));

/** Checks whether the engine evaluates a position in a definition at once; `around` as for {@link isLazy}. */
function isEvaluated(around: readonly AnyNode[]): boolean {
  return !isLazy(around) && !isLeftOut(around);
}

/** Checks whether a function is the SQL or a reference of a member, which the engine calls with nothing but its parameters. */
function isOwnSql(around: readonly AnyNode[], at: number, member: number): boolean {
  const isProperty = around[member]?.type === 'Property';
  const holder = isProperty ? around[member] : around[member + 1];
  return (
    at === (isProperty ? member + 1 : member + 2) &&
    holder?.type === 'Property' &&
    holder.key.type === 'Identifier' &&
    CALLED.has(holder.key.name)
  );
}

/** Keys whose functions the engine calls while it loads the model. */
const CALLED = new Set([...SQL, 'join_path', 'joinPath', 'drill_members', 'drillMembers', 'levels']);

/** The children of a statement or an expression that always run; for unlisted types, all do. */
const CERTAIN: Readonly<Record<string, readonly string[]>> = {
  IfStatement: ['test'],
  ConditionalExpression: ['test'],
  LogicalExpression: ['left'],
  AssignmentPattern: ['left'],
  ForStatement: ['init', 'test'],
  ForInStatement: ['left', 'right'],
  ForOfStatement: ['left', 'right'],
  WhileStatement: ['test'],
  TryStatement: ['finalizer'],
  SwitchStatement: ['discriminant'],
  PropertyDefinition: [],
};

/** Checks whether code runs conditionally: a branch, a loop, a `try`, the right side of `&&`. */
function isOptional(around: readonly AnyNode[]): boolean {
  return around.some((node, at) => {
    const outer = around[at - 1];
    if (!outer) return false;
    const certain = CERTAIN[outer.type];
    if (certain) return !Object.entries(outer).some(([key, child]) => child === node && certain.includes(key));
    if (outer.type === 'AssignmentExpression') return /^(?:&&|\|\||\?\?)=$/.test(outer.operator);
    // Arguments of `a?.b(…)` are evaluated only if `a` exists.
    const isChain = around.slice(0, at).some(({ type }) => type === 'ChainExpression');
    return isChain && outer.type === 'CallExpression' && node !== outer.callee;
  });
}

/** Returns the name of a function: `function f() {…}`, `const f = () => …`. */
function nameOf(around: readonly AnyNode[], at: number): string | undefined {
  const node = around[at];
  if (node?.type === 'FunctionDeclaration') return node.id?.name;
  const holder = around[at - 1];
  return holder?.type === 'VariableDeclarator' && holder.id.type === 'Identifier' ? holder.id.name : undefined;
}

function isCallOf(node: AnyNode, names: ReadonlySet<string>): boolean {
  return node.type === 'CallExpression' && node.callee.type === 'Identifier' && names.has(node.callee.name);
}

/** Checks for `asyncModule(async () => …)`, which runs its argument. */
function isModule(node: AnyNode | undefined): boolean {
  return node !== undefined && isCallOf(node, new Set(['asyncModule']));
}
