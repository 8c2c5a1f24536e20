import { isObject } from '#api/schema.ts';

/**
 * A value with its fields in the order of another: servers order them as they like, and a comparison of texts would show
 * what is not a change. Items of lists are matched by their `id`, else by their place; they stay where they are.
 */
export function alignedTo(model: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = Array.isArray(model) ? model : [];
    return value.map((item: unknown, index) => alignedTo(twinOf(item, items) ?? items[index], item));
  }
  if (!isObject(value)) return value;
  const like: Readonly<Record<string, unknown>> = isObject(model) ? model : {};
  const names = [...Object.keys(like).filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)];
  return Object.fromEntries([...new Set(names)].map((name) => [name, alignedTo(like[name], value[name])]));
}

function twinOf(item: unknown, items: readonly unknown[]): unknown {
  const id = isObject(item) ? item['id'] : undefined;
  return id === undefined ? undefined : items.find((each) => isObject(each) && each['id'] === id);
}
