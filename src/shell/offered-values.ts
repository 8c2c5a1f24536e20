import { bodyProperties, describedBody } from '#api/description/described-body.ts';
import { describedValues, enumeratedValues } from '#api/description/described-values.ts';
import type { Operation } from '#api/operation.ts';

/** A parameter of an operation's query, or a field of its body. */
export type ValueLocation = { readonly query: string } | { readonly body: string };

/**
 * Returns the values to offer for a parameter: those in the server's own description, or else ours. The server's take precedence
 * because not every value is documented and a newer server has more (docs/platform-api.md#capabilities).
 */
export function offeredValues(
  description: Readonly<Record<string, unknown>> | undefined,
  op: Operation,
  location: ValueLocation,
  ours: readonly string[],
): readonly string[] {
  const served = description ? servedValues(description, op, location) : [];
  return served.length > 0 ? served : ours;
}

/** Returns the values that the server's description lists for a parameter; an empty list if there are none. */
export function servedValues(
  description: Readonly<Record<string, unknown>>,
  op: Operation,
  location: ValueLocation,
): readonly string[] {
  if ('query' in location) return describedValues(description, op, location.query);
  const body = describedBody(description, op);
  return body ? enumeratedValues(bodyProperties(body).properties[location.body], body) : [];
}
