import type { AnyNode } from 'acorn';
import type { Primitive } from './script-outcome.ts';
import {
  type Entry,
  fromEntries,
  type FunctionValue,
  type ListValue,
  ObjectMaker,
  type ObjectValue,
  truth,
  unknown,
  type Value,
} from './script-value.ts';

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

/** Returns what `Object.keys`, `Object.values` or `Object.entries` yields. */
function contents(name: string, { entries, isOpen }: ObjectValue, node: AnyNode): Value {
  const all = [...entries];
  // JavaScript puts numbers first.
  if (isOpen || all.some(([key, { isSure }]) => !isSure || /^\d/.test(key))) return unknown(node);
  const list = (items: readonly Value[]): Value => ({ is: 'list', items, node });
  const keyed = (key: string, { keyNode }: Entry): Value => ({ is: 'primitive', value: key, node: keyNode });
  if (name === 'keys') return list(all.map(([key, entry]) => keyed(key, entry)));
  if (name === 'values') return list(all.map(([, { value }]) => value));
  return name === 'entries' ? list(all.map(([key, entry]) => list([keyed(key, entry), entry.value]))) : unknown(node);
}

/** Returns what a method of a list yields. */
export function ofList(name: string, list: ListValue, given: readonly Value[], node: AnyNode, apply: Apply): Value {
  if (name === 'concat') return joined(list, given, node);
  const [called, initial] = given;
  if (called?.is !== 'function') return unknown(node);
  const place = (item: Value, at: number): Value => ({ is: 'primitive', value: at, node: item.node });
  const result = (item: Value, at: number): Value => apply(called, [item, place(item, at), list], node);
  if (name === 'map') return { is: 'list', items: list.items.map(result), node };
  if (name === 'filter') return kept(list, result, node);
  if (name !== 'reduce' || !initial) return unknown(node);
  return list.items.reduce((sum, item, at) => apply(called, [sum, item, place(item, at), list], node), initial);
}

function joined({ items }: ListValue, given: readonly Value[], node: AnyNode): Value {
  if (given.some(({ is }) => is === 'unknown')) return unknown(node);
  return {
    is: 'list',
    items: [...items, ...given.flatMap((each) => (each.is === 'list' ? each.items : [each]))],
    node,
  };
}

function kept({ items }: ListValue, result: (item: Value, at: number) => Value, node: AnyNode): Value {
  const results = items.map((item, at) => truth(result(item, at)));
  return results.includes(undefined)
    ? unknown(node)
    : { is: 'list', items: items.filter((_, at) => results[at]), node };
}

/** Returns what a method of a text yields. */
export function ofText(name: string, text: Primitive, given: readonly Value[], node: AnyNode): Value {
  if (typeof text !== 'string') return unknown(node);
  if (name === 'replace' || name === 'replaceAll') return replaced(name, text, given, node);
  if (given.length > 0) return unknown(node);
  if (name === 'toUpperCase') return { is: 'primitive', value: text.toUpperCase(), node };
  if (name === 'toLowerCase') return { is: 'primitive', value: text.toLowerCase(), node };
  return name === 'trim' ? { is: 'primitive', value: text.trim(), node } : unknown(node);
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
