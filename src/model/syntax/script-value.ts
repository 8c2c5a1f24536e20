import type {
  AnyNode,
  ArrowFunctionExpression,
  ClassDeclaration,
  ClassExpression,
  Expression,
  FunctionDeclaration,
  FunctionExpression,
  Property,
} from 'acorn';
import type { Primitive } from './script-outcome.ts';
import { FILLER } from './tree.ts';

/** What an expression of a script yields, with the code that it comes from. */
export type Value = PrimitiveValue | ObjectValue | ListValue | FunctionValue | ClassValue | UnknownValue;
export interface PrimitiveValue {
  readonly is: 'primitive';
  readonly value: Primitive;
  readonly node: AnyNode;
}
export interface ObjectValue {
  readonly is: 'object';
  readonly entries: ReadonlyMap<string, Entry>;
  /** Whether it may have further keys. */
  readonly isOpen: boolean;
  readonly node: AnyNode;
}
export interface ListValue {
  readonly is: 'list';
  readonly items: readonly Value[];
  readonly node: AnyNode;
}
export interface FunctionValue {
  readonly is: 'function';
  readonly node: FunctionNode;
  readonly scope: Scope;
  /** What `this` is in it. */
  readonly self?: Value;
}
export interface ClassValue {
  readonly is: 'class';
  /** Its static methods and fields. */
  readonly statics: ReadonlyMap<string, Value>;
  /** Names of static getters: what is under them is a function that yields the value. */
  readonly getters: ReadonlySet<string>;
  /** Whether it may have further ones. */
  readonly isOpen: boolean;
  readonly node: ClassNode;
}
export interface UnknownValue {
  readonly is: 'unknown';
  readonly node: AnyNode;
  /** The scope of a template, whose names may be known. */
  readonly scope?: Scope;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A key of an object and its value. */
export interface Entry {
  readonly keyNode: AnyNode;
  readonly value: Value;
  /** The property that it is written as; undefined for what `Object.fromEntries` and the like create. */
  readonly property: Property | undefined;
  /** Whether nothing unknown may replace it. */
  readonly isSure: boolean;
}

export type FunctionNode = ArrowFunctionExpression | FunctionDeclaration | FunctionExpression;
export type ClassNode = ClassDeclaration | ClassExpression;

export type Binding = { readonly value: Value } | { readonly init: ClassNode | Expression; readonly scope: Scope };

/** Evaluates the code of a script. */
export interface Evaluation {
  value(node: AnyNode, scope: Scope): Value;
  /** Returns what a function yields for these values. */
  apply(called: FunctionValue, given: readonly Value[], at: AnyNode): Value;
}

/** The name under which a scope holds `this`. */
export const SELF = 'this';

/** The names of a block or a function with their values. */
export class Scope {
  readonly #names = new Map<string, Binding>();
  readonly #outer: Scope | undefined;

  constructor(outer?: Scope) {
    this.#outer = outer;
  }

  set(name: string, binding: Binding): void {
    this.#names.set(name, binding);
  }

  get(name: string): Binding | undefined {
    return this.#names.get(name) ?? this.#outer?.get(name);
  }
}

/** Returns whether a value counts as true; undefined if that is unknown. */
export function truth(value: Value): boolean | undefined {
  if (value.is === 'unknown') return undefined;
  return value.is === 'primitive' ? Boolean(value.value) : true;
}

/** Returns the value of an expression of which nothing is known; `scope`: see {@link UnknownValue}. */
export function unknown(node: AnyNode, scope?: Scope): UnknownValue {
  return scope ? { is: 'unknown', node, scope } : { is: 'unknown', node };
}

/** Returns `undefined`. */
export function nothing(node: AnyNode): PrimitiveValue {
  return { is: 'primitive', value: undefined, node };
}

/** The node of a value that nothing returns: the end of a function. */
export const END: AnyNode = { type: 'EmptyStatement', start: 0, end: 0 };

/** Stands for a key that is not known; never occurs in source text. */
export const UNNAMED = FILLER;

/** Collects the keys of an object in their order. */
export class ObjectMaker {
  readonly #entries = new Map<string, Entry>();
  #isOpen = false;

  set(key: string, entry: Entry): void {
    // It may have the same name.
    const unnamed = this.#entries.get(UNNAMED);
    if (unnamed && key !== UNNAMED) this.#entries.set(UNNAMED, { ...unnamed, isSure: false });
    this.#entries.set(key, entry);
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Adds a value under an unknown key. */
  setUnnamed(keyNode: AnyNode, value: Value): void {
    this.open();
    this.#entries.set(UNNAMED, { keyNode, value, property: undefined, isSure: true });
  }

  /** Adds unknown keys, which may replace all before. */
  open(): void {
    this.#isOpen = true;
    for (const [key, entry] of this.#entries) this.#entries.set(key, { ...entry, isSure: false });
  }

  spread(value: Value): void {
    if (value.is === 'primitive' && typeof value.value !== 'string') return;
    if (value.is !== 'object') {
      this.open();
      return;
    }
    if (value.isOpen) this.open();
    for (const [key, entry] of value.entries) this.set(key, entry);
  }

  value(node: AnyNode): Value {
    return { is: 'object', entries: this.#entries, isOpen: this.#isOpen, node };
  }
}

/** Returns the object of a list of keys and values. */
export function fromEntries(list: ListValue, node: AnyNode): Value {
  const made = new ObjectMaker();
  for (const pair of list.items) {
    const [key, value] = pair.is === 'list' ? pair.items : [];
    if (!key || !value) made.open();
    else if (key.is !== 'primitive') made.setUnnamed(key.node, value);
    else made.set(String(key.value), { keyNode: key.node, value, property: undefined, isSure: true });
  }
  return made.value(node);
}
