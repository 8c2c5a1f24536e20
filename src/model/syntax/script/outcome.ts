import type { ValueKind } from '#model/syntax/tree.ts';

/** What an expression yields: its value, or at least what kind of value that is. */
export type Outcome = { readonly value: Primitive } | { readonly kind: ValueKind };

export type Primitive = string | number | boolean | null | undefined;

/** Maximum number of characters of a text that is put together; longer ones are SQL, which is not judged by its value. */
const LONGEST = 2000;

/** Returns a text, or only its kind if it is long. */
export function textOf(text: string): Outcome {
  return text.length > LONGEST ? { kind: 'text' } : { value: text };
}

/** Returns the kind of what an expression yields. */
export function kindOf(outcome: Outcome | undefined): ValueKind | undefined {
  if (!outcome) return undefined;
  if ('kind' in outcome) return outcome.kind;
  if (typeof outcome.value === 'string') return 'text';
  if (typeof outcome.value === 'number') return 'number';
  return typeof outcome.value === 'boolean' ? 'boolean' : undefined;
}
