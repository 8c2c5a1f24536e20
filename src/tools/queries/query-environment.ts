import * as v from 'valibot';
import type { DataQuery } from '#api/data/data.ts';
import { isObject } from '#api/schema.ts';
import { environmentFor, type QueryEnvironment, withAddress } from '#features/data/environments.ts';
import { issueToken } from '#features/data/issued-token.ts';
import { fetchEnvironments } from '#features/platform/gateway.ts';
import { deploymentInput, openDeployment } from '#tools/platform/deployment.ts';
import type { PlatformAccess, ToolPorts } from '#tools/ports.ts';
import { type ToolContext, ToolError } from '#tools/tool.ts';

/** How long an issued token is valid, in seconds: longer than a query may wait, and no longer. */
const TOKEN_LIFE = 900;

/** The input of every tool that sends a query. */
export const queryInput = {
  query: v.pipe(v.string(), v.description('The query of the data API as JSON, with measures, dimensions and so on.')),
  branch: v.optional(
    v.pipe(v.string(), v.description('The branch whose environment answers; without one, production answers.')),
  ),
  deployment: deploymentInput,
};

/** An environment that runs queries. */
export interface OpenedEnvironment {
  readonly name: string;
  readonly data: ReturnType<PlatformAccess['dataClient']>;
  /** Returns the same for an identity: the claims of its token. */
  readonly dataAs: (securityContext: Readonly<Record<string, unknown>>) => Promise<OpenedEnvironment['data']>;
}

/**
 * Opens the environment of a branch, else of production, with a token that the platform issues. Throws `ToolError` if there is no
 * such environment, and `PlatformError` if the platform issues no token.
 */
export async function openEnvironment(
  ports: Pick<ToolPorts, 'platform'>,
  { branch, deployment: named }: { readonly branch?: string | undefined; readonly deployment?: string | undefined },
  context: ToolContext,
): Promise<OpenedEnvironment> {
  const { client, dataClient, deployment } = await openDeployment(ports, named, context);
  const { signal } = context;
  context.progress('Reading the environments');
  const environments = await fetchEnvironments(client, deployment.id, signal);
  const { id: environmentId, name, restUrl } = chosenEnvironment(environments, branch);
  const dataAs: OpenedEnvironment['dataAs'] = async (securityContext) => {
    const request = { deploymentId: deployment.id, environmentId, securityContext, seconds: TOKEN_LIFE };
    return dataClient(restUrl, (await issueToken(client, request, signal)).token);
  };
  return { name, data: await dataAs({}), dataAs };
}

type Environments = Awaited<ReturnType<typeof fetchEnvironments>>;

/**
 * Returns the environment of a branch. Only a wrong branch name is the user's mistake: otherwise something is missing on the
 * platform.
 */
function chosenEnvironment(environments: Environments, branch: string | undefined): QueryEnvironment {
  const found = environmentFor(environments, branch === undefined ? undefined : { name: branch, isDefault: false });
  if (!found.ok) throw new ToolError(branch === undefined ? 'platform' : 'usage', found.error);
  const environment = withAddress(found.value);
  if (!environment.ok) throw new ToolError('platform', environment.error);
  return environment.value;
}

/** Parses a query in JSON; throws `ToolError` if it is not a single query. */
export function queryIn(text: string): DataQuery {
  let query: unknown;
  try {
    query = JSON.parse(text);
  } catch {
    throw new ToolError('usage', '“query” is not JSON. An example: {"measures":["orders.count"]}');
  }
  if (!isObject(query)) throw new ToolError('usage', '“query” must be one object, like {"measures":["orders.count"]}.');
  const periods = query['timeDimensions'];
  // The answer would contain one result for each period.
  if (Array.isArray(periods) && periods.some((each) => isObject(each) && each['compareDateRange'] !== undefined))
    throw new ToolError('usage', '“compareDateRange” is not supported here. Run one query for each period.');
  return query;
}
