import * as v from 'valibot';
import type { Client } from '#api/client/client.ts';
import { PlatformError } from '#api/errors.ts';
import { operation } from '#api/operation.ts';
import { readServed, type Served } from './served.ts';
import {
  arrayOf,
  countIn,
  dateIn,
  inDeployment,
  isObject,
  objectOf,
  openEnum,
  opt,
  strictObject,
  text,
} from '#api/schema.ts';

const tag = 'Runtime';

export const buildStates = ['built', 'building', 'warmup', 'failed', 'cancelled', 'stopped', 'none'] as const;
export const logSources = ['production', 'dev'] as const;
/** The documented names; on a real server, the third contains the product’s own name, and servers may have others. */
export const logContainers = ['INIT', 'MAIN', 'service-server', 'vector', 'api-proxy'] as const;

/** See docs/platform-api.md#getbuildstatus: an inactive or unknown branch returns `building` with `errorText`. */
export const buildStatus = objectOf({
  status: openEnum(buildStates),
  branchName: opt(v.string()),
  errorText: opt(v.string()),
});
export type BuildStatus = v.InferOutput<typeof buildStatus>;

/** See docs/platform-api.md#getbuildstatus. */
export const getBuildStatus = operation({
  id: 'getBuildStatus',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/build-status',
  tag,
  summary: 'Get the build and deploy state of a branch.',
  params: inDeployment,
  query: strictObject({ branchName: v.optional(text) }),
  answer: buildStatus,
});

const logRow = v.looseObject({
  date: opt(v.string()),
  pod: opt(v.string()),
  container: opt(v.string()),
  message: v.string(),
});

/** See docs/platform-api.md#getlogs. */
export const getLogs = operation({
  id: 'getLogs',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/logs',
  tag,
  summary: 'Read the logs of a deployment, by source and container.',
  params: inDeployment,
  query: strictObject({
    // Other names are accepted: on a real server, one contains the product’s own name, and a newer server may have
    // more.
    source: v.union([v.picklist(logSources), text], `must be one of ${logSources.join(', ')}`),
    container: v.union([v.picklist(logContainers), text], `must be one of ${logContainers.join(', ')}`),
    pod: v.optional(text),
    branchName: v.optional(text),
    from: v.optional(dateIn),
    limit: v.optional(countIn),
  }),
  answer: arrayOf(logRow),
});

const pod = v.looseObject({
  name: v.string(),
  type: opt(v.string()),
  status: opt(v.string()),
  container: opt(v.string()),
  startedAt: opt(v.string()),
});
export type Pod = v.InferOutput<typeof pod>;

/** See docs/platform-api.md#listpods. */
export const listPods = operation({
  id: 'listPods',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/pods',
  tag,
  summary: 'List the pods of a deployment.',
  params: inDeployment,
  answer: arrayOf(pod),
});

const envVariable = v.looseObject({ name: v.string(), value: opt(v.string()), isSecret: opt(v.boolean()) });
const envVariables = { env_variables: v.array(envVariable) };

/** Secret values are masked in the response. See docs/platform-api.md#getenvvars. */
export const getEnvVars = operation({
  id: 'getEnvVars',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/env-vars',
  tag,
  summary: 'Read the environment variables of a deployment.',
  params: inDeployment,
  answer: objectOf(envVariables),
});

/**
 * Resolves to the variables as served, or throws if any cannot be read. The set is replaced as a whole, so the next
 * change would delete a row that was left out.
 */
export async function readEnvVars(client: Client, deploymentId: string): Promise<readonly Served[]> {
  const { env_variables: rows } = await readServed(client, getEnvVars, { params: { deploymentId } });
  if (Array.isArray(rows) && rows.every((row) => isObject(row))) return rows;
  throw new PlatformError({
    kind: 'invalidResponse',
    operation: getEnvVars.id,
    field: 'env_variables',
    message:
      'The environment variables cannot be read: the platform returned something other than a list. Check the tenant URL.',
  });
}

/** Replaces the set; a masked or absent value means "unchanged". See docs/platform-api.md#setenvvars. */
export const setEnvVars = operation({
  id: 'setEnvVars',
  idempotent: false,
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/env-vars',
  tag,
  summary: 'Replace the environment variables of a deployment.',
  roundTrip: true,
  params: inDeployment,
  body: strictObject({
    env_variables: v.pipe(
      // A secret whose value the platform does not show is sent back without one, with all its other fields.
      v.array(
        v.looseObject({ name: text, value: v.optional(v.string('must be text')), isSecret: v.optional(v.boolean()) }),
      ),
      v.check((list) => new Set(list.map(({ name }) => name)).size === list.length, 'must not name a variable twice'),
    ),
  }),
});
