import type { Sample } from './sample.ts';

const inDeployment = { deploymentId: '7' };
const deployment = { id: '7', name: 'Sales', created_at: '2026-01-02T03:04:05Z' };
const pagination = { offset: 0, limit: 20, total: 1 };

const deployments: Record<string, Sample> = {
  listDeployments: {
    request: { query: { offset: 0, limit: 20 } },
    answer: { data: { deployments: [deployment] }, pagination },
    needed: 'data.deployments',
  },
  updateDeployment: { request: { params: inDeployment, body: { releaseChannel: 'stable' } }, answer: deployment },
  deleteDeployment: { request: { params: inDeployment } },
  listDeploymentVersions: {
    request: { params: inDeployment },
    answer: { data: [{ releaseChannelVersion: 'repo/image:v1.2.3', version: '1.2.3', releaseChannel: 'stable' }] },
    needed: 'data.0.version',
  },
  createDeployment: {
    request: { body: { name: 'Sales', cloudProvider: 'aws', creationMethod: 'upload', deployMode: 'cli' } },
    answer: deployment,
  },
  advanceCreationStep: { request: { params: inDeployment }, answer: { id: '7', creationStep: 'github' } },
  resetCreationStep: { request: { params: inDeployment }, answer: { id: '7', creationStep: 'start' } },
  startDbtSync: {
    request: { params: inDeployment, body: { branchName: 'main' } },
    answer: { branchName: 'dbt-sync', syncJobId: '1', workflowId: 'w' },
    needed: 'branchName',
  },
  listRegions: { request: {}, answer: [{ id: 'eu', name: 'Europe', cloudProvider: 'aws' }], needed: '0.id' },
  listEnvironments: {
    request: { params: inDeployment, query: { type: 'staging' } },
    answer: { data: { environments: [{ id: '1', name: 'main', type: 'production' }] }, pagination },
    needed: 'data.environments.0.type',
  },
  createMetadataToken: {
    request: {
      params: { ...inDeployment, environmentId: '1' },
      body: { security_context: { team: 'a' }, expires_in: 60 },
    },
    answer: { data: { token: 'jwt', created_at: '2026-01-01', expires_at: '2026-01-02' } },
    needed: 'data.token',
  },
  createDataToken: {
    request: {
      params: { ...inDeployment, environmentId: '1' },
      body: { security_context: { team: 'a' }, expires_in: 60 },
    },
    answer: { data: { token: 'jwt', created_at: '2026-01-01', expires_at: '2026-01-02' } },
    needed: 'data.token',
  },
};

const runtime: Record<string, Sample> = {
  getBuildStatus: {
    request: { params: inDeployment, query: { branchName: 'main' } },
    answer: { status: 'built', branchName: 'main' },
    needed: 'status',
  },
  getLogs: {
    request: { params: inDeployment, query: { source: 'dev', container: 'MAIN', limit: 10, from: '2026-01-01' } },
    answer: [{ date: '2026-01-01', pod: 'p', container: 'MAIN', message: 'hello' }],
    needed: '0.message',
  },
  listPods: { request: { params: inDeployment }, answer: [{ name: 'p', status: 'running' }], needed: '0.name' },
  getEnvVars: {
    request: { params: inDeployment },
    answer: { env_variables: [{ name: 'A', value: '***', isSecret: true }] },
    needed: 'env_variables',
  },
  setEnvVars: { request: { params: inDeployment, body: { env_variables: [{ name: 'A', value: 'b' }] } } },
};

/** Deployments and what runs in them. */
export const deploymentsSamples: Readonly<Record<string, Sample>> = { ...deployments, ...runtime };
