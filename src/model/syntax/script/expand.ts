import type { AnyNode, Expression, Program, Property } from 'acorn';
import { canonicalKey, language } from '#model/language/language.ts';
import type { ShapeName, Type } from '#model/language/types.ts';
import { CALLS, type Entity } from '#model/syntax/entity.ts';
import { changedNames } from './changes.ts';
import { membersOfFunction } from '#model/syntax/function-members.ts';
import {
  convert,
  convertObject,
  convertProperty,
  convertSql,
  type SqlNode,
  type Source,
  sourceOf,
  writtenAs,
} from './convert.ts';
import type { ScriptFacts } from './facts.ts';
import type { HomeOfCode } from './homes.ts';
import type { ScriptModule } from './modules.ts';
import { followDefinitions, runDefinitions, type RunDefinition, type RunDefinitions } from './definitions.ts';
import { TooManySteps } from './stops.ts';
import { BracketKeys } from './bracket-keys.ts';
import { isLoneSetter, unknown, UNNAMED } from './value.ts';
import { asName, isEvaluatedName } from './nested-names.ts';
import { ANY, isExpressionType, isName, mayBeExpanded, mustBeFunction, optionFor } from './read-types.ts';
import type { Entry, FunctionNode, ListValue, ObjectValue, PrimitiveValue, Value } from './value.ts';
import type { UnwrappedCode } from '#model/syntax/unwrapped-sql.ts';
import type { MapNode, OpaqueNode, Pair, ScalarNode, TreeNode } from '#model/syntax/tree.ts';

/** What the definitions of a script are when it runs. */
export interface Expanded extends Required<Pick<RunDefinitions, 'missing' | 'mistaken'>> {
  /** By the start offset of the call that makes them. */
  readonly entities: ReadonlyMap<number, readonly Entity[]>;
  /** Calls that certainly run, and objects that are in a definition as they are written, wherever in the script that is. */
  readonly evaluated: ReadonlySet<AnyNode>;
  /** Functions that are used as SQL by another name, such as a parameter: the engine calls them with nothing but what they name. */
  readonly sqlFunctions: ReadonlySet<FunctionNode>;
  /** References that must be functions, because they are not written in a definition. */
  readonly unwrapped: readonly UnwrappedCode[];
  /** Whether these are all the definitions of the script, each as often as it runs. */
  readonly isComplete: boolean;
  /** Definitions that a function of another file makes for the script, with the code of the script that calls it. */
  readonly foreign: readonly { readonly entity: Entity; readonly home: Range }[];
  /** The names of definitions that may run any number of times, by the start offset of the call. */
  readonly possible: ReadonlyMap<number, readonly string[]>;
  /** Where the script uses code of the files that it imports. */
  readonly homes: readonly HomeOfCode[];
}

/**
 * Returns the definitions of a script that certainly run, with constants, spreads and the results of functions in their places.
 * Nodes have the offsets of the code that they come from.
 */
export function expandedEntities(
  program: Program,
  facts: ScriptFacts,
  source: Source,
  modules: readonly ScriptModule[] = [],
): Expanded {
  const entities = new Map<number, Entity[]>();
  const foreign: { readonly entity: Entity; readonly home: Range }[] = [];
  const notes: Notes = { evaluated: new Set(), sqlFunctions: new Set(), unwrapped: new Map() };
  const runs = definitionsIn(program, facts, source, modules);
  const { found, isComplete } = runs;
  for (const run of found) {
    const entity = new Expander(run, source, notes, new BracketKeys(runs.evaluate.bind(runs), source.text)).entity();
    if (run.call.start >= program.end) {
      if (entity && run.home) foreign.push({ entity, home: run.home });
      continue;
    }
    const others = entities.get(run.call.start);
    if (entity) notes.evaluated.add(run.call);
    if (entity && others) others.push(entity);
    else if (entity) entities.set(run.call.start, [entity]);
  }
  return {
    entities,
    evaluated: notes.evaluated,
    sqlFunctions: notes.sqlFunctions,
    unwrapped: [...notes.unwrapped.values()],
    isComplete,
    foreign,
    homes: runs.homes ?? [],
    possible: runs.possible ?? new Map<number, readonly string[]>(),
    missing: runs.missing ?? [],
    mistaken: runs.mistaken ?? [],
  };
}

function definitionsIn(
  program: Program,
  facts: ScriptFacts,
  { text }: Source,
  modules: readonly ScriptModule[],
): RunDefinitions {
  if (!MAY_EXPAND.test(text)) return NOTHING;
  const followed = followDefinitions(program, facts, modules);
  if ('found' in followed) return followed;
  const known = knownDefinitions(program, facts);
  // Functions of other files may make some.
  const isComplete = known.isComplete && modules.every((file) => file.facts.definitions.length === 0);
  return { ...followed, found: known.found, evaluate: known.evaluate.bind(known), isComplete };
}

function knownDefinitions(program: Program, facts: ScriptFacts): RunDefinitions {
  const changed = changedNames(facts);
  if (!changed) return NOTHING;
  try {
    return runDefinitions(program, facts, changed);
  } catch (error) {
    if (error instanceof TooManySteps) return NOTHING;
    throw error;
  }
}

const NOTHING: RunDefinitions = { found: [], isComplete: false, evaluate: unknown };

/** Code without which every definition is written out. */
const MAY_EXPAND =
  /\.\.\.|=>|\b(?:function|for|const|let|var|class|import|require|throw)\b|\bset\s|['"]\s*(?:\+|(?:\?\.\s*)?\()|\bObject\.|\[\s*\[|:\s*(?:[!~]|[A-Za-z_.]+\(|(?:void|typeof|undefined)\b)/;

interface Notes {
  readonly evaluated: Set<AnyNode>;
  readonly sqlFunctions: Set<FunctionNode>;
  /** By the start offset. */
  readonly unwrapped: Map<number, UnwrappedCode>;
}

class Expander {
  readonly #run: RunDefinition;
  readonly #source: Source;
  readonly #notes: Notes;
  readonly #keys: BracketKeys;

  constructor(run: RunDefinition, source: Source, notes: Notes, keys: BracketKeys) {
    this.#keys = keys;
    this.#run = run;
    this.#source = source;
    this.#notes = notes;
  }

  entity(): Entity | undefined {
    const { call, name, definition } = this.#run;
    const kind = call.callee.type === 'Identifier' ? CALLS[call.callee.name] : undefined;
    if (!kind || definition.is !== 'object') return undefined;
    const node = this.#map(definition, kind);
    const isKnown = name.is === 'primitive' && typeof name.value === 'string';
    const nameNode = isKnown ? nameIn(name, call.arguments[0] ?? name.node) : this.#partOfName();
    const isOther = (name.is === 'primitive' && !isKnown) || (name.is !== 'primitive' && name.is !== 'unknown');
    const isNameWritten = call.arguments[0] !== undefined && !isComputed(call.arguments[0]);
    return {
      kind,
      conditional: false,
      node,
      nameNode,
      notAName: isOther ? call.arguments[0] : undefined,
      isNameWritten,
      written: call,
      computedKeys: this.#keys.found,
    };
  }

  /** Returns a name of which some is known. */
  #partOfName(): ScalarNode | undefined {
    const { call, name } = this.#run;
    if (name.is !== 'unknown' || name.pattern === undefined) return undefined;
    return nameIn({ is: 'primitive', value: name.pattern, node: name.node }, call.arguments[0] ?? name.node);
  }

  #map(object: ObjectValue, shape: ShapeName): MapNode {
    const pairs = [...object.entries].flatMap(([key, entry]): Pair[] => {
      if (key.includes(UNNAMED) || isLoneSetter(entry)) return [];
      const name = canonicalKey(shape, key);
      const type = name === undefined ? undefined : language[shape].keys[name]?.type;
      // A switch must be there, unlike other references.
      const isReference = type?.is !== 'sql' && name !== 'switch';
      if (type && mustBeFunction(type, shape, name)) this.#checkFunction(entry, isReference);
      return [this.#pair(key, entry, type)];
    });
    const { start, end } = object.node;
    const isWritten = [...object.entries.values()].every(
      ({ isSure, property }) => isSure && property && start <= property.start && property.end <= end,
    );
    if (CALLING.has(shape)) {
      if (isWritten) this.#notes.evaluated.add(object.node);
      for (const { isSure, property } of object.entries.values())
        if (isSure && property) this.#notes.evaluated.add(property);
    }
    const isOpen = object.isOpen || [...object.entries.keys()].some((key) => key.includes(UNNAMED));
    return { kind: 'map', start, end, flow: true, pairs, open: isOpen };
  }

  #pair(key: string, entry: Entry, type: Type | undefined): Pair {
    const { start, end, type: keyType } = entry.keyNode;
    const isText = keyType === 'Literal' || keyType === 'TemplateLiteral';
    const name: ScalarNode = { kind: 'scalar', start, end, style: isText ? 'double' : 'plain', value: key };
    const value = entry.isSure ? this.#value(entry, type) : opaque(entry.keyNode);
    const written = entry.property && entry.isSure ? this.#writtenAs(entry.property, entry.value) : undefined;
    return { key: name, value, end: value.end, written };
  }

  #writtenAs(property: Property, value: Value): Pair['written'] {
    const written = writtenAs(property);
    if (written || value.is !== 'function' || value.node.type !== 'FunctionExpression' || value.node.id) return written;
    const { call } = this.#run;
    const isInside = call.start <= property.start && property.end <= call.end;
    return isInside ? undefined : 'function';
  }

  #value(entry: Entry, declared: Type | undefined): TreeNode {
    const { value, property } = entry;
    const type = declared?.is === 'either' ? (optionFor(value, declared.of) ?? ANY) : declared;
    return (
      (type && (membersOfFunction(value, type) ?? this.#nested(value, type, entry))) ??
      this.#leaf(value, this.#written(property, value, type), type)
    );
  }

  /** Converts the value of a property as it is written; undefined if only its value says what it is. */
  #written(property: Property | undefined, value: Value, type: Type | undefined): TreeNode | undefined {
    const isNamed = !property || /^(?:Identifier|MemberExpression)$/.test(property.value.type);
    if (isNamed && type?.is === 'sql' && isCode(value)) return this.#sqlElsewhere(value);
    if (!property || (isNamed && value.is === 'function')) return undefined;
    return convertProperty(property, sourceOf(this.#source, property))?.value;
  }

  /** Converts SQL that a name stands for, such as a parameter. */
  #sqlElsewhere({ node }: Value & { readonly node: SqlNode }): TreeNode {
    if (node.type !== 'TemplateLiteral') this.#notes.sqlFunctions.add(node);
    return convertSql(node, sourceOf(this.#source, node));
  }

  /** Converts an object or a list whose contents are known. */
  #nested(value: Value, type: Type, entry: Entry): TreeNode | undefined {
    if (value.is === 'list')
      return type.is === 'list' && mayBeExpanded(type.of) ? this.#list(value, type.of) : undefined;
    if (value.is !== 'object') return undefined;
    if (type.is === 'map') return this.#map(value, type.shape);
    return type.is === 'members' && !this.#isTakenApart(entry) ? this.#members(value, type) : undefined;
  }

  /** Notes SQL or a reference that is not a function, in an object outside of the definition. */
  #checkFunction({ value, property, isSure }: Entry, isReference: boolean): void {
    const { call } = this.#run;
    const isInside = property !== undefined && call.start <= property.start && property.end <= call.end;
    if (!isSure || !property || isInside || !isNoFunction(value, isReference)) return;
    const { start, end } = property.value;
    this.#notes.unwrapped.set(start, { start, end, isReference });
  }

  /** Checks for joins that are written in their definition, which the engine reads before it runs the script. */
  #isTakenApart({ property }: Entry): boolean {
    const { definition } = this.#run;
    const isJoins = property?.key.type === 'Identifier' && property.key.name === 'joins';
    return isJoins && definition.node.start <= property.start && property.end <= definition.node.end;
  }

  #members({ entries, isOpen, node }: ObjectValue, { shape }: Type & { readonly is: 'members' }): MapNode {
    const type: Type = { is: 'map', shape };
    const pairs = [...entries].map(([key, entry]) => this.#pair(key === UNNAMED ? 'computed' : key, entry, type));
    return { kind: 'map', start: node.start, end: node.end, flow: true, pairs, open: isOpen };
  }

  #list({ items, node }: ListValue, of: Type): TreeNode {
    const written = node.type === 'ArrayExpression' ? node.elements : [];
    const hasSpread = written.some((item) => item?.type === 'SpreadElement');
    const nodes = items.map((value, at) => {
      const type = of.is === 'either' ? (optionFor(value, of.of) ?? ANY) : of;
      if (type.is === 'map' && value.is === 'object') return this.#map(value, type.shape);
      const item = hasSpread ? undefined : written[at];
      if (isEvaluatedName(type) && value.is === 'list')
        return item?.type === 'ArrayExpression' ? asName(this.#converted(item)) : this.#listAsName(value);
      return this.#leaf(
        value,
        item && isExpression(item) ? convert(item, sourceOf(this.#source, item)) : undefined,
        type,
      );
    });
    return { kind: 'seq', start: node.start, end: node.end, flow: true, items: nodes, open: false };
  }

  /** Converts a list in place of a name, of which the engine makes a text. */
  #listAsName({ items, node }: ListValue): TreeNode {
    const names = items.flatMap((item) => (item.is === 'primitive' ? [String(item.value ?? '')] : []));
    if (names.length < items.length) return opaque(node);
    return nameIn({ is: 'primitive', value: names.join(','), node }, node);
  }

  /** Converts what is read as it is written, or a value that is known. */
  #leaf(value: Value, written: TreeNode | undefined, type: Type | undefined): TreeNode {
    if (type?.is === 'sql') this.#keys.addFrom(value);
    const asWritten = (): TreeNode => written ?? this.#converted(value.node);
    if (value.is !== 'primitive' || isWritten(written)) return asWritten();
    if (isName(type) && typeof value.value === 'string' && (written || isComputed(value.node)))
      return nameIn(value, written ?? value.node);
    if (isExpressionType(type)) return asWritten();
    if (isConstant(written)) return valueIn(value, written);
    return value.node.type === 'Literal' ? this.#converted(value.node) : valueIn(value, value.node);
  }

  #converted(node: AnyNode): TreeNode {
    const source = sourceOf(this.#source, node);
    if (node.type === 'ObjectExpression') return convertObject(node, source);
    return isExpression(node) ? convert(node, source) : opaque(node);
  }
}

/** Shapes whose own functions the engine calls while it loads the model (`names.ts`). */
const CALLING = new Set<ShapeName>(['dimension', 'measure', 'segment', 'hierarchy', 'viewCube']);

/** Checks for SQL of which the code is known, even if a name stands for it. */
function isCode(value: Value): value is Value & { readonly node: SqlNode } {
  if (value.is === 'function') return true;
  // In a definition, the engine makes a function of SQL before the script runs.
  return value.is === 'unknown' && /^(?:TemplateLiteral|ArrowFunctionExpression)$/.test(value.node.type);
}

/** Checks for a value that the engine refuses in place of a function; of a reference, it takes `null` as missing. */
function isNoFunction(value: Value, isReference: boolean): boolean {
  if (value.is === 'primitive') return value.value !== undefined && !(isReference && value.value === null);
  return value.is === 'list' || value.is === 'object';
}

/** Checks for an expression of constants. */
function isConstant(node: TreeNode | undefined): node is OpaqueNode | ScalarNode {
  return (node?.kind === 'scalar' || node?.kind === 'opaque') && typeof node.yields === 'object';
}

/** Checks for a node whose value is known as it is written. */
function isWritten(node: TreeNode | undefined): boolean {
  return node?.kind === 'scalar' && node.style !== 'code' && !(node.style === 'template' && node.value.includes('${'));
}

/** Checks for a text that code puts together, or that a name stands for. */
function isComputed(node: AnyNode): boolean {
  return node.type !== 'Literal' && !(node.type === 'TemplateLiteral' && node.expressions.length === 0);
}

/** Returns a value as if it were written in a range; `NaN` and the infinities are written in no way that says their kind. */
function valueIn({ value }: PrimitiveValue, { start, end }: Range): TreeNode {
  if (typeof value === 'string') return { kind: 'scalar', start, end, style: 'double', value };
  if (typeof value === 'number' && !Number.isFinite(value)) return { kind: 'opaque', start, end, yields: 'number' };
  return { kind: 'scalar', start, end, style: value === undefined ? 'code' : 'plain', value: String(value) };
}

/** Returns a name that code puts together; unlike all others in a script it is plain (`isPutTogether`). */
function nameIn({ value }: PrimitiveValue, { start, end }: Range): ScalarNode {
  return { kind: 'scalar', start, end, style: 'plain', value: String(value) };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function isExpression(node: AnyNode): node is Expression {
  return /Expression$|Literal$|^Identifier$/.test(node.type);
}

function opaque({ start, end }: AnyNode): TreeNode {
  return { kind: 'opaque', start, end };
}
