import { isEqual } from '#base/equal.ts';
import { unreachable } from '#base/result.ts';
import type { Fields } from './rows.ts';

export interface FieldChange {
  readonly field: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly before: unknown;
  readonly after: unknown;
}

/** What saving would change, field by field of the top level, in the order of the document. */
export function fieldChanges(before: Fields, after: Fields): readonly FieldChange[] {
  const fields = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...fields].flatMap((field) => {
    const [old, next] = [before[field], after[field]];
    if (isEqual(old, next)) return [];
    const change = old === undefined ? 'added' : next === undefined ? 'removed' : 'changed';
    return [{ field, change, before: old, after: next } as const];
  });
}

/** One line for a question; what may be a secret is not shown. */
export function changeWords({ field, change, before, after }: FieldChange): string {
  switch (change) {
    case 'added':
      return `+ ${field}: ${shown(field, after)}`;
    case 'removed':
      return `− ${field} (was ${shown(field, before)})`;
    case 'changed':
      return `${field}: ${shown(field, before)} → ${shown(field, after)}`;
    default:
      return unreachable(change);
  }
}

const longest = 80;

function shown(field: string, value: unknown): string {
  if (/secret|password|token$/i.test(field)) return '•••';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
