import { randomBytes } from 'node:crypto';
import { cloudProviders, creationMethods, deployModes } from '#api/resources/deployments.ts';
import type { ImportCommit } from '../git/import.ts';
import type { Core } from './core.ts';
import { author } from './merging.ts';
import { invalid } from './refusal.ts';
import { type Caller, deploymentById, type DeploymentRow } from './rows.ts';
import { channelHeads } from './versions.ts';

/** The setup wizard's steps, in order. */
const creationSteps = ['project', 'repository', 'data-source', 'model', 'complete'] as const;
export const firstStep: string = creationSteps[0];

export const regions = [
  { id: 'eu-central-1', name: 'Frankfurt', cloudProvider: 'aws' },
  { id: 'us-east-1', name: 'N. Virginia', cloudProvider: 'aws' },
  { id: 'europe-west3', name: 'Frankfurt', cloudProvider: 'gcp' },
] as const;

export interface CreateInput {
  readonly name: string;
  readonly cloudProvider?: string | undefined;
  readonly creationMethod?: string | undefined;
  readonly deployMode?: string | undefined;
  readonly region?: string | undefined;
  readonly [more: string]: unknown;
}

/** Creates a deployment with its repository; one that will be connected or uploaded to starts with an empty model. */
export async function createDeployment(
  core: Core,
  caller: Pick<Caller, 'tenantId' | 'userEmail'>,
  input: CreateInput,
): Promise<DeploymentRow> {
  const region = input.region ?? regions[0].id;
  if (!regions.some(({ id }) => id === region)) throw invalid(`region: "${region}" is not one of the tenant's regions`);
  checkEnumerations(input);
  const { name, cloudProvider, creationMethod, deployMode, region: _, ...more } = input;
  const id = core.db.transaction(() => {
    const row = core.db.run(
      `INSERT INTO deployments (tenant_id, name, created_at, deploy_mode, creation_method, creation_step, cloud_provider,
         region, version, release_channel, deploy_branch, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'latest', 'main', ?)`,
      caller.tenantId,
      name,
      core.now(),
      deployMode ?? 'git',
      creationMethod ?? 'cubecloud',
      firstStep,
      cloudProvider ?? 'cubecloud',
      region,
      channelHeads['latest'] ?? '',
      JSON.stringify(more),
    );
    addDefaults(core, caller.tenantId, row.id);
    return row.id;
  });
  const files = { '.gitignore': 'node_modules\n' };
  const first = { branch: 'main', files, message: 'Initial commit', author: author(core, caller) };
  try {
    await createRepository(core, id, 'main', [first]);
  } catch (error) {
    core.db.run('DELETE FROM deployments WHERE id = ?', id);
    await core.removeRepository(id);
    throw error;
  }
  core.builds.request(id, 'main');
  return deploymentById(core.db, id) as DeploymentRow;
}

/** The client leaves the judgement of these values to the server. */
export function checkEnumerations(input: Pick<CreateInput, keyof typeof enumerations>): void {
  for (const [field, values] of Object.entries(enumerations)) {
    const value = input[field as keyof typeof enumerations];
    if (value !== undefined && !values.includes(value)) throw invalid(`${field}: must be one of ${values.join(', ')}`);
  }
}

const enumerations: Readonly<Record<'cloudProvider' | 'creationMethod' | 'deployMode', readonly string[]>> = {
  cloudProvider: cloudProviders,
  creationMethod: creationMethods,
  deployMode: deployModes,
};

/** What every deployment has from the start: a secret of its own and an agent. */
function addDefaults(core: Core, tenantId: number, id: number): void {
  core.db.run(
    "INSERT INTO env_vars (deployment_id, name, value, is_secret) VALUES (?, 'CUBEJS_API_SECRET', ?, 1)",
    id,
    randomBytes(32).toString('hex'),
  );
  core.db.run(
    "INSERT INTO agents (tenant_id, deployment_id, name, is_default) VALUES (?, ?, 'Analyst', 1)",
    tenantId,
    id,
  );
}

/** Starts a deployment's repository with its first commits; `branch` becomes the deploy branch. */
export async function createRepository(
  core: Core,
  deploymentId: number,
  branch: string,
  commits: readonly ImportCommit[],
): Promise<void> {
  const repository = core.repository(deploymentId);
  await repository.init(branch);
  await repository.import(commits);
  core.db.run(
    'INSERT INTO branches (deployment_id, name, parent, created_at) VALUES (?, ?, NULL, ?)',
    deploymentId,
    branch,
    core.now(),
  );
}

/** One commit straight onto a branch, as someone with a clone would push it; answers its hash. */
export async function commitFiles(core: Core, deploymentId: number, commit: ImportCommit): Promise<string> {
  const repository = core.repository(deploymentId);
  return repository.exclusive(async () => {
    await repository.import([commit]);
    return repository.head(commit.branch);
  });
}

export async function deleteDeployment(core: Core, deployment: DeploymentRow): Promise<void> {
  core.db.run('DELETE FROM deployments WHERE id = ?', deployment.id);
  await core.repository(deployment.id).exclusive(() => core.removeRepository(deployment.id));
}

/** @throws Refusal 400 when setup is complete */
export function nextStep(deployment: DeploymentRow): string {
  const next = creationSteps[creationSteps.findIndex((step) => step === deployment.creation_step) + 1];
  if (next === undefined) throw invalid('Setup is complete: reset it to go through it again.');
  return next;
}
