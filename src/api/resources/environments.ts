import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import {
  countIn,
  dataOf,
  freeObject,
  idIn,
  idOut,
  numberOut,
  inDeployment,
  offsetListOf,
  openEnum,
  openValue,
  opt,
  strictObject,
} from '#api/schema.ts';

const tag = 'Environments';

export const environmentTypes = ['production', 'staging', 'development'] as const;

/** docs/platform-api.md#environments */
export const environment = v.looseObject({
  id: idOut,
  name: v.string(),
  type: openEnum(environmentTypes),
  api_credentials: opt(
    v.looseObject({
      rest: opt(v.looseObject({ url: v.string() })),
      sql: opt(v.looseObject({ host: v.string(), port: opt(numberOut) })),
    }),
  ),
  branchName: opt(v.string()),
});
export type Environment = v.InferOutput<typeof environment>;

/** See docs/platform-api.md#listenvironments. */
export const listEnvironments = operation({
  id: 'listEnvironments',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/environments',
  tag,
  summary: 'List the environments of a deployment.',
  params: inDeployment,
  query: strictObject({
    type: v.optional(openValue(environmentTypes)),
    offset: v.optional(countIn),
    limit: v.optional(countIn),
  }),
  answer: offsetListOf('environments', environment),
});

const createdToken = dataOf(
  v.looseObject({ token: v.string(), created_at: opt(v.string()), expires_at: opt(v.string()) }),
);

/** Creates a JWT that grants access to the metadata of one environment only. See docs/platform-api.md#createmetadatatoken. */
export const createMetadataToken = operation({
  id: 'createMetadataToken',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/environments/{environmentId}/tokens-for-meta-sync',
  tag,
  summary: 'Create a token that reads the metadata of an environment.',
  params: strictObject({ deploymentId: idIn, environmentId: idIn }),
  body: strictObject({
    security_context: freeObject,
    expires_in: v.optional(v.pipe(v.number('must be a number of seconds'), v.minValue(1, 'must be at least 1 second'))),
  }),
  answer: createdToken,
});

/** Creates a JWT for queries of the data of one environment. See docs/platform-api.md#createdatatoken. */
export const createDataToken = operation({
  id: 'createDataToken',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/environments/{environmentId}/tokens',
  tag,
  summary: 'Create a token that queries the data of an environment.',
  described: true,
  params: strictObject({ deploymentId: idIn, environmentId: idIn }),
  body: strictObject({
    security_context: freeObject,
    expires_in: v.optional(
      v.pipe(
        v.number('must be a number of seconds'),
        v.minValue(1, 'must be at least 1 second'),
        v.maxValue(3600, 'must be at most 3600 seconds'),
      ),
    ),
  }),
  answer: createdToken,
});
