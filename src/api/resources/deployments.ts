import * as v from 'valibot';
import { operation, slow } from '#api/operation.ts';
import {
  arrayOf,
  changed,
  countIn,
  freeObject,
  idOut,
  inDeployment,
  listOf,
  objectOf,
  offsetListOf,
  openBody,
  openEnum,
  openValue,
  opt,
  strictObject,
  text,
} from '#api/schema.ts';

const tag = 'Deployments';

export const creationMethods = ['upload', 'cubecloud', 'github', 'ssh'] as const;
export const deployModes = ['git', 'cli'] as const;
export const cloudProviders = ['cubecloud', 'aws', 'gcp'] as const;

const deploymentEntries = {
  id: idOut,
  name: v.string(),
  created_at: opt(v.string()),
  region: opt(v.string()),
  cloudProvider: opt(openEnum(cloudProviders)),
  creationMethod: opt(openEnum(creationMethods)),
  creationStep: opt(v.string()),
  deployMode: opt(openEnum(deployModes)),
  releaseChannel: opt(v.string()),
  releaseChannelVersion: opt(v.string()),
  url: opt(v.string()),
};

/** docs/platform-api.md#deployments; servers add the fields beyond `id`, `name` and `created_at`. */
export const deployment = v.looseObject(deploymentEntries);
export type Deployment = v.InferOutput<typeof deployment>;

/** docs/platform-api.md#listdeploymentversions */
export const deploymentVersion = v.looseObject({
  releaseChannelVersion: v.string(),
  version: v.string(),
  releaseChannel: opt(v.string()),
  isLatestInChannel: opt(v.boolean()),
  isCurrent: opt(v.boolean()),
});

/** `<version>`, `v<version>` or `<image_repo>:v<version>` (docs/platform-api.md#updatedeployment). */
export const versionReference = v.pipe(
  text,
  v.regex(
    /^(?:[\w.-]+(?::\d+)?(?:\/[\w.-]+)*:v|v)?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/,
    'must be <version>, v<version> or <image_repo>:v<version>',
  ),
);

/** See docs/platform-api.md#listdeployments. */
export const listDeployments = operation({
  id: 'listDeployments',
  method: 'GET',
  path: '/api/v1/deployments',
  tag,
  summary: 'List the deployments that the caller may see.',
  query: strictObject({ offset: v.optional(countIn), limit: v.optional(countIn) }),
  answer: offsetListOf('deployments', deployment),
});

/** Changes the version, the channel or the deploy mode; other fields pass through. See docs/platform-api.md#updatedeployment. */
export const updateDeployment = operation({
  id: 'updateDeployment',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}',
  tag,
  summary: 'Change the version, the update channel or the deploy mode of a deployment.',
  params: inDeployment,
  body: v.pipe(
    openBody({
      name: v.optional(text),
      releaseChannelVersion: v.optional(versionReference),
      releaseChannel: v.optional(text),
      deployMode: v.optional(openValue(deployModes)),
      creationMethod: v.optional(openValue(creationMethods)),
    }),
    v.check(
      (body) => Object.values(body).some((value) => value !== undefined),
      'must name at least one field to change',
    ),
  ),
  answer: changed(deploymentEntries),
});

/** See docs/platform-api.md#deletedeployment. */
export const deleteDeployment = operation({
  id: 'deleteDeployment',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}',
  tag,
  summary: 'Delete a deployment.',
  params: inDeployment,
});

/** See docs/platform-api.md#listdeploymentversions. */
export const listDeploymentVersions = operation({
  id: 'listDeploymentVersions',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/versions',
  tag,
  summary: 'List the head of each update channel and the older versions that the account has run.',
  params: inDeployment,
  answer: listOf(deploymentVersion),
});

/** `CreateDeploymentInput`; undocumented fields pass through. See docs/platform-api.md#createdeployment. */
export const createDeployment = operation({
  id: 'createDeployment',
  method: 'POST',
  path: '/build/api/v1/deployments/',
  tag,
  summary: 'Create a deployment.',
  timeoutFactor: slow,
  body: openBody({
    name: text,
    cloudProvider: v.optional(openValue(cloudProviders)),
    creationMethod: v.optional(openValue(creationMethods)),
    deployMode: v.optional(openValue(deployModes)),
    region: v.optional(text),
    csps: v.optional(freeObject),
  }),
  answer: changed(deploymentEntries),
});

const creationStepEntries = { id: idOut, creationStep: opt(v.string()) };

/** See docs/platform-api.md#advancecreationstep. */
export const advanceCreationStep = operation({
  id: 'advanceCreationStep',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/creation-step/advance',
  tag,
  summary: 'Move the setup wizard of a deployment to its next step.',
  params: inDeployment,
  answer: changed(creationStepEntries),
});

/** See docs/platform-api.md#resetcreationstep. */
export const resetCreationStep = operation({
  id: 'resetCreationStep',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/creation-step/reset',
  tag,
  summary: 'Start the setup wizard of a deployment again.',
  params: inDeployment,
  answer: changed(creationStepEntries),
});

/** Starts a job; the response names the branch that it writes to. See docs/platform-api.md#startdbtsync. */
export const startDbtSync = operation({
  id: 'startDbtSync',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/dbt-sync',
  tag,
  summary: 'Start a dbt sync on a branch.',
  timeoutFactor: slow,
  params: inDeployment,
  body: strictObject({ branchName: text }),
  answer: objectOf({ branchName: v.string(), syncJobId: opt(idOut), workflowId: opt(idOut) }),
});

/** See docs/platform-api.md#listregions. */
export const listRegions = operation({
  id: 'listRegions',
  method: 'GET',
  path: '/api/v1/regions/',
  tag,
  summary: 'List the regions that the tenant may use.',
  answer: arrayOf(v.looseObject({ id: idOut, name: opt(v.string()), cloudProvider: opt(v.string()) })),
});
