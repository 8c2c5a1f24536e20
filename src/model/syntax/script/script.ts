import { append } from '#base/long-lists.ts';
import type { AnyNode, CallExpression, Expression, ObjectExpression, Program } from 'acorn';
import { CALLS, type Entity, type EntityKind } from '#model/syntax/entity.ts';
import { constantsOf } from './constants.ts';
import { convert, convertObject, type Source } from './convert.ts';
import { LIST_CHANGES } from './effects.ts';
import { factsOf, type ScriptFacts } from './facts.ts';
import type { HomeOfCode } from './homes.ts';
import { linkScript, type ModuleText, type ScriptModule } from './modules.ts';
import { foreignSyntax, type ImportedFile, importedNames, importsOf } from './imports.ts';
import { type UnwrappedCode, unwrappedSql } from '#model/syntax/unwrapped-sql.ts';
import { type Expanded, expandedEntities } from './expand.ts';
import { withoutFunctions } from '#model/syntax/function-members.ts';
import { isSame } from '#model/syntax/same-tree.ts';
import { evaluatedAtOnce, removedNames, undefinedNames, type UndefinedName } from './names.ts';
import type { Outcome } from './outcome.ts';
import { readScript } from './read.ts';
import { sqlNamesOf } from './read-sql-names.ts';
import type { SqlNames } from './sql-names.ts';
import type { Range } from './value.ts';
import { Values } from './values.ts';
import type { MapNode, ScalarNode, SyntaxProblem, TreeNode, ValueKind } from '#model/syntax/tree.ts';

/** A statement that throws, or a value that is called and is not a function. */
export interface EndingCode extends Range {
  readonly isThrow: boolean;
}

export interface ParsedScript {
  /** The text that its offsets refer to: as long as the script, with something readable in place of half-typed code. */
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly problems: readonly SyntaxProblem[];
  /** Names that the file declares itself (imports, constants, parameters), which are not references to the model. */
  readonly locals: ReadonlySet<string>;
  /** Names that nothing declares, at which loading the script would stop. */
  readonly undefinedNames: readonly UndefinedName[];
  /** The code at which running the script always ends. */
  readonly mistakenCalls: readonly EndingCode[];
  readonly unwrappedSql: readonly UnwrappedCode[];
  /** Other files of the model that it requires. */
  readonly imports: readonly ImportedFile[];
  /** Whether there may be other entities: `cube` or `view` is passed on, or some of the script cannot be read. */
  readonly generates: boolean;
  /** Whether all definitions that it makes are known. */
  readonly isComplete: boolean;
  /** Whether it changes what it imports, which other files then see as well. */
  readonly changesImports: boolean;
  /** Where it uses code of the files that it imports. */
  readonly homes: readonly HomeOfCode[];
  readonly sqlNames: SqlNames;
  /** The files that it imports, and where their code begins in the parsed text. */
  readonly files: readonly Pick<ScriptModule, 'end' | 'path' | 'start'>[];
}

/**
 * Parses the `cube(…)`, `view(…)` and `view_group(…)` calls of a JavaScript model into the same trees as YAML's. `files`: the files
 * of the model that it imports, and those that they import; their code lies behind that of the script in the parsed text.
 */
export function parseScript(written: string, files: readonly ModuleText[] = []): ParsedScript {
  const read = readScript(written);
  const { program, problems, isPartial } = read;
  const { text, modules } = linkScript(read.text, files);
  const facts = factsOf(program);
  const locals = new Set<string>();
  const entities: Entity[] = [];
  const sourceIn = (each: Program, own: ScriptFacts): Source => ({
    text,
    arrows: new Set(),
    values: new Values(constantsOf(each, own)),
  });
  const source: Source = {
    ...sourceIn(program, facts),
    files: modules.map((file) => ({ start: file.start, end: file.end, source: sourceIn(file.program, file.facts) })),
  };
  const certain = new Set(certainCalls(program.body));
  const all = [facts, ...modules.map((file) => file.facts)];
  for (const each of all) addLocals(each, locals);
  const { uses, definitions } = facts;
  const held = heldObjects(program, uses);
  const expanded = expandedEntities(program, facts, source, modules);
  for (const call of definitions) {
    const isCertain = certain.has(call.start);
    const run = expanded.entities.get(call.start);
    for (const entity of entityOf(call, source, isCertain, held))
      entities.push(withExpansions(entity, run, expanded.possible.get(call.start), expanded.isComplete));
  }
  for (const { entity, home } of expanded.foreign) entities.push(calledElsewhere(entity, home, expanded.isComplete));
  // The parameters of `sql: (CUBE, users) => …` name cubes, so they are references themselves.
  const arrows = [source, ...(source.files ?? []).map((file) => file.source)].map((each) => each.arrows);
  for (const [at, each] of all.entries())
    for (const { start, params } of each.functions)
      if (arrows[at]?.has(start) !== true) for (const param of params) addNames(param, locals);
  entities.sort((a, b) => a.node.start - b.node.start);
  const unwrapped = allUnwrapped(program, expanded);
  return {
    text,
    entities,
    problems: [...problems, ...foreignSyntax(program, text)],
    locals,
    undefinedNames: [
      ...missingNames(program, text, expanded, unwrapped),
      ...modules.flatMap((file) => missingInFile(file, expanded)),
    ],
    mistakenCalls: [program, ...modules.map((file) => file.program)].flatMap((each) => endingCode(each, expanded)),
    unwrappedSql: unwrapped,
    imports: importsOf(program),
    isComplete: expanded.isComplete,
    changesImports: changesImports(facts),
    homes: expanded.homes,
    files: modules.map(({ path, start, end }) => ({ path, start, end })),
    sqlNames: sqlNamesIn([{ program, facts }, ...modules], expanded.sqlFunctions),
    generates: isPartial || facts.definingUses.length > definitions.length,
  };
}

function endingCode(program: Program, { mistaken }: Pick<Expanded, 'mistaken'>): readonly EndingCode[] {
  const nodes = evaluatedAtOnce(program, new Set(mistaken));
  return nodes.map(({ start, end, type }) => ({ start, end, isThrow: type === 'ThrowStatement' }));
}

function allUnwrapped(program: Program, { unwrapped }: Pick<Expanded, 'unwrapped'>): readonly UnwrappedCode[] {
  const texts = unwrappedSql(program);
  return [...texts, ...unwrapped.filter(({ start }) => !texts.some((sql) => sql.start === start))];
}

/** Returns what the names in the SQL of a script and of the files that it imports are. */
function sqlNamesIn(
  files: readonly Pick<ScriptModule, 'facts' | 'program'>[],
  functions: Expanded['sqlFunctions'],
): SqlNames {
  return sqlNamesOf(
    files.map(({ program, facts }) => {
      const constants = constantsOf(program, facts);
      return { facts, constants, values: new Values(constants) };
    }),
    functions,
  );
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
    append(starts, [statement.expression.start, ...certainCalls(bodyOfCall(statement.expression), true)]);
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
  { evaluated, missing, sqlFunctions }: Pick<Expanded, 'evaluated' | 'missing' | 'sqlFunctions'>,
  unwrapped: readonly UnwrappedCode[],
): readonly UndefinedName[] {
  const removed = text.includes('USER_CONTEXT') ? removedNames(program) : [];
  const known = undefinedNames(program, evaluated, sqlFunctions);
  const starts = new Set(known.map(({ start }) => start));
  const run = missing.flatMap((node) =>
    node.type === 'Identifier' && !starts.has(node.start)
      ? [{ name: node.name, start: node.start, end: node.end }]
      : [],
  );
  return [...known, ...run, ...removed].filter(
    ({ start }) => !unwrapped.some((sql) => sql.start <= start && start < sql.end),
  );
}

/** Returns the names that nothing declares in functions of another file that the script calls. */
function missingInFile(
  { program }: ScriptModule,
  { evaluated, sqlFunctions }: Pick<Expanded, 'evaluated' | 'sqlFunctions'>,
): readonly UndefinedName[] {
  const own = new Set(undefinedNames(program).map(({ start }) => start));
  return undefinedNames(program, evaluated, sqlFunctions).filter(({ start }) => !own.has(start));
}

/** Checks for a script that changes an object that it imports. */
function changesImports(facts: ScriptFacts): boolean {
  const names = [...importedNames(facts).values()].flat();
  if (names.length === 0) return false;
  const changed = new Set(
    facts.targets.flatMap((target) => (target.type === 'MemberExpression' ? rootOf(target) : [])),
  );
  for (const { callee, arguments: given } of facts.calls) {
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') continue;
    if (LIST_CHANGES.has(callee.property.name)) for (const name of rootOf(callee)) changed.add(name);
    const [first] = given;
    if (callee.property.name === 'assign' && first) for (const name of rootOf(first)) changed.add(name);
  }
  return names.some((name) => changed.has(name));
}

function rootOf(node: AnyNode): readonly string[] {
  if (node.type === 'Identifier') return [node.name];
  return node.type === 'MemberExpression' ? rootOf(node.object) : [];
}

/** Returns the entity that a function of another file makes where the script calls it. */
function calledElsewhere(run: Entity, { start, end }: HomeOfCode['home'], isComplete: boolean): Entity {
  return {
    kind: run.kind,
    conditional: false,
    node: { kind: 'map', start, end, flow: true, pairs: [], open: true },
    nameNode: run.nameNode && { ...run.nameNode, start, end },
    expansions: [{ ...run, nameNode: run.nameNode && { ...run.nameNode, start, end } }],
    hasAllExpansions: isComplete,
  };
}

function addLocals({ declarators, functions, classes, imports }: ScriptFacts, locals: Set<string>): void {
  for (const { id } of declarators) addNames(id, locals);
  for (const { id } of [...functions, ...classes]) if (id) locals.add(id.name);
  for (const { specifiers } of imports) for (const { local } of specifiers) locals.add(local.name);
}

/** Adds what an entity is when it runs, unless it is written out. */
function withExpansions(
  entity: Entity,
  run: readonly Entity[] = [],
  possibleNames: readonly string[] | undefined,
  isComplete: boolean,
): Entity {
  const [first, ...more] = run;
  if (possibleNames) return { ...entity, expansions: first && run, possibleNames, hasAllExpansions: isComplete };
  if (!first && isComplete) return { ...entity, isForOthers: true };
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
    definition.type === 'ObjectExpression'
      ? withoutFunctions(convertObject(definition, source))
      : unread(definition, kind, source);
  const isNoObject = kind !== 'cube' && isTakenApart(definition, source.values);
  const isElsewhere = definition !== last;
  const notAName = isNoName(first, source.values) ? first : undefined;
  return [{ kind, conditional: !certain, isElsewhere, isNoObject, notAName, node, nameNode: nameIn(name) }];
}

/** Checks for a value that is certainly not a text, such as a list, in place of the name of a definition. */
function isNoName(name: Definition, values: Values): boolean {
  const outcome = outcomeOf(name, values);
  if (!outcome) return false;
  return 'value' in outcome
    ? typeof outcome.value !== 'string'
    : outcome.kind === 'map' || NO_OBJECTS.has(outcome.kind);
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
