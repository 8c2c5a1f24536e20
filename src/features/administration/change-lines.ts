import { isObject } from '#api/schema.ts';
import { unreachable } from '#base/result.ts';
import type { JsonPath } from '#shell/json-text.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import { type FieldChange, hidden, hidesAt, withoutSecrets } from './changes.ts';
import { labelAt } from './field-label.ts';

/**
 * Formats changes for a confirmation, one line each, with the labels and values of the form; possible secrets are hidden. `schema`:
 * of the document.
 */
export function changeLines(changes: readonly FieldChange[], schema: JsonSchema): readonly string[] {
  return changes.map(({ field, change, before, after }) => {
    const label = labelAt(schema, [field]);
    const text = (value: unknown): string => shown(field, value, schema);
    switch (change) {
      case 'added':
        return `+ ${label}: ${text(after)}`;
      case 'removed':
        return `− ${label} (was ${text(before)})`;
      case 'changed':
        return `${label}: ${text(before)} → ${text(after)}`;
      default:
        return unreachable(change);
    }
  });
}

const longest = 80;

/** Formats the value of a field as its form does; possible secrets are hidden, also inside of objects and lists. */
export function shown(field: string, value: unknown, schema: JsonSchema): string {
  if (hidesAt(field, value)) return hidden;
  const text = valueText(withoutSecrets(value), schema, [field]);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function valueText(value: unknown, schema: JsonSchema, path: JsonPath): string {
  if (value === undefined || value === null) return 'Not set';
  if (value === hidden) return hidden;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) {
    return `[${value.map((each, at) => valueText(each, schema, [...path, at])).join(', ')}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, each]) => {
    const at = [...path, name];
    return `${labelAt(schema, at)}: ${valueText(each, schema, at)}`;
  });
  return `{ ${fields.join(', ')} }`;
}
