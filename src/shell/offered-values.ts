import { bodyProperties, describedBody } from '#api/described-body.ts';
import { describedValues, enumeratedValues } from '#api/described-values.ts';
import type { Operation } from '#api/operation.ts';

/** A parameter of an operation's query, or a field of its body. */
export type ValueLocation = { readonly query: string } | { readonly body: string };

/**
 * The values that are offered for a parameter: those that the server's own description lists. Only where it lists none are ours
 * offered, because not every name is documented, and a newer server has more of them (docs/platform-api.md#capabilities).
 */
export function offeredValues(
  description: Readonly<Record<string, unknown>> | undefined,
  op: Operation,
  place: ValueLocation,
  ours: readonly string[],
): readonly string[] {
  const served = description ? servedValues(description, op, place) : [];
  return served.length > 0 ? served : ours;
}

/** The values that the server's own description lists for a parameter; none where it lists none. */
export function servedValues(
  description: Readonly<Record<string, unknown>>,
  op: Operation,
  place: ValueLocation,
): readonly string[] {
  if ('query' in place) return describedValues(description, op, place.query);
  const body = describedBody(description, op);
  return body ? enumeratedValues(bodyProperties(body).properties[place.body], body) : [];
}
