import type { AnyNode, CallExpression, Expression, ObjectExpression, Program } from 'acorn';
import { CALLS, type Entity } from './entity.ts';
import { resultOf } from './unwrapped-sql.ts';
import type { MapNode, Pair, ScalarNode } from './tree.ts';

/** Definitions of members that code computes, all for one section of a cube or view: `measures`. */
export interface ComputedSection {
  readonly section: string;
  /** The definition of each member, wherever in the script it is. */
  readonly members: readonly ObjectExpression[];
}

const SECTIONS = new Set(['measures', 'dimensions', 'segments']);
/** Maximum depth of functions that call functions; real scripts have less. */
const DEEPEST = 8;

/**
 * Finds the members that functions of the script itself create for a definition: those that are spread into a section, merged
 * with `Object.assign`, or computed from a list with `map` or `reduce`. Code that cannot be followed is omitted.
 */
export function sectionsComputedIn(program: Program): (definition: ObjectExpression) => readonly ComputedSection[] {
  const follower = new Follower(program);
  return (definition) => computedSections(definition, follower);
}

function computedSections(definition: ObjectExpression, follower: Follower): readonly ComputedSection[] {
  return definition.properties.flatMap((property): ComputedSection[] => {
    if (property.type !== 'Property' || property.computed || property.key.type !== 'Identifier') return [];
    const section = property.key.name;
    if (!SECTIONS.has(section)) return [];
    const members = follower.section(property.value);
    return members.length === 0 ? [] : [{ section, members }];
  });
}

/** A definition and the members that functions create for it. */
export interface ComputedDefinition {
  readonly call: CallExpression;
  readonly sections: readonly ComputedSection[];
}

/** Returns the members in the form of a definition, without anything else in it. */
export function computedEntity(
  { call, sections }: ComputedDefinition,
  convert: (member: ObjectExpression) => MapNode,
): Entity[] {
  const called = call.callee.type === 'Identifier' ? call.callee.name : '';
  const kind = Object.hasOwn(CALLS, called) ? CALLS[called] : undefined;
  if (!kind) return [];
  // Something else may replace them, or leave them out: what is certain is in the expansions of the definition.
  return sections.length === 0
    ? []
    : [{ kind, conditional: true, node: definitionOf(call, sections, convert), nameNode: undefined }];
}

function definitionOf(
  { start, end }: CallExpression,
  sections: readonly ComputedSection[],
  convert: (member: ObjectExpression) => MapNode,
): MapNode {
  const named = (value: string): ScalarNode => ({ kind: 'scalar', start, end: start, style: 'plain', value });
  // Their names are unknown, except that they differ.
  const pairs = sections.map(({ section, members }): Pair => {
    const held = members.map((member, at): Pair => {
      const value = convert(member);
      return { key: named(`computed_${at}`), value, end: member.end };
    });
    return { key: named(section), value: { kind: 'map', start, end, flow: true, pairs: held, open: true }, end };
  });
  return { kind: 'map', start, end, flow: true, pairs, open: true };
}

class Follower {
  readonly #functions = new Map<string, AnyNode>();
  readonly #constants = new Map<string, Expression>();
  #depth = 0;

  constructor({ body }: Program) {
    for (const statement of body) {
      if (statement.type === 'FunctionDeclaration') this.#functions.set(statement.id.name, statement);
      if (statement.type !== 'VariableDeclaration' || statement.kind !== 'const') continue;
      for (const { id, init } of statement.declarations) {
        if (id.type !== 'Identifier' || !init) continue;
        if (isFunction(init)) this.#functions.set(id.name, init);
        else this.#constants.set(id.name, init);
      }
    }
  }

  /** Returns the members of a section that are not written in it directly. */
  section(value: AnyNode): readonly ObjectExpression[] {
    if (value.type !== 'ObjectExpression') return this.#membersOf(value);
    return value.properties.flatMap((property) => {
      if (property.type === 'SpreadElement') return this.#membersOf(property.argument);
      const isComputed = property.computed && property.key.type !== 'Literal';
      return isComputed || property.value.type === 'CallExpression' ? this.#member(property.value) : [];
    });
  }

  /** Returns the members of an object that is all or some of a section. */
  #membersOf(node: AnyNode): readonly ObjectExpression[] {
    return this.#followed(node, (value) => {
      if (value.type === 'ObjectExpression')
        return value.properties.flatMap((property) =>
          property.type === 'SpreadElement' ? this.#membersOf(property.argument) : this.#member(property.value),
        );
      if (value.type !== 'CallExpression') return [];
      const { arguments: args } = value;
      const [first, second] = args;
      const method = methodOf(value);
      if (method === 'Object.assign') return args.flatMap((arg) => this.#membersOf(arg));
      if (method === 'Object.fromEntries') return first ? this.#entries(first) : [];
      if (method !== 'reduce' || !first) return [];
      const made = this.#membersOf(resultIn(first) ?? first);
      return [...made, ...(second ? this.#membersOf(second) : [])];
    });
  }

  /** Returns the members of a list of names and members. */
  #entries(node: AnyNode): readonly ObjectExpression[] {
    return this.#followed(node, (value) => {
      if (value.type === 'ArrayExpression') return value.elements.flatMap((item) => (item ? this.#entry(item) : []));
      if (value.type !== 'CallExpression' || methodOf(value) !== 'map') return [];
      const [first] = value.arguments;
      const result =
        first && resultIn(first.type === 'Identifier' ? (this.#functions.get(first.name) ?? first) : first);
      return result ? this.#entry(result) : [];
    });
  }

  #entry(node: AnyNode): readonly ObjectExpression[] {
    const member = node.type === 'ArrayExpression' ? node.elements[1] : undefined;
    return member ? this.#member(member) : [];
  }

  #member(node: AnyNode): readonly ObjectExpression[] {
    return this.#followed(node, (value) => {
      return value.type === 'ObjectExpression' ? [value] : [];
    });
  }

  /** Reads a value through its name: a constant is its value, a call of one of the script's functions is its result. */
  #followed(node: AnyNode, read: (value: AnyNode) => readonly ObjectExpression[]): readonly ObjectExpression[] {
    if (this.#depth === DEEPEST) return [];
    this.#depth++;
    try {
      const next = this.#next(node);
      return next ? this.#followed(next, read) : read(node);
    } finally {
      this.#depth--;
    }
  }

  #next(node: AnyNode): AnyNode | undefined {
    if (node.type === 'Identifier') return this.#constants.get(node.name);
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined;
    const called = this.#functions.get(node.callee.name);
    return called && resultIn(called);
  }
}

function isFunction({ type }: AnyNode): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

/** Returns the result of a function that does nothing else. */
function resultIn(node: AnyNode): AnyNode | undefined {
  if (node.type === 'ArrowFunctionExpression') return resultOf(node);
  if (node.type !== 'FunctionDeclaration' && node.type !== 'FunctionExpression') return undefined;
  const [only, ...others] = node.body.body;
  return only?.type === 'ReturnStatement' && others.length === 0 ? (only.argument ?? undefined) : undefined;
}

/** Returns the name of a called method without its object: `Object.assign`, `map`. */
function methodOf({ callee }: CallExpression): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
  const { object, property } = callee;
  return object.type === 'Identifier' && object.name === 'Object' ? `Object.${property.name}` : property.name;
}
