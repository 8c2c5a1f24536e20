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
import type { Primitive } from './outcome.ts';
import { namePattern } from '#model/syntax/name-pattern.ts';
import { FILLER } from '#model/syntax/tree.ts';

/** What an expression of a script yields, with the code that it comes from. */
export type Value = PrimitiveValue | ObjectValue | ListValue | FunctionValue | ClassValue | UnknownValue;
export interface PrimitiveValue {
  readonly is: 'primitive';
  readonly value: Primitive;
  readonly node: AnyNode;
}
export interface ObjectValue {
  readonly is: 'object';
  /** Changes where the script changes the object (`execute.ts`), as everything that refers to it must see. */
  readonly entries: Map<string, Entry>;
  /** Whether it may have further keys. */
  isOpen: boolean;
  readonly node: AnyNode;
  /** The class of which it is an instance. */
  readonly instanceOf?: ClassValue;
  /** The private members of an instance, with `#`. */
  readonly hidden?: Map<string, Value>;
}
export interface ListValue {
  readonly is: 'list';
  /** Changes as the entries of an object do. */
  readonly items: Value[];
  readonly node: AnyNode;
}
export interface FunctionValue {
  readonly is: 'function';
  readonly node: FunctionNode;
  readonly scope: Scope;
  /** What `this` is in it. */
  readonly self?: Value;
  /** What `super(…)` does in it. */
  readonly onSuper?: (values: readonly Value[], at: AnyNode) => void;
}
export interface ClassValue {
  readonly is: 'class';
  /** Its static methods and fields. */
  readonly statics: Map<string, Value>;
  /** Names of static getters: what is under them is a function that yields the value. */
  readonly getters: Set<string>;
  /** Whether it may have further ones. */
  readonly isOpen: boolean;
  readonly node: ClassNode;
  /** The scope of its body. */
  readonly scope: Scope;
  /** The class that it extends; undefined if there is none or it is unknown. */
  readonly parent: ClassValue | undefined;
}
export interface UnknownValue {
  readonly is: 'unknown';
  readonly node: AnyNode;
  /** The scope of a template, whose names may be known. */
  readonly scope?: Scope;
  /** A text of which some is known, with `FILLER` in place of the rest. */
  readonly pattern?: string;
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

/** Checks for a setter without a getter, which is like a missing key. */
export function isLoneSetter({ value, isSure }: Entry): boolean {
  return isSure && value.is === 'primitive' && value.value === undefined && value.node.type === 'Property';
}

export type FunctionNode = ArrowFunctionExpression | FunctionDeclaration | FunctionExpression;
export type ClassNode = ClassDeclaration | ClassExpression;

/** Checks for any kind of function. */
export function isFunction(node: AnyNode): node is FunctionNode {
  return (
    node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression'
  );
}

export type Binding = { readonly value: Value } | { readonly init: ClassNode | Expression; readonly scope: Scope };

/** Evaluates the code of a script. */
export interface Evaluation {
  value(node: AnyNode, scope: Scope): Value;
  /** Returns what a function yields for these values. */
  apply(called: FunctionValue, given: readonly Value[], at: AnyNode): Value;
  /** Whether the script declares anything with `var`. */
  readonly hasVars: boolean;
  /** Runs a static block of a class, where what a script changes is followed. */
  readonly block?: ((statements: readonly AnyNode[], scope: Scope) => void) | undefined;
}

/** The name under which a scope holds `this`. */
export const SELF = 'this';
/** The name under which the scope of a constructor holds what `super(…)` does. */
export const SUPER = 'super';

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

  /** Returns a scope with the same names, which may get other values. */
  copy(): Scope {
    const copy = new Scope(this.#outer);
    for (const [name, binding] of this.#names) copy.set(name, binding);
    return copy;
  }

  /** Returns the innermost scope that holds a name. */
  holderOf(name: string): Scope | undefined {
    return this.#names.has(name) ? this : this.#outer?.holderOf(name);
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

/** Adds unknown keys to an object, which may replace all that it has. */
export function opened(object: ObjectValue): void {
  object.isOpen = true;
  for (const [key, entry] of object.entries) object.entries.set(key, { ...entry, isSure: false });
}

/** The node of a value that nothing returns: the end of a function. */
export const END: AnyNode = { type: 'EmptyStatement', start: 0, end: 0 };

/** Stands for a key that is not known; never occurs in source text. A key that is partly known has it in place of the rest. */
export const UNNAMED = FILLER;

/** Checks whether a key that is partly known may be another one. */
export function mayBe(pattern: string, key: string): boolean {
  return pattern.includes(FILLER) && pattern !== key && (namePattern(pattern)?.test(key) ?? true);
}

/** Collects the keys of an object in their order. */
export class ObjectMaker {
  readonly #entries: Map<string, Entry>;
  #isOpen: boolean;
  /** Whether a key is not or only partly known. */
  #hasGaps: boolean;

  /** `object`: the object that gets further keys; a new one without it. */
  constructor(object?: ObjectValue) {
    this.#entries = object?.entries ?? new Map<string, Entry>();
    this.#isOpen = object?.isOpen ?? false;
    this.#hasGaps = object !== undefined && [...object.entries.keys()].some((key) => key.includes(FILLER));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  set(key: string, entry: Entry): void {
    // One of them may have the name of the other.
    if (key.includes(FILLER)) this.#hasGaps = true;
    if (this.#hasGaps)
      for (const [other, before] of this.#entries)
        if (mayBe(other, key) || mayBe(key, other)) this.#entries.set(other, { ...before, isSure: false });
    this.#entries.set(key, entry);
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Adds a value under a key that is partly known or, without a pattern, unknown. */
  setUnnamed(keyNode: AnyNode, value: Value, pattern?: string): void {
    if (pattern !== undefined) {
      this.set(pattern, { keyNode, value, property: undefined, isSure: true });
      return;
    }
    this.open();
    this.#hasGaps = true;
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

  value(node: AnyNode): ObjectValue {
    return { is: 'object', entries: this.#entries, isOpen: this.#isOpen, node };
  }
}

/** Returns the object of a list of keys and values. */
export function fromEntries(list: ListValue, node: AnyNode): Value {
  const made = new ObjectMaker();
  for (const pair of list.items) {
    const [key, value] = pair.is === 'list' ? pair.items : [];
    if (!key || !value) made.open();
    else if (key.is !== 'primitive') made.setUnnamed(key.node, value, key.is === 'unknown' ? key.pattern : undefined);
    else made.set(String(key.value), { keyNode: key.node, value, property: undefined, isSure: true });
  }
  return made.value(node);
}
