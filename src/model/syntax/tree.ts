import { isSpelling } from '../language/camelize.ts';
/** How a scalar is written. `template` is a JavaScript template literal, `code` a JavaScript path such as `CUBE.x`. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'block' | 'template' | 'code';

/** Offsets are relative to the chunk that contains the node (see `split.ts`); `end` is exclusive and without trailing space. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly start: number;
  readonly end: number;
  readonly style: ScalarStyle;
  /** The decoded text. */
  readonly value: string;
  readonly isResult?: IsResult;
  /** JavaScript only: what the expression yields. */
  readonly yields?: Yielded | undefined;
}

/** Set if a function of a script yields the node: `() => …`. */
type IsResult = true | undefined;

export interface Pair {
  readonly key: ScalarNode;
  readonly value: TreeNode | undefined;
  /** End of the value (or, without one, of the key with its colon). */
  readonly end: number;
  /** JavaScript only: whether it is written as `get key() {…}` or `key() {…}`, or as `function () {…}` outside of the definition. */
  readonly written?: 'getter' | 'method' | 'function' | undefined;
}

export interface MapNode {
  readonly kind: 'map';
  readonly start: number;
  readonly end: number;
  readonly flow: boolean;
  readonly pairs: readonly Pair[];
  /**
   * Whether something in it is unknown until it runs (a spread, a computed key, a templated line): keys may be missing or extra.
   */
  readonly open: boolean;
  readonly isResult?: IsResult;
}

export interface SeqNode {
  readonly kind: 'seq';
  readonly start: number;
  readonly end: number;
  readonly flow: boolean;
  readonly items: readonly (TreeNode | undefined)[];
  readonly open: boolean;
  readonly isResult?: IsResult;
}

/** A value that cannot be read without running it: a JavaScript expression, an alias, a tagged node. */
export interface OpaqueNode {
  readonly kind: 'opaque';
  readonly start: number;
  readonly end: number;
  readonly yields?: Yielded | undefined;
  /** Of an arrow function: what it yields when it is called. */
  readonly result?: Yielded | undefined;
}

/** What an expression of a script certainly yields: a value that is known without running it, or at least its kind. */
export type Yielded = ScalarNode | ValueKind;

/** Kinds of values. An `object` may be a list; a `map` is written as `{ … }`; an `instance` has no keys: `new Date()`. */
export type ValueKind =
  | 'function'
  | 'text'
  | 'number'
  | 'boolean'
  | 'text or number'
  | 'object'
  | 'list'
  | 'map'
  | 'instance'
  | 'regexp'
  | 'bigint';

export type TreeNode = ScalarNode | MapNode | SeqNode | OpaqueNode;

export interface SyntaxProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly code: SyntaxCode;
}
export type SyntaxCode =
  | 'yaml-syntax'
  | 'script-syntax'
  | 'jinja-syntax'
  | 'conflict-marker'
  | 'tab-indent'
  | 'not-checked'
  | 'unquoted-braces';

/** Replaces one character of a Jinja expression whose value is unknown; never occurs in source text. */
export const FILLER = '\uE000';

/** Checks whether a template determines some of the text. */
export function isDynamic(text: string): boolean {
  return text.includes(FILLER);
}

const FILLED = new RegExp(`${FILLER}+`, 'g');

/** Shows the pieces of a text that only the platform knows as ellipses. */
export function withEllipses(text: string): string {
  return text.replaceAll(FILLED, '…');
}

/** Returns the first pair under one of the keys, in any spelling that the engine converts to it. */
export function findPair(map: MapNode, ...names: readonly string[]): Pair | undefined {
  return map.pairs.find((pair) => isSpelling(pair.key.value, names));
}

/** Returns the pair under a key of a file that is not a model: only models convert their keys. */
export function findExactPair(map: MapNode, name: string): Pair | undefined {
  return map.pairs.find((pair) => pair.key.value === name);
}

/** Returns the text of a scalar value under one of the keys. */
export function textOf(map: MapNode, ...names: readonly string[]): string | undefined {
  const value = findPair(map, ...names)?.value;
  return value?.kind === 'scalar' ? value.value : undefined;
}

/** The type of a plain scalar in YAML 1.2 core, as the engine's loader reads it; anything quoted is text. */
export type ScalarType = 'null' | 'boolean' | 'number' | 'date' | 'string';

const NUMBER =
  /^[-+]?(?:0x[\da-fA-F]+|0o[0-7]+|0b[01]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.inf|\.Inf|\.INF)$|^\.(?:\d+(?:[eE][-+]?\d+)?|nan|NaN|NAN)$/;
const DATE =
  /^\d{4}-(?:\d\d-\d\d|\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?)$/;
const WORDS: Readonly<Record<string, ScalarType>> = {
  '': 'null',
  '~': 'null',
  null: 'null',
  Null: 'null',
  NULL: 'null',
  true: 'boolean',
  True: 'boolean',
  TRUE: 'boolean',
  false: 'boolean',
  False: 'boolean',
  FALSE: 'boolean',
};

/** Returns the type of a scalar, judged by its text if it is plain; quoted scalars are text. */
export function scalarType(node: ScalarNode): ScalarType {
  if (node.style !== 'plain') return 'string';
  // No YAML keyword is longer, and looking up a long text would read all of it.
  if (node.value.length <= 5 && Object.hasOwn(WORDS, node.value)) return WORDS[node.value] ?? 'string';
  const first = node.value.charCodeAt(0);
  // Only + - . and digits can start a number or a date.
  if (first > 57 || (first < 48 && first !== 43 && first !== 45 && first !== 46)) return 'string';
  if (NUMBER.test(node.value)) return 'number';
  return DATE.test(node.value) ? 'date' : 'string';
}

/** Calls `visit` with `node` and every node below it, parents first. */
export function walk(node: TreeNode | undefined, visit: (node: TreeNode) => void): void {
  if (!node) return;
  visit(node);
  if (node.kind === 'map') {
    for (const pair of node.pairs) {
      visit(pair.key);
      walk(pair.value, visit);
    }
  } else if (node.kind === 'seq') {
    for (const item of node.items) walk(item, visit);
  }
}
