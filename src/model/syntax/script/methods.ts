import type { AnyNode, TaggedTemplateExpression } from 'acorn';
import type { Primitive } from './outcome.ts';
import {
  type Entry,
  fromEntries,
  type FunctionValue,
  type ListValue,
  ObjectMaker,
  type ObjectValue,
  truth,
  unknown,
  UNNAMED,
  type Value,
} from './value.ts';

/** Calls a function of the script. */
type Apply = (called: FunctionValue, given: readonly Value[], at: AnyNode) => Value;

/** Returns what `Object.name(…)` yields. */
export function ofObjects(name: string, given: readonly Value[], node: AnyNode): Value {
  const [first] = given;
  switch (name) {
    case 'freeze':
      return first ?? unknown(node);
    case 'assign': {
      const made = new ObjectMaker();
      for (const each of given) made.spread(each);
      return made.value(node);
    }
    case 'fromEntries':
      return first?.is === 'list' ? fromEntries(first, node) : unknown(node);
    default:
      return first?.is === 'object' ? contents(name, first, node) : unknown(node);
  }
}

/** Returns what `Array.name(…)` yields; undefined if that is not known. */
export function ofArrays(name: string, given: readonly Value[], node: AnyNode): Value | undefined {
  const [first] = given;
  if (name === 'of') return { is: 'list', items: [...given], node };
  if (name === 'from')
    return first?.is === 'list' && given.length === 1 ? { ...first, items: [...first.items] } : undefined;
  if (name !== 'isArray') return undefined;
  return !first || first.is === 'unknown' ? unknown(node) : { is: 'primitive', value: first.is === 'list', node };
}

/** Returns what `Object.keys`, `Object.values` or `Object.entries` yields. */
function contents(name: string, { entries, isOpen }: ObjectValue, node: AnyNode): Value {
  const all = [...entries];
  // JavaScript puts numbers first.
  if (isOpen || all.some(([key, { isSure }]) => !isSure || /^\d/.test(key) || key.includes(UNNAMED)))
    return unknown(node);
  const list = (items: Value[]): Value => ({ is: 'list', items, node });
  const keyed = (key: string, { keyNode }: Entry): Value => ({ is: 'primitive', value: key, node: keyNode });
  if (name === 'keys') return list(all.map(([key, entry]) => keyed(key, entry)));
  if (name === 'values') return list(all.map(([, { value }]) => value));
  return name === 'entries' ? list(all.map(([key, entry]) => list([keyed(key, entry), entry.value]))) : unknown(node);
}

/** Returns what a method of a list yields. */
export function ofList(name: string, list: ListValue, given: readonly Value[], node: AnyNode, apply: Apply): Value {
  if (name === 'concat') return joined(list, given, node);
  const [called, initial] = given;
  if (name === 'filter' && isBoolean(called)) return kept(list, (item) => item, node);
  if (called?.is !== 'function') return rearranged(name, list, given, node) ?? ofPrimitives(name, list, given, node);
  const place = (item: Value, at: number): Value => ({ is: 'primitive', value: at, node: item.node });
  const result = (item: Value, at: number): Value => apply(called, [item, place(item, at), list], node);
  if (name !== 'reduce') return eachCalled(name, list, result, node);
  if (!initial) return unknown(node);
  return list.items.reduce((sum, item, at) => apply(called, [sum, item, place(item, at), list], node), initial);
}

/** Returns what a method yields that calls a function for each item. */
function eachCalled(name: string, list: ListValue, result: Result, node: AnyNode): Value {
  switch (name) {
    case 'map':
      return { is: 'list', items: list.items.map(result), node };
    case 'flatMap': {
      const parts = list.items.map(result);
      return rearranged('flat', { is: 'list', items: parts, node }, [], node) ?? unknown(node);
    }
    case 'filter':
      return kept(list, result, node);
    case 'forEach':
      for (const [at, item] of list.items.entries()) result(item, at);
      return { is: 'primitive', value: undefined, node };
    case 'some':
    case 'every':
    case 'find':
      return searched(name, list, result, node);
    default:
      return unknown(node);
  }
}

/** Checks for JavaScript's own `Boolean`. */
function isBoolean(value: Value | undefined): boolean {
  return value?.is === 'unknown' && value.node.type === 'Identifier' && value.node.name === 'Boolean';
}

function joined({ items }: ListValue, given: readonly Value[], node: AnyNode): Value {
  if (given.some(({ is }) => is === 'unknown')) return unknown(node);
  return {
    is: 'list',
    items: [...items, ...given.flatMap((each) => (each.is === 'list' ? each.items : [each]))],
    node,
  };
}

/** Returns what the function that is passed to a method yields for an item. */
type Result = (item: Value, at: number) => Value;

function kept({ items }: ListValue, result: Result, node: AnyNode): Value {
  const results = items.map((item, at) => truth(result(item, at)));
  return results.includes(undefined)
    ? unknown(node)
    : { is: 'list', items: items.filter((_, at) => results[at]), node };
}

/** Returns what `some`, `every` and `find` yield, if each result is known. */
function searched(name: 'every' | 'find' | 'some', { items }: ListValue, result: Result, node: AnyNode): Value {
  const results = items.map((item, at) => truth(result(item, at)));
  if (results.includes(undefined)) return unknown(node);
  if (name === 'find') return items[results.indexOf(true)] ?? { is: 'primitive', value: undefined, node };
  const value = name === 'some' ? results.includes(true) : !results.includes(false);
  return { is: 'primitive', value, node };
}

/** Returns what a method of a text yields. */
export function ofText(name: string, text: Primitive, given: readonly Value[], node: AnyNode): Value {
  if (typeof text !== 'string') return unknown(node);
  if (name === 'replace' || name === 'replaceAll') return replaced(name, text, given, node);
  const args = primitivesIn(given);
  if (!args || !Object.hasOwn(TEXT_METHODS, name)) return unknown(node);
  return valueOf(TEXT_METHODS[name]?.(text, ...args), node);
}

/** Returns the text of ``String.raw`…` ``, unless code puts it together. */
export function rawText({ tag, quasi }: TaggedTemplateExpression): string | undefined {
  const property = tag.type === 'MemberExpression' && !tag.computed ? tag.property : undefined;
  const isRaw = property?.type === 'Identifier' && property.name === 'raw';
  const [text, ...others] = quasi.quasis;
  return isRaw && others.length === 0 ? text?.value.raw : undefined;
}

/** Returns what `length` yields for a text or a list. */
export function lengthOf(value: Value): number | undefined {
  if (value.is === 'list') return value.items.length;
  return value.is === 'primitive' && typeof value.value === 'string' ? value.value.length : undefined;
}

function primitivesIn(values: readonly Value[]): readonly Primitive[] | undefined {
  const found = values.flatMap((value) => (value.is === 'primitive' ? [value.value] : []));
  return found.length === values.length ? found : undefined;
}

function valueOf(result: Primitive | readonly string[], node: AnyNode): Value {
  if (!isList(result)) return result === undefined ? unknown(node) : { is: 'primitive', value: result, node };
  return { is: 'list', items: result.map((value) => ({ is: 'primitive', value, node })), node };
}

function isList(result: Primitive | readonly string[]): result is readonly string[] {
  return Array.isArray(result);
}

type TextMethod = (text: string, first?: Primitive, second?: Primitive) => Primitive | readonly string[];

/** Methods of texts whose result is no longer than the text; undefined for arguments with which they are not known here. */
const TEXT_METHODS: Readonly<Partial<Record<string, TextMethod>>> = {
  toString: (text: string) => text,
  trim: (text) => text.trim(),
  trimStart: (text) => text.trimStart(),
  trimEnd: (text) => text.trimEnd(),
  toUpperCase: (text) => text.toUpperCase(),
  toLowerCase: (text) => text.toLowerCase(),
  charAt: (text, at) => text.charAt(Number(at ?? 0)),
  slice: (text, from, to) => text.slice(Number(from ?? 0), to === undefined ? undefined : Number(to)),
  substring: (text, from, to) => text.substring(Number(from ?? 0), to === undefined ? undefined : Number(to)),
  split: (text, by) => (typeof by === 'string' ? text.split(by) : undefined),
  includes: (text, other) => (typeof other === 'string' ? text.includes(other) : undefined),
  startsWith: (text, other, at) => (typeof other === 'string' && at === undefined ? text.startsWith(other) : undefined),
  endsWith: (text, other, at) => (typeof other === 'string' && at === undefined ? text.endsWith(other) : undefined),
  indexOf: (text, other, at) => (typeof other === 'string' && at === undefined ? text.indexOf(other) : undefined),
};

/** Returns what a method of a list of primitive values yields. */
function ofPrimitives(name: string, list: ListValue, given: readonly Value[], node: AnyNode): Value {
  const [items, args] = [primitivesIn(list.items), primitivesIn(given)];
  if (!items || !args || args.length > 1) return unknown(node);
  const [first] = args;
  if (name === 'join') return { is: 'primitive', value: items.join(first === undefined ? ',' : String(first)), node };
  if (args.length === 0) return unknown(node);
  if (name === 'includes') return { is: 'primitive', value: items.includes(first), node };
  return name === 'indexOf' ? { is: 'primitive', value: items.indexOf(first), node } : unknown(node);
}

/** Returns what `slice` and `flat` yield, whatever is in the list. */
function rearranged(name: string, { items }: ListValue, given: readonly Value[], node: AnyNode): Value | undefined {
  const args = primitivesIn(given);
  if (!args) return undefined;
  const [from, to] = args;
  if (name === 'slice')
    return { is: 'list', items: items.slice(Number(from ?? 0), to === undefined ? undefined : Number(to)), node };
  if (name !== 'flat' || args.length > 0 || items.some(({ is }) => is === 'unknown')) return undefined;
  return { is: 'list', items: items.flatMap((item) => (item.is === 'list' ? item.items : [item])), node };
}

/** A pattern for one character or a run of them, which is found in linear time. */
const SIMPLE = /^(?:\[(?:[^\]\\]|\\.)*\]|\\[sSwWdD]|[^\\^$.*+?()[\]{}|])\+?$/;

function replaced(name: string, text: string, [pattern, by]: readonly Value[], node: AnyNode): Value {
  const known = pattern && patternIn(pattern, name);
  if (!known || by?.is !== 'primitive' || typeof by.value !== 'string' || by.value.includes('$')) return unknown(node);
  return { is: 'primitive', value: text.replace(known, by.value), node };
}

function patternIn(pattern: Value, name: string): RegExp | string | undefined {
  if (pattern.is === 'primitive' && typeof pattern.value === 'string')
    return name === 'replace' ? pattern.value : new RegExp(pattern.value.replaceAll(/[^\w]/g, String.raw`\$&`), 'g');
  const { node } = pattern;
  const regex = pattern.is === 'unknown' && node.type === 'Literal' ? node.regex : undefined;
  const isSimple = regex && SIMPLE.test(regex.pattern) && /^[gi]*$/.test(regex.flags);
  return isSimple && (name === 'replace' || regex.flags.includes('g'))
    ? new RegExp(regex.pattern, regex.flags)
    : undefined;
}
