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
    const [old, next] = [ownField(before, field), ownField(after, field)];
    if (isEqual(old, next)) return [];
    const change = old === undefined ? 'added' : next === undefined ? 'removed' : 'changed';
    return [{ field, change, before: old, after: next } as const];
  });
}

/** Fields are data: one that is called `constructor` is none until it was set. */
function ownField(fields: Fields, field: string): unknown {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/** An edited document laid over what the platform has now. */
export interface Merged {
  /** What the platform has, with the changes of the document and nothing else. */
  readonly fields: Fields;
  /** Fields that both sides changed since the document was read, each to another value. */
  readonly contested: readonly string[];
}

/**
 * Only what the user changed is a change: a field that someone else changed meanwhile stays as it is now, and so does what
 * the document does not show.
 */
export function mergedFields(shown: Fields, edited: Fields, now: Fields): Merged {
  const changes = fieldChanges(shown, edited);
  const changed = new Map(changes.map((change) => [change.field, change]));
  const kept = Object.entries(now).filter(([field]) => !changed.has(field));
  const set = changes.flatMap(({ field, after }) => (after === undefined ? [] : [[field, after] as const]));
  const contested = changes.filter(({ field, before, after }) => {
    const current = ownField(now, field);
    return !isEqual(current, before) && !isEqual(current, after);
  });
  return { fields: Object.fromEntries([...kept, ...set]), contested: contested.map(({ field }) => field) };
}

/** The changed fields as a body: a field that was taken out of the document is cleared, which null says. */
export function changedBody(before: Fields, after: Fields): Fields {
  return Object.fromEntries(
    fieldChanges(before, after).map(({ field, after: value }) => [field, value === undefined ? null : value]),
  );
}

/** One line for a question; what may be a secret is not shown. */
export function changeText({ field, change, before, after }: FieldChange): string {
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

/** A value in words; what may be a secret is not shown. */
export function shown(field: string, value: unknown): string {
  if (/secret|password|token$/i.test(field)) return '•••';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
