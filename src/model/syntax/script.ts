import {
  type AnyNode,
  type ArrayExpression,
  type ArrowFunctionExpression,
  type CallExpression,
  type Expression,
  type Literal,
  type ObjectExpression,
  type Program,
  type Property,
} from 'acorn';
import { full, simple } from 'acorn-walk';
import { CALLS, type Entity, type EntityKind } from './entity.ts';
import { type LooseSql, looseSql, resultOf } from './script-loose.ts';
import { foreignSyntax, type ImportedFile, importsOf } from './script-imports.ts';
import { type ComputedDefinition, computedEntity, sectionsComputedIn } from './script-members.ts';
import { readScript } from './script-read.ts';
import { removedNames, undefinedNames, type UndefinedName } from './script-names.ts';
import { valueKindOf } from './script-values.ts';
import type { MapNode, OpaqueNode, Pair, ScalarNode, SyntaxProblem, TreeNode } from './tree.ts';

export interface ParsedScript {
  /** The text that its offsets refer to: as long as the script, with something readable in place of half-typed code. */
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly problems: readonly SyntaxProblem[];
  /** Names that the file declares itself (imports, constants, parameters), which are not references to the model. */
  readonly locals: ReadonlySet<string>;
  /** Names that nothing declares, at which loading the script would stop. */
  readonly undefinedNames: readonly UndefinedName[];
  readonly looseSql: readonly LooseSql[];
  /** Members that functions of the script create, in definitions of their own that contain nothing else. */
  readonly computed: readonly Entity[];
  /** Other files of the model that it requires. */
  readonly imports: readonly ImportedFile[];
  /** Whether there may be other entities: `cube` or `view` is passed on, or some of the script cannot be read. */
  readonly generates: boolean;
}

/** Parses the `cube(…)`, `view(…)` and `view_group(…)` calls of a JavaScript model into the same trees as YAML's. */
export function parseScript(written: string): ParsedScript {
  const { program, problems, text, isPartial } = readScript(written);
  const locals = new Set<string>();
  const entities: Entity[] = [];
  const source: Source = { text, arrows: new Set() };
  const functions: { readonly start: number; readonly params: readonly AnyNode[] }[] = [];
  const certain = new Set(certainCalls(program.body));
  const calls: CallExpression[] = [];
  const uses = new Map<string, number>();
  simple(program, {
    Identifier: ({ name }) => uses.set(name, (uses.get(name) ?? 0) + 1),
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && Object.hasOwn(CALLS, node.callee.name)) calls.push(node);
    },
    VariableDeclarator: ({ id }) => addNames(id, locals),
    Function: ({ id, params, start }) => {
      if (id) locals.add(id.name);
      functions.push({ start, params });
    },
    ImportDeclaration: ({ specifiers }) => {
      for (const { local } of specifiers) locals.add(local.name);
    },
  });
  const held = heldObjects(program, uses);
  const computed: ComputedDefinition[] = [];
  const sectionsOf = sectionsComputedIn(program);
  for (const call of calls) {
    const isCertain = certain.has(call.start);
    entities.push(...entityOf(call, source, isCertain, held));
    const last = call.arguments.at(-1);
    if (last?.type === 'ObjectExpression') computed.push({ call, isCertain, sections: sectionsOf(last) });
  }
  // The parameters of `sql: (CUBE, users) => …` name cubes, so they are references themselves.
  for (const { start, params } of functions)
    if (!source.arrows.has(start)) for (const param of params) addNames(param, locals);
  entities.sort((a, b) => a.node.start - b.node.start);
  // SQL that must be a function is reported as such, and not for the names in it.
  const loose = looseSql(program);
  const evaluated = computed.flatMap(({ isCertain, sections }) =>
    isCertain ? sections.flatMap(({ members, isSure }) => (isSure ? members : [])) : [],
  );
  const missing = [
    ...undefinedNames(program, new Set<AnyNode>(evaluated)),
    ...(text.includes('USER_CONTEXT') ? removedNames(program) : []),
  ];
  return {
    text,
    entities,
    problems: [...problems, ...foreignSyntax(program)],
    locals,
    undefinedNames: missing.filter(({ start }) => !loose.some((sql) => sql.start <= start && start < sql.end)),
    looseSql: loose,
    computed: computed.flatMap((each) =>
      computedEntity(each, (member) => convertObject(member, { text, arrows: new Set() })),
    ),
    imports: importsOf(program),
    generates: isPartial || Object.keys(CALLS).reduce((sum, name) => sum + (uses.get(name) ?? 0), 0) > calls.length,
  };
}

/** Keys whose value is always SQL. */
const SQL = new Set(['sql', 'sql_table', 'sqlTable']);

/**
 * Returns the start offsets of calls that certainly run exactly once: at the top level, and in functions that are called
 * immediately.
 */
function certainCalls(statements: readonly AnyNode[], isFunction = false): number[] {
  const starts: number[] = [];
  for (const statement of statements) {
    // Anything except a plain statement may end the function early.
    if (isFunction && !/^(?:Expression|Empty)Statement$|Declaration$/.test(statement.type)) break;
    if (statement.type !== 'ExpressionStatement') continue;
    starts.push(statement.expression.start, ...certainCalls(bodyOfCall(statement.expression), true));
  }
  return starts;
}

/** Returns the statements of a function that is called immediately or that `asyncModule` runs. */
function bodyOfCall(node: Expression): readonly AnyNode[] {
  if (node.type !== 'CallExpression') return [];
  const isModule = node.callee.type === 'Identifier' && node.callee.name === 'asyncModule';
  const called: AnyNode | undefined = isModule ? node.arguments[0] : node.callee;
  const isFunction = called?.type === 'ArrowFunctionExpression' || called?.type === 'FunctionExpression';
  return isFunction && called.body.type === 'BlockStatement' ? called.body.body : [];
}

interface Source {
  readonly text: string;
  /** Start offsets of arrow functions whose body was read as a value. */
  readonly arrows: Set<number>;
}

function addNames(pattern: AnyNode, names: Set<string>): void {
  if (pattern.type === 'Identifier') names.add(pattern.name);
  else if (pattern.type === 'ObjectPattern')
    for (const item of pattern.properties) addNames(item.type === 'Property' ? item.value : item.argument, names);
  else if (pattern.type === 'ArrayPattern') for (const item of pattern.elements) if (item) addNames(item, names);
  if (pattern.type === 'AssignmentPattern') addNames(pattern.left, names);
  if (pattern.type === 'RestElement') addNames(pattern.argument, names);
}

/** Returns objects that a constant holds for a single use: they are read as if written there. */
function heldObjects({ body }: Program, uses: ReadonlyMap<string, number>): ReadonlyMap<string, ObjectExpression> {
  const constants = body.flatMap((item) =>
    item.type === 'VariableDeclaration' && item.kind === 'const' ? item.declarations : [],
  );
  return new Map(
    constants.flatMap(({ id, init }): [string, ObjectExpression][] =>
      id.type === 'Identifier' && init?.type === 'ObjectExpression' && uses.get(id.name) === 1 ? [[id.name, init]] : [],
    ),
  );
}

function entityOf(
  call: CallExpression,
  source: Source,
  certain: boolean,
  held: ReadonlyMap<string, ObjectExpression>,
): Entity[] {
  const called = call.callee.type === 'Identifier' ? call.callee.name : '';
  const kind = Object.hasOwn(CALLS, called) ? CALLS[called] : undefined;
  const [first, ...others] = call.arguments;
  const last = others.at(-1);
  if (!kind || !first || !last) return [];
  const definition = (last.type === 'Identifier' && certain ? held.get(last.name) : undefined) ?? last;
  const name = first.type === 'SpreadElement' ? undefined : convert(first, source);
  const node = definition.type === 'ObjectExpression' ? convertObject(definition, source) : unread(definition, kind);
  const nameNode = name?.kind === 'scalar' && name.style !== 'code' ? name : undefined;
  return [{ kind, conditional: !certain, isElsewhere: definition !== last, node, nameNode }];
}

/** Returns the map of a computed definition, which may contain anything; a text or a list in its place has no keys of a cube. */
function unread(definition: AnyNode, kind: EntityKind): MapNode {
  const { start, end, type } = definition;
  const yields = valueKindOf(definition as Expression);
  // The engine ignores a cube without a definition, such as `null`.
  const isNoObject =
    (type === 'Literal' && Boolean(definition.value)) || type === 'ArrayExpression' || yields === 'function';
  return { kind: 'map', start, end, flow: true, pairs: [], open: kind !== 'cube' || !isNoObject };
}

function convert(node: Expression, source: Source): TreeNode {
  const { start, end } = node;
  const { text } = source;
  switch (node.type) {
    case 'ObjectExpression':
      return convertObject(node, source);
    case 'ArrayExpression':
      return convertArray(node, source);
    case 'Literal':
      return literal(node, text);
    case 'TemplateLiteral': {
      const value =
        node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? '') : text.slice(start + 1, end - 1);
      return { kind: 'scalar', start, end, style: 'template', value };
    }
    case 'Identifier':
    case 'MemberExpression':
      return code(node, text);
    case 'ArrowFunctionExpression':
      return convertArrow(node, source);
    case 'UnaryExpression':
      return node.operator === '-' && node.argument.type === 'Literal'
        ? { kind: 'scalar', start, end, style: 'plain', value: text.slice(start, end) }
        : unreadable(node);
    default:
      return unreadable(node);
  }
}

function convertArray({ start, end, elements }: ArrayExpression, source: Source): TreeNode {
  const items = elements.map((item) => (item && item.type !== 'SpreadElement' ? convert(item, source) : undefined));
  return { kind: 'seq', start, end, flow: true, items, open: elements.some((item) => item?.type === 'SpreadElement') };
}

/** Converts `(CUBE) => …` to its result; a function with more statements than its `return` is not read. */
function convertArrow(node: ArrowFunctionExpression, source: Source): TreeNode {
  const result = node.async ? undefined : resultOf(node);
  if (!result) return unreadable(node);
  source.arrows.add(node.start);
  const read = convert(result, source);
  return read.kind === 'opaque' ? { ...read, value: 'function' } : { ...read, isResult: true };
}

/** Returns the node of an expression of which at most the kind of its value is known. */
function unreadable(node: Expression): OpaqueNode {
  return { kind: 'opaque', start: node.start, end: node.end, value: valueKindOf(node) };
}

/** Converts SQL that code assembles to an open list of the templates and paths in it, which may or may not be used. */
function computedSql(node: Expression, source: Source): TreeNode {
  const { start, end } = node;
  const pieces: Expression[] = [];
  full(node, (found) => {
    if (found.type === 'TemplateLiteral' || found.type === 'MemberExpression') pieces.push(found);
  });
  pieces.sort((a, b) => a.start - b.start || b.end - a.end);
  const items: ScalarNode[] = [];
  for (const piece of pieces) {
    const read = convert(piece, source);
    // The contents of a template are read with it.
    if (read.kind === 'scalar' && piece.start >= (items.at(-1)?.end ?? 0)) items.push(read);
  }
  return items.length === 0
    ? { kind: 'opaque', start, end }
    : { kind: 'seq', start, end, flow: true, items, open: true };
}

function literal(node: Literal, text: string): TreeNode {
  const { value, start, end } = node;
  if (typeof value === 'string')
    return { kind: 'scalar', start, end, style: text[start] === "'" ? 'single' : 'double', value };
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return { kind: 'scalar', start, end, style: 'plain', value: text.slice(start, end) };
  return unreadable(node);
}

/** Converts an identifier or a dotted path; anything computed is opaque. */
function code(node: Expression, text: string): TreeNode {
  const { start, end } = node;
  const value = text.slice(start, end);
  return /^[\w$]+(?:\s*\.\s*[\w$]+)*$/.test(value)
    ? { kind: 'scalar', start, end, style: 'code', value: value.replaceAll(/\s/g, '') }
    : { kind: 'opaque', start, end };
}

function convertObject(node: ObjectExpression, source: Source): MapNode {
  const pairs: Pair[] = [];
  let open = false;
  for (const property of node.properties) {
    const pair = property.type === 'Property' ? convertProperty(property, source) : undefined;
    if (pair) pairs.push(pair);
    else open = true;
  }
  return { kind: 'map', start: node.start, end: node.end, flow: true, pairs, open };
}

function convertProperty(property: Property, source: Source): Pair | undefined {
  const { value, end, kind, method } = property;
  const name = kind === 'set' ? undefined : keyNode(property);
  if (!name) return undefined;
  const written = kind === 'get' ? 'getter' : method ? 'method' : undefined;
  const result = kind === 'get' ? resultOf(value) : value;
  // The value of a getter with more statements than its `return` is unknown.
  const read: TreeNode = result ? convert(result, source) : { kind: 'opaque', start: value.start, end: value.end };
  const isSql = read.kind === 'opaque' && SQL.has(name.value);
  return { key: name, value: isSql ? computedSql(value, source) : read, end, written };
}

/** Returns the key of a property; undefined if code computes it. A literal in brackets is a key like any other. */
function keyNode({ key, computed }: Property): ScalarNode | undefined {
  const { start, end } = key;
  if (key.type === 'Identifier' && !computed) return { kind: 'scalar', start, end, style: 'plain', value: key.name };
  if (key.type !== 'Literal') return undefined;
  if (typeof key.value === 'string') return { kind: 'scalar', start, end, style: 'double', value: key.value };
  if (typeof key.value !== 'number') return undefined;
  return { kind: 'scalar', start, end, style: 'plain', value: String(key.value) };
}
