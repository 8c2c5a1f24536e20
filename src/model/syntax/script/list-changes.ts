import type { AnyNode } from 'acorn';
import { Unfaithful } from './stops.ts';
import { type ListValue, nothing, type Value } from './value.ts';

/** Changes a list as its method does, and returns what that yields. Throws `Unfaithful` if that is not known. */
export function listChanged(name: string, list: ListValue, given: readonly Value[], node: AnyNode): Value {
  const { items } = list;
  switch (name) {
    case 'push':
    case 'unshift':
      return { is: 'primitive', value: items[name](...given), node };
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
  list.items.splice(0, list.items.length, ...keyed.map(({ item }) => item));
  return list;
}

function spliced({ items }: ListValue, [from, count, ...added]: readonly Value[], node: AnyNode): Value {
  if (from?.is !== 'primitive' || typeof from.value !== 'number') throw new Unfaithful();
  if (!count) return { is: 'list', items: items.splice(from.value), node };
  if (count.is !== 'primitive' || typeof count.value !== 'number') throw new Unfaithful();
  return { is: 'list', items: items.splice(from.value, count.value, ...added), node };
}
