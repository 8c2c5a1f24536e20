import type {
  AnyNode,
  AssignmentProperty,
  CallExpression,
  Identifier,
  ImportDeclaration,
  NewExpression,
  Program,
  Property,
  VariableDeclarator,
} from 'acorn';
import { full } from 'acorn-walk';
import { firstFrom } from '#base/first-from.ts';
import { CALLS } from '#model/syntax/entity.ts';
import { shadowsOf } from './shadows.ts';
import type { ClassNode, FunctionNode, Range } from './value.ts';

/** What a single walk collects for everything that asks about the whole of a script. */
export interface ScriptFacts {
  /** How often each name is read, except where it is declared or assigned. */
  readonly uses: ReadonlyMap<string, number>;
  /** How often each name is declared or assigned. */
  readonly assigned: ReadonlyMap<string, number>;
  readonly names: NamesByPosition;
  /** Calls of `cube` and the like, inner ones first. */
  readonly definitions: readonly CallExpression[];
  /** The offsets at which `cube` and the like are used, in order: called, or as a value that something else may call. */
  readonly definingUses: readonly number[];
  readonly calls: readonly (CallExpression | NewExpression)[];
  readonly declarators: readonly VariableDeclarator[];
  readonly functions: readonly FunctionNode[];
  readonly classes: readonly ClassNode[];
  readonly imports: readonly ImportDeclaration[];
  /** What is assigned, counted up or down, or deleted, except in declarations. */
  readonly targets: readonly AnyNode[];
  /** The values under keys of SQL. */
  readonly sql: readonly Property[];
  /** Whether it declares anything with `var`. */
  readonly hasVars: boolean;
}

/** Collects the facts of a script. */
export function factsOf(program: Program): ScriptFacts {
  const collector = new Collector();
  full(program, (node, _, type) => collector.add(node, type));
  return {
    ...collector.facts,
    definingUses: definingUses(program, collector),
    names: new NamesByPosition(collector.identifiers),
  };
}

const DEFINING: ReadonlySet<string> = new Set(Object.keys(CALLS));

/** Returns where the functions that define are used; a variable of that name, as in `cubes.map((cube) => …)`, is not one of them. */
function definingUses(program: Program, { defining, facts: { assigned, definitions } }: Collector): readonly number[] {
  const shadows = [...DEFINING].some((name) => assigned.has(name)) ? shadowsOf(program, DEFINING) : [];
  // A function may receive the one of the engine, and call it.
  const called = new Set(definitions.map(({ callee }) => callee.start));
  return defining
    .filter(({ name, start }) => called.has(start) || !shadows.some((each) => each.name === name && isIn(start, each)))
    .map(({ start }) => start)
    .sort((a, b) => a - b);
}

function isIn(offset: number, { start, end }: Range): boolean {
  return start <= offset && offset < end;
}

/** Every occurrence of every name in a script, so that names within a range are found without a walk. */
export class NamesByPosition {
  readonly #identifiers: readonly Identifier[];

  constructor(identifiers: readonly Identifier[]) {
    this.#identifiers = [...identifiers].sort((a, b) => a.start - b.start);
  }

  /** Yields the names within a range, in order. */
  *within({ start, end }: Range): Iterable<string> {
    for (let at = this.#firstFrom(start); at < this.#identifiers.length; at++) {
      const identifier = this.#identifiers[at];
      if (!identifier || identifier.start >= end) return;
      yield identifier.name;
    }
  }

  /** Returns the offsets of the occurrences of some names, in order. */
  offsetsOf(names: ReadonlySet<string>): readonly number[] {
    return this.#identifiers.flatMap(({ name, start }) => (names.has(name) ? [start] : []));
  }

  #firstFrom(offset: number): number {
    return firstFrom(this.#identifiers.length, (at) => this.#identifiers[at]?.start ?? 0, offset);
  }
}

/** Checks whether one of the offsets, which are in order, is within a range. */
export function hasWithin(offsets: readonly number[], { start, end }: Range): boolean {
  const first = offsets[firstFrom(offsets.length, (at) => offsets[at] ?? 0, start)];
  return first !== undefined && first < end;
}

class Collector {
  readonly identifiers: Identifier[] = [];
  /** Uses of the names of the functions that define. */
  readonly defining: Identifier[] = [];
  readonly facts = {
    uses: new Map<string, number>(),
    assigned: new Map<string, number>(),
    definitions: [] as CallExpression[],
    calls: [] as (CallExpression | NewExpression)[],
    declarators: [] as VariableDeclarator[],
    functions: [] as FunctionNode[],
    classes: [] as ClassNode[],
    imports: [] as ImportDeclaration[],
    targets: [] as AnyNode[],
    sql: [] as Property[],
    hasVars: false,
  };

  /** Adds a node; `type`: its type, or what it is in a pattern. */
  add(node: AnyNode, type: string): void {
    switch (node.type) {
      case 'Identifier':
        this.#addName(node, type === 'VariablePattern');
        return;
      case 'CallExpression':
        this.facts.calls.push(node);
        if (isDefinition(node)) this.facts.definitions.push(node);
        return;
      case 'NewExpression':
        this.facts.calls.push(node);
        return;
      case 'Property':
        if (isSql(node)) this.facts.sql.push(node);
        return;
      case 'VariableDeclarator':
        this.facts.declarators.push(node);
        return;
      case 'ArrowFunctionExpression':
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        this.facts.functions.push(node as FunctionNode);
        return;
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.facts.classes.push(node as ClassNode);
        return;
      default:
        this.#addChange(node);
    }
  }

  #addName(node: Identifier, isPattern: boolean): void {
    this.identifiers.push(node);
    count(isPattern ? this.facts.assigned : this.facts.uses, node.name);
    if (!isPattern && DEFINING.has(node.name)) this.defining.push(node);
  }

  #addChange(node: AnyNode): void {
    switch (node.type) {
      case 'ImportDeclaration':
        this.facts.imports.push(node);
        for (const { local } of node.specifiers) count(this.facts.assigned, local.name);
        return;
      case 'VariableDeclaration':
        if (node.kind === 'var') this.facts.hasVars = true;
        return;
      case 'AssignmentExpression':
        this.facts.targets.push(node.left);
        return;
      case 'UpdateExpression':
        this.facts.targets.push(node.argument);
        if (node.argument.type === 'Identifier') count(this.facts.assigned, node.argument.name);
        return;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.facts.targets.push(node.argument);
        return;
      case 'ForOfStatement':
      case 'ForInStatement':
        if (node.left.type !== 'VariableDeclaration') this.facts.targets.push(node.left);
        return;
      default:
    }
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function isDefinition({ callee }: CallExpression): boolean {
  return callee.type === 'Identifier' && Object.hasOwn(CALLS, callee.name);
}

function isSql(node: AssignmentProperty | Property): node is Property {
  const { key, computed, kind } = node;
  if (kind !== 'init') return false;
  const name = key.type === 'Identifier' && !computed ? key.name : key.type === 'Literal' ? key.value : undefined;
  return name === 'sql' || name === 'sql_table' || name === 'sqlTable';
}
