import { isObject } from '#api/schema.ts';
import { isEqual } from '#base/equal.ts';
import { namesSecret } from './form-schema.ts';
import type { Fields } from './rows.ts';

export interface FieldChange {
  readonly field: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns what saving would change, one entry per top-level field, in the order of the document. */
export function fieldChanges(before: Fields, after: Fields): readonly FieldChange[] {
  const fields = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...fields].flatMap((field) => {
    const [old, next] = [ownField(before, field), ownField(after, field)];
    if (isEqual(old, next)) return [];
    const change = old === undefined ? 'added' : next === undefined ? 'removed' : 'changed';
    return [{ field, change, before: old, after: next } as const];
  });
}

/** Reads an own property only: a field named `constructor` must not find the one of the prototype. */
function ownField(fields: Fields, field: string): unknown {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/** An edited document merged with the platform's current version. */
export interface MergedDocument {
  /** The platform's current version with the changes of the document applied. */
  readonly fields: Fields;
  /** Fields that both sides changed to different values since the document was read. */
  readonly contested: readonly string[];
}

/**
 * Applies only the user's own changes: fields that someone else changed meanwhile keep their current value, and so do fields that
 * the document does not show.
 */
export function mergedFields(shown: Fields, edited: Fields, now: Fields): MergedDocument {
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

/** Returns the changed fields as a body; a field that was removed from the document is null, which clears it. */
export function changedBody(before: Fields, after: Fields): Fields {
  return Object.fromEntries(
    fieldChanges(before, after).map(({ field, after: value }) => [field, value === undefined ? null : value]),
  );
}

/** What is shown instead of a secret. */
export const hidden = '•••';

/** Whether a value is hidden because of its name; whether something is set or switched on may be seen. */
export function hidesAt(name: string, value: unknown): boolean {
  return namesSecret(name) && value !== null && typeof value !== 'boolean' && value !== undefined;
}

/** Returns a copy of a value in which possible secrets are hidden. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  // An entry of a list names its value in a field of its own.
  const { name: entry } = value;
  const isEntry = value['isSecret'] === true || (typeof entry === 'string' && namesSecret(entry));
  const fields = Object.entries(value).map(([name, each]) => {
    const hides = hidesAt(name, each) || (name === 'value' && isEntry);
    return [name, hides ? hidden : withoutSecrets(each)] as const;
  });
  return Object.fromEntries(fields);
}
