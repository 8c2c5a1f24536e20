import { append } from '#base/long-lists.ts';
import type { AnyNode } from 'acorn';
import { Unfaithful } from './stops.ts';
import { type ListValue, nothing, type Value } from './value.ts';

/** Changes a list as its method does, and returns what that yields. Throws `Unfaithful` if that is not known. */
export function listChanged(name: string, list: ListValue, given: readonly Value[], node: AnyNode): Value {
  const { items } = list;
  switch (name) {
    case 'push':
      append(items, given);
      return { is: 'primitive', value: items.length, node };
    case 'unshift': {
      const behind = items.splice(0);
      append(items, given);
      append(items, behind);
      return { is: 'primitive', value: items.length, node };
    }
    case 'pop':
    case 'shift':
      return items[name]() ?? nothing(node);
    case 'reverse':
      items.reverse();
      return list;
    case 'sort':
      return sorted(list, given);
    case 'splice':
      return spliced(list, given, node);
    default:
      throw new Unfaithful();
  }
}

/** Sorts texts and numbers as `sort()` does without a function. */
function sorted(list: ListValue, given: readonly Value[]): Value {
  const keyed = list.items.map((item) => {
    if (item.is !== 'primitive' || item.value === undefined) throw new Unfaithful();
    return { item, text: String(item.value) };
  });
  if (given.length > 0) throw new Unfaithful();
  keyed.sort((one, other) => (one.text < other.text ? -1 : Number(one.text > other.text)));
  for (const [at, { item }] of keyed.entries()) list.items[at] = item;
  return list;
}

function spliced({ items }: ListValue, [from, count, ...added]: readonly Value[], node: AnyNode): Value {
  if (from?.is !== 'primitive' || typeof from.value !== 'number') throw new Unfaithful();
  if (!count) return { is: 'list', items: items.splice(from.value), node };
  if (count.is !== 'primitive' || typeof count.value !== 'number') throw new Unfaithful();
  const rest = items.splice(from.value);
  const removed = rest.splice(0, count.value);
  append(items, added);
  append(items, rest);
  return { is: 'list', items: removed, node };
}
