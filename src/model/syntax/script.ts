import type { AnyNode, CallExpression, Expression, ObjectExpression, Program } from 'acorn';
import { CALLS, type Entity, type EntityKind } from './entity.ts';
import { constantsOf } from './script-constants.ts';
import { convert, convertObject, type Source } from './script-convert.ts';
import { factsOf } from './script-facts.ts';
import { foreignSyntax, type ImportedFile, importsOf } from './script-imports.ts';
import { type UnwrappedCode, unwrappedSql } from './unwrapped-sql.ts';
import { expandedEntities } from './script-expand.ts';
import { isSame } from './same-tree.ts';
import { removedNames, undefinedNames, type UndefinedName } from './script-names.ts';
import type { Outcome } from './script-outcome.ts';
import { readScript } from './script-read.ts';
import { Values } from './script-values.ts';
import type { MapNode, ScalarNode, SyntaxProblem, TreeNode, ValueKind } from './tree.ts';

export interface ParsedScript {
  /** The text that its offsets refer to: as long as the script, with something readable in place of half-typed code. */
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly problems: readonly SyntaxProblem[];
  /** Names that the file declares itself (imports, constants, parameters), which are not references to the model. */
  readonly locals: ReadonlySet<string>;
  /** Names that nothing declares, at which loading the script would stop. */
  readonly undefinedNames: readonly UndefinedName[];
  readonly unwrappedSql: readonly UnwrappedCode[];
  /** Other files of the model that it requires. */
  readonly imports: readonly ImportedFile[];
  /** Whether there may be other entities: `cube` or `view` is passed on, or some of the script cannot be read. */
  readonly generates: boolean;
}

/** Parses the `cube(…)`, `view(…)` and `view_group(…)` calls of a JavaScript model into the same trees as YAML's. */
export function parseScript(written: string): ParsedScript {
  const { program, problems, text, isPartial } = readScript(written);
  const facts = factsOf(program);
  const locals = new Set<string>();
  const entities: Entity[] = [];
  const source: Source = { text, arrows: new Set(), values: new Values(constantsOf(program, facts)) };
  const certain = new Set(certainCalls(program.body));
  for (const { id } of facts.declarators) addNames(id, locals);
  for (const { id } of [...facts.functions, ...facts.classes]) if (id) locals.add(id.name);
  for (const { specifiers } of facts.imports) for (const { local } of specifiers) locals.add(local.name);
  const { uses, definitions } = facts;
  const held = heldObjects(program, uses);
  const expanded = expandedEntities(program, facts, source);
  for (const call of definitions) {
    const isCertain = certain.has(call.start);
    const run = expanded.entities.get(call.start);
    entities.push(
      ...entityOf(call, source, isCertain, held).map((entity) => withExpansions(entity, run, expanded.isComplete)),
    );
  }
  // The parameters of `sql: (CUBE, users) => …` name cubes, so they are references themselves.
  for (const { start, params } of facts.functions)
    if (!source.arrows.has(start)) for (const param of params) addNames(param, locals);
  entities.sort((a, b) => a.node.start - b.node.start);
  const texts = unwrappedSql(program);
  const unwrapped = [...texts, ...expanded.unwrapped.filter(({ start }) => !texts.some((sql) => sql.start === start))];
  return {
    text,
    entities,
    problems: [...problems, ...foreignSyntax(program, text)],
    locals,
    undefinedNames: missingNames(program, text, expanded.evaluated, unwrapped),
    unwrappedSql: unwrapped,
    imports: importsOf(program),
    generates:
      isPartial || Object.keys(CALLS).reduce((sum, name) => sum + (uses.get(name) ?? 0), 0) > definitions.length,
  };
}

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

/** Returns the names that nothing declares. SQL that must be a function is reported as such, and not for the names in it. */
function missingNames(
  program: Program,
  text: string,
  evaluated: ReadonlySet<AnyNode>,
  unwrapped: readonly UnwrappedCode[],
): readonly UndefinedName[] {
  const removed = text.includes('USER_CONTEXT') ? removedNames(program) : [];
  return [...undefinedNames(program, evaluated), ...removed].filter(
    ({ start }) => !unwrapped.some((sql) => sql.start <= start && start < sql.end),
  );
}

/** Adds what an entity is when it runs, unless it is written out. */
function withExpansions(entity: Entity, run: readonly Entity[] = [], isComplete: boolean): Entity {
  const [first, ...more] = run;
  const isSingle = first && more.length === 0 && !entity.conditional && !first.computedKeys;
  const isWritten = isSingle && isSame(first.node, entity.node);
  return !first || isWritten ? entity : { ...entity, expansions: run, hasAllExpansions: isComplete };
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
  const node =
    definition.type === 'ObjectExpression' ? convertObject(definition, source) : unread(definition, kind, source);
  const isNoObject = kind !== 'cube' && isTakenApart(definition, source.values);
  return [{ kind, conditional: !certain, isElsewhere: definition !== last, isNoObject, node, nameNode: nameIn(name) }];
}

/** Returns the name of a definition, which a constant may hold. */
function nameIn(name: TreeNode | undefined): ScalarNode | undefined {
  if (name?.kind !== 'scalar' || name.style !== 'code') return name?.kind === 'scalar' ? name : undefined;
  return typeof name.yields === 'object' && name.yields.style === 'double'
    ? { ...name, value: name.yields.value }
    : undefined;
}

/** Returns the map of a computed definition, which may contain anything; a text or a list in its place has no keys of a cube. */
function unread(definition: Definition, kind: EntityKind, { values }: Source): MapNode {
  const { start, end } = definition;
  const outcome = outcomeOf(definition, values);
  // The engine ignores a cube without a definition, such as `null`.
  const isNoObject =
    outcome !== undefined && ('value' in outcome ? Boolean(outcome.value) : NO_OBJECTS.has(outcome.kind));
  return { kind: 'map', start, end, flow: true, pairs: [], open: kind !== 'cube' || !isNoObject };
}

/** Checks for a text or a list in place of a view, whose characters or items the engine takes for its keys. */
function isTakenApart(definition: Definition, values: Values): boolean {
  if (definition.type === 'ArrayExpression')
    return definition.elements.some((item) => item?.type !== 'SpreadElement' && item !== null);
  const outcome = outcomeOf(definition, values);
  return outcome !== undefined && 'value' in outcome && typeof outcome.value === 'string' && outcome.value !== '';
}

function outcomeOf(definition: Definition, values: Values): Outcome | undefined {
  return definition.type === 'SpreadElement' ? undefined : values.of(definition);
}

type Definition = CallExpression['arguments'][number];

const NO_OBJECTS: ReadonlySet<ValueKind> = new Set(['list', 'function', 'instance', 'bigint', 'regexp']);
