import { isObject } from '#api/schema.ts';
import { isEqual } from '#base/equal.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Lists the changes between two dashboards in a few words each: widgets by id, everything else by field name. Empty if both are
 * equal.
 */
export function draftChanges(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const fields = namesIn(old, now).filter((name) => name !== 'widgets' && differs(old[name], now[name]));
  const found = [...fields, ...widgetChanges(old['widgets'], now['widgets'])];
  return found.length === 0 && differs(old['widgets'], now['widgets']) ? ['the order of the widgets'] : found;
}

function widgetChanges(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [byId(before), byId(after)];
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((id) => {
    const [was, is] = [old.get(id), now.get(id)];
    if (!was) return [`widget “${id}” added`];
    if (!is) return [`widget “${id}” removed`];
    const changed = namesIn(was, is).filter((name) => differs(was[name], is[name]));
    return changed.length === 0 ? [] : [`widget “${id}” (${changed.join(', ')})`];
  });
}

function byId(widgets: unknown): ReadonlyMap<string, Fields> {
  const list: readonly unknown[] = Array.isArray(widgets) ? widgets : [];
  return new Map(list.map((widget) => [idOf(widget), fieldsOf(widget)]));
}

function idOf(widget: unknown): string {
  const { id } = fieldsOf(widget);
  return typeof id === 'string' ? id : '';
}

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
const namesIn = (a: Fields, b: Fields): readonly string[] => [...new Set([...Object.keys(b), ...Object.keys(a)])];

/**
 * Checks whether two values of a field differ; null and a missing field are equal (docs/platform-api.md#dashboard-configuration:
 * all are nullable).
 */
const differs = (a: unknown, b: unknown): boolean => !isEqual(a ?? undefined, b ?? undefined);
