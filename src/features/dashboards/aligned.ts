import { isObject } from '#api/schema.ts';

/**
 * Returns a value with its fields in the order of another. Servers may reorder fields, and a text comparison would show that as a
 * change. List items are matched by `id`, or else by index, and are not moved.
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
