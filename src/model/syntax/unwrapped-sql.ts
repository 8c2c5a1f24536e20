import type { AnyNode, CallExpression, Expression, ObjectExpression, Program } from 'acorn';
import { canonicalKey, language } from '../language/language.ts';
import type { Type } from '../language/types.ts';
import { CALLS } from './entity.ts';

/** SQL as text, or a reference, in an object outside of every definition that is used in one. */
export interface UnwrappedCode {
  readonly start: number;
  readonly end: number;
  readonly isReference?: boolean;
}

const SQL = new Set(['sql', 'sql_table', 'sqlTable']);
/** Keys whose contents may be a text, or are never read. */
const EXEMPT = new Set(['meta', 'refresh_key', 'refreshKey']);

/**
 * Finds SQL texts that the engine will not wrap into functions, as it does only inside the brackets of `cube(…)`: an object in a
 * constant or returned by a function must contain functions, `sql: () => …`. Only objects that certainly end up in a definition
 * unchanged are reported.
 */
export function unwrappedSql(program: Program): UnwrappedCode[] {
  const known = new Map<string, Expression>();
  for (const statement of program.body) addConstants(statement, known);
  const finder = new Finder(known);
  for (const statement of program.body) {
    const call = statement.type === 'ExpressionStatement' ? statement.expression : undefined;
    if (call?.type === 'CallExpression' && isDefinition(call)) finder.definition(call);
  }
  return [...finder.found].sort((a, b) => a.start - b.start);
}

function isDefinition({ callee }: CallExpression): boolean {
  return callee.type === 'Identifier' && Object.hasOwn(CALLS, callee.name) && callee.name !== 'view_group';
}

/** Adds the values of constants and results of functions that are written out. */
function addConstants(statement: AnyNode, known: Map<string, Expression>): void {
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration) addConstants(statement.declaration, known);
  else if (statement.type === 'FunctionDeclaration') {
    const result = resultOf(statement);
    if (result && statement.id) known.set(`${statement.id.name}()`, result);
  } else if (statement.type === 'VariableDeclaration' && statement.kind === 'const')
    for (const { id, init } of statement.declarations) {
      if (id.type !== 'Identifier' || !init) continue;
      const result = resultOf(init);
      if (result) known.set(`${id.name}()`, result);
      else known.set(id.name, init);
    }
}

/** Returns the object that a function always returns. */
export function resultOf(node: AnyNode): Expression | undefined {
  if (
    node.type !== 'ArrowFunctionExpression' &&
    node.type !== 'FunctionDeclaration' &&
    node.type !== 'FunctionExpression'
  )
    return undefined;
  const { body } = node;
  if (body.type !== 'BlockStatement') return body;
  const [only, ...others] = body.body;
  return only?.type === 'ReturnStatement' && others.length === 0 ? (only.argument ?? undefined) : undefined;
}

class Finder {
  readonly found = new Set<UnwrappedCode>();
  readonly #known: ReadonlyMap<string, Expression>;
  readonly #seen = new Set<AnyNode>();
  /** The objects being read: an object may refer to itself. */
  readonly #entered = new Set<AnyNode>();

  constructor(known: ReadonlyMap<string, Expression>) {
    this.#known = known;
  }

  definition({ callee, arguments: given }: CallExpression): void {
    const last = given.length > 1 ? given.at(-1) : undefined;
    const shape = callee.type === 'Identifier' ? CALLS[callee.name] : undefined;
    if (last && last.type !== 'SpreadElement') this.#value(last, 'inside', shape && { is: 'map', shape });
  }

  /** Reads a value of a type, if that is known; `outside`: not written where the engine reads SQL. */
  #value(node: AnyNode, where: 'inside' | 'outside', type: Type | undefined): void {
    if (type && !mayHoldSql(type)) return;
    if (node.type === 'ObjectExpression') this.#object(node, where, new Set(), type);
    else if (node.type === 'ArrayExpression') {
      for (const item of node.elements)
        if (item && item.type !== 'SpreadElement') this.#value(item, where, type?.is === 'list' ? type.of : undefined);
    }
    const held = this.#held(node);
    if (!held || this.#entered.has(held)) return;
    this.#entered.add(held);
    this.#value(held, 'outside', type);
    this.#entered.delete(held);
  }

  #object(
    { properties }: ObjectExpression,
    where: 'inside' | 'outside',
    replaced: ReadonlySet<string>,
    type: Type | undefined,
  ): void {
    // Later properties override earlier ones, and unknown ones may.
    const taken = new Set(replaced);
    for (const property of properties.toReversed()) {
      if (property.type === 'SpreadElement') {
        this.#spread(property.argument, new Set(taken), type);
        return;
      }
      const key = keyOf(property);
      if (key === undefined) return;
      const isTaken = taken.has(key);
      taken.add(key);
      if (isTaken || EXEMPT.has(key)) continue;
      // Of literal joins the engine takes only those that are written there.
      if (key === 'joins' && property.value.type === 'ObjectExpression') continue;
      if (!SQL.has(key)) this.#value(property.value, where, typeOf(key, type));
      else if (where === 'outside' && isText(property.value)) this.#add(property.value);
    }
  }

  #spread(node: AnyNode, taken: ReadonlySet<string>, type: Type | undefined): void {
    const held = this.#held(node);
    if (held?.type !== 'ObjectExpression' || this.#entered.has(held)) return;
    this.#entered.add(held);
    this.#object(held, 'outside', taken, type);
    this.#entered.delete(held);
  }

  #add(node: AnyNode): void {
    if (!this.#seen.has(node)) this.found.add({ start: node.start, end: node.end });
    this.#seen.add(node);
  }

  #held(node: AnyNode): Expression | undefined {
    if (node.type === 'Identifier') return this.#known.get(node.name);
    return node.type === 'CallExpression' && node.callee.type === 'Identifier'
      ? this.#known.get(`${node.callee.name}()`)
      : undefined;
  }
}

/** Returns the type of the value under a key; undefined if it is not known. */
function typeOf(key: string, type: Type | undefined): Type | undefined {
  if (type?.is === 'members') return { is: 'map', shape: type.shape };
  const name = type?.is === 'map' ? canonicalKey(type.shape, key) : undefined;
  return type?.is === 'map' && name !== undefined ? language[type.shape].keys[name]?.type : undefined;
}

/** Checks for a type in which the engine reads SQL; elsewhere an object with SQL is another mistake. */
function mayHoldSql(type: Type): boolean {
  if (type.is === 'list') return mayHoldSql(type.of);
  if (type.is === 'either') return type.of.some(mayHoldSql);
  return type.is === 'map' || type.is === 'members';
}

function keyOf(node: ObjectExpression['properties'][number]): string | undefined {
  if (node.type !== 'Property' || node.computed) return undefined;
  if (node.key.type === 'Identifier') return node.key.name;
  return node.key.type === 'Literal' ? String(node.key.value) : undefined;
}

function isText(node: AnyNode): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
