import type { JsonSchema } from '#shell/request-schema.ts';
import { typesOf } from './form-schema.ts';

/** Converts text to a number. Text that is not a number stays as typed, so that the rules report it at the field. */
export function numberOr(typed: string, type: string): unknown {
  if (type !== 'number') return type === 'boolean' && /^(true|false)$/.test(typed) ? typed === 'true' : typed;
  const number = Number(typed);
  // JSON has no infinite numbers, and an integer of more digits would become another one.
  const isKept = Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number));
  return typed.trim() === '' || !isKept ? typed : number;
}

/** Converts text to the entries of a list, one a line; `item` is their schema, `first` the first entry so far. */
export function linesOf(typed: string, item: JsonSchema, first: unknown): readonly unknown[] {
  const isNumbers = typesOf(item, first).has('number') && !typesOf(item, first).has('string');
  return typed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (isNumbers ? numberOr(line, 'number') : line));
}
