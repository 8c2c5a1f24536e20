import * as v from 'valibot';
import { operation, slow } from './operation.ts';
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
} from './schema.ts';

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

/** Management 2.2; fields beyond `id`, `name` and `created_at` are what servers add. */
export const deployment = v.looseObject(deploymentEntries);
export type Deployment = v.InferOutput<typeof deployment>;

/** Management 2.6. */
export const deploymentVersion = v.looseObject({
  releaseChannelVersion: v.string(),
  version: v.string(),
  releaseChannel: opt(v.string()),
  isLatestInChannel: opt(v.boolean()),
  isCurrent: opt(v.boolean()),
});
export type DeploymentVersion = v.InferOutput<typeof deploymentVersion>;

/** `<version>`, `v<version>` or `<image_repo>:v<version>` (management 4.7). */
export const versionReference = v.pipe(
  text,
  v.regex(
    /^(?:[\w.-]+(?::\d+)?(?:\/[\w.-]+)*:v|v)?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/,
    'must be <version>, v<version> or <image_repo>:v<version>',
  ),
);

/** Management 4.2. */
export const listDeployments = operation({
  id: 'listDeployments',
  method: 'GET',
  path: '/api/v1/deployments',
  section: 'management 4.2',
  tag,
  summary: 'List the deployments that the caller may see.',
  answerKind: 'json',
  query: strictObject({ offset: v.optional(countIn), limit: v.optional(countIn) }),
  answer: offsetListOf('deployments', deployment),
});

/** Management 4.7: change the version, the channel or the deploy mode; other fields are not shown and pass through. */
export const updateDeployment = operation({
  id: 'updateDeployment',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}',
  section: 'management 4.7',
  tag,
  summary: 'Change the version, the update channel or the deploy mode of a deployment.',
  answerKind: 'json',
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

/** Management 4.11. */
export const deleteDeployment = operation({
  id: 'deleteDeployment',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}',
  section: 'management 4.11',
  tag,
  summary: 'Delete a deployment.',
  answerKind: 'none',
  params: inDeployment,
});

/** Management 4.6. */
export const listDeploymentVersions = operation({
  id: 'listDeploymentVersions',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/versions',
  section: 'management 4.6',
  tag,
  summary: 'List the head of each update channel and the older versions that the account has run.',
  answerKind: 'json',
  params: inDeployment,
  answer: listOf(deploymentVersion),
});

/** Management 4.11: `CreateDeploymentInput`; fields that the document does not show pass through. */
export const createDeployment = operation({
  id: 'createDeployment',
  method: 'POST',
  path: '/build/api/v1/deployments/',
  section: 'management 4.11',
  tag,
  summary: 'Create a deployment.',
  patience: slow,
  answerKind: 'json',
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

/** Management 4.11. */
export const advanceCreationStep = operation({
  id: 'advanceCreationStep',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/creation-step/advance',
  section: 'management 4.11',
  tag,
  summary: 'Move the setup wizard of a deployment to its next step.',
  answerKind: 'json',
  params: inDeployment,
  answer: changed(creationStepEntries),
});

/** Management 4.11. */
export const resetCreationStep = operation({
  id: 'resetCreationStep',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/creation-step/reset',
  section: 'management 4.11',
  tag,
  summary: 'Start the setup wizard of a deployment again.',
  answerKind: 'json',
  params: inDeployment,
  answer: changed(creationStepEntries),
});

/** Management 4.11: starts a job; the branch it writes is named in the answer. */
export const startDbtSync = operation({
  id: 'startDbtSync',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/dbt-sync',
  section: 'management 4.11',
  tag,
  summary: 'Start a dbt sync on a branch.',
  patience: slow,
  answerKind: 'json',
  params: inDeployment,
  body: strictObject({ branchName: text }),
  answer: objectOf({ branchName: v.string(), syncJobId: opt(idOut), workflowId: opt(idOut) }),
});

/** Management 4.11; the shape is from payloads, Management. */
export const listRegions = operation({
  id: 'listRegions',
  method: 'GET',
  path: '/api/v1/regions/',
  section: 'management 4.11',
  tag,
  summary: 'List the regions that the tenant may use.',
  answerKind: 'json',
  answer: arrayOf(v.looseObject({ id: idOut, name: opt(v.string()), cloudProvider: opt(v.string()) })),
});
