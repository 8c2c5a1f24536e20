import type { AccountClients, Client } from '#api/client/client.ts';
import {
  cloudProviders,
  createDeployment,
  creationMethods,
  deployModes,
  listRegions,
} from '#api/resources/deployments.ts';
import { isPlatformError } from '#api/errors.ts';
import { isObject } from '#api/schema.ts';
import { getApiDescription } from '#api/resources/tenant.ts';
import { parsedJson } from '#base/json.ts';
import { servedValues } from '#shell/offered-values.ts';

/** The possible values of a field of a new deployment. */
export interface FieldChoice {
  readonly values: readonly string[];
  /** Whether the server itself lists them; if not, it may accept more than the documented ones. */
  readonly isServed: boolean;
}

export interface CreateChoices {
  readonly cloudProvider: FieldChoice;
  readonly creationMethod: FieldChoice;
  readonly deployMode: FieldChoice;
}

/**
 * Resolves to the choices for a new deployment: the server's, or else the documented ones. The documents replace the product’s
 * own name in one of the cloud providers (docs/platform-api.md).
 */
export async function createChoices(client: Client): Promise<CreateChoices> {
  const description = await client.call(getApiDescription, {}).catch(() => ({}));
  const choice = (field: keyof CreateChoices, documented: readonly string[]): FieldChoice => {
    const served = servedValues(description, createDeployment, { body: field });
    return served.length > 0 ? { values: served, isServed: true } : { values: documented, isServed: false };
  };
  return {
    cloudProvider: choice('cloudProvider', cloudProviders),
    creationMethod: choice('creationMethod', creationMethods),
    deployMode: choice('deployMode', deployModes),
  };
}

/** Resolves to the regions of a tenant and the other choices for a new deployment. */
export async function creationOptions(
  { data }: { readonly data: AccountClients },
  accountId: string,
): Promise<{ readonly regions: readonly Region[]; readonly choices: CreateChoices }> {
  const client = data.client(accountId);
  const [regions, choices] = await Promise.all([readRegions(client), createChoices(client)]);
  return { regions, choices };
}

/** A region of the tenant; without an id, the platform chooses. */
export interface Region {
  readonly id?: string;
  readonly name?: string | undefined;
  readonly cloudProvider?: string | undefined;
}

/** Reads the regions of a tenant; empty if the list cannot be read, because a deployment can be created without it. */
async function readRegions(client: Client): Promise<readonly Region[]> {
  try {
    return await client.call(listRegions, {});
  } catch (error) {
    if (isPlatformError(error) && ['notFound', 'invalidResponse', 'forbidden'].includes(error.kind)) return [];
    throw error;
  }
}

/** Parses settings of a cloud provider that the user typed: a JSON object; `undefined` for anything else. */
export function parseProviderSettings(typed: string): Readonly<Record<string, unknown>> | undefined {
  const json = typed.trim() === '' ? undefined : parsedJson(typed);
  return isObject(json) ? json : undefined;
}

/** Returns the clouds in which a deployment of a region can run: the region's own, and those that have no region. */
export function cloudsOf(
  { cloudProvider }: Region,
  regions: readonly Region[],
  clouds: readonly string[],
): readonly string[] {
  if (cloudProvider === undefined) return clouds;
  const elsewhere = new Set(regions.map((region) => region.cloudProvider));
  return [...new Set([cloudProvider, ...clouds.filter((cloud) => !elsewhere.has(cloud))])];
}
