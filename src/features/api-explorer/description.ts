import { type CapabilityFilter, filterDescription, parseDescription } from '#api/description/capabilities.ts';
import type { AccountClients } from '#api/client/client.ts';
import { getApiDescription } from '#api/resources/tenant.ts';
import { Hint } from '#shell/user-error.ts';

/** The server's own description of its API. */
export interface ApiDescription {
  readonly whole: Readonly<Record<string, unknown>>;
  /** The number of operations. */
  readonly count: number;
  /** The tags of its operations, sorted. */
  readonly tags: readonly string[];
}

/**
 * Reads the description of an account's server (docs/platform-api.md#capabilities); throws `UserError` if it lists no operations.
 */
export async function readDescription(
  { data }: { readonly data: AccountClients },
  accountId: string,
): Promise<ApiDescription> {
  const whole = await data.client(accountId).call(getApiDescription, {});
  const { operations } = parseDescription(whole);
  if (operations.length === 0) throw new Hint('This server’s API description lists no operations.');
  const tags = [...new Set(operations.flatMap((operation) => operation.tags))].sort();
  return { whole, count: operations.length, tags };
}

/** Returns the description as text, with the operations that match the filter; throws `UserError` if none does. */
export function describedText({ whole }: ApiDescription, filter: CapabilityFilter): string {
  const shown = filterDescription(whole, filter);
  if (Object.keys(shown['paths'] ?? {}).length === 0) throw new Hint('No matching operation.');
  return `${JSON.stringify(shown, undefined, 2)}\n`;
}
