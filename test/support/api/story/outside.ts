import * as chat from '#api/resources/chat.ts';
import { parseChatLine } from '#api/streams/chat-messages.ts';
import * as deployments from '#api/resources/deployments.ts';
import * as embed from '#api/resources/embed.ts';
import * as environments from '#api/resources/environments.ts';
import { deploymentPages } from '#api/resources/lists.ts';
import { collect } from '#api/resources/pagination.ts';
import * as runtime from '#api/resources/runtime.ts';
import { demo } from '#platform/seed/names.ts';
import { known, rowOf, step, type Step, streamed, type World } from './step.ts';

const params = { deploymentId: demo.shop };
const inTenant = { params: { embedTenantName: 'north-stores' } };
const inGroup = (world: World) => ({ params: { ...inTenant.params, id: known(world, 'group') } });

const embedding: readonly Step[] = [
  step(embed.listEmbedTenants, {
    request: {},
    look: (_world, { data }) => data.map(({ name }) => name),
    expected: ['north-stores', 'wholesale'],
  }),
  step(embed.listEmbedTenantUsers, {
    request: inTenant,
    look: (world, { data }) => {
      world.known.set('embedUser', data[1]?.id ?? '');
      return data.map(({ externalId }) => externalId);
    },
    expected: ['mia', 'noah', 'lena'],
  }),
  step(embed.createEmbedTenantGroup, {
    request: { ...inTenant, body: { name: 'cashiers', description: 'At the till' } },
    look: (world, group) => {
      world.known.set('group', group.id ?? '');
      return group;
    },
    expected: { name: 'cashiers', description: 'At the till' },
  }),
  step(embed.updateEmbedTenantGroup, {
    request: (world) => ({ ...inGroup(world), body: { name: 'tellers' } }),
    expected: { name: 'tellers', description: 'At the till' },
  }),
  step(embed.getEmbedTenantGroup, { request: inGroup, expected: { name: 'tellers' } }),
  step(embed.addEmbedTenantGroupUsers, {
    request: (world) => ({ ...inGroup(world), body: { userIds: [known(world, 'embedUser')] } }),
    expected: undefined,
  }),
  step(embed.listEmbedTenantGroupUsers, { request: inGroup, expected: { data: [{ externalId: 'noah' }] } }),
  step(embed.removeEmbedTenantGroupUsers, {
    request: (world) => ({ ...inGroup(world), body: { userIds: [known(world, 'embedUser')] } }),
    look: async (world) => (await world.client.call(embed.listEmbedTenantGroupUsers, inGroup(world))).data,
    expected: [],
  }),
  step(embed.deleteEmbedTenantGroup, { request: inGroup, expected: undefined }),
  step(embed.setDashboardEmbedding, {
    request: (world) => ({ params: { publicId: known(world, 'dashboard') }, body: { enabled: true } }),
    look: (world) => rowOf(world, 'dashboards', 'public_id', known(world, 'dashboard')),
    expected: { embedding: 1 },
  }),
  step(embed.runPythonReport, {
    request: (world) => ({ params: { publicId: known(world, 'dashboard') }, body: { reportId: 'mine', filters: [] } }),
    // Without Python on the machine, the run reports that.
    look: (_world, { status }) => ['succeeded', 'failed'].includes(status ?? ''),
    expected: true,
  }),
  step(embed.deleteEmbedTenant, {
    request: inTenant,
    look: async (world) => (await world.client.call(embed.listEmbedTenants, {})).data.map(({ name }) => name),
    expected: ['wholesale'],
  }),
];

const byAgent = { accountName: demo.account, agentId: demo.agentId };
const byDeployment = { accountName: demo.account, deploymentId: demo.shop };
const sessionSettings = { externalId: 'mia' };
const withToken = (world: World): World['withToken'] => world.withToken;

function kindsOf(world: World, text: string, thread: string): readonly string[] {
  const events = text
    .trim()
    .split('\n')
    .map((line) => parseChatLine(JSON.parse(line)));
  for (const event of events) if (event.kind === 'cutoff') world.known.set(thread, event.chatId ?? '');
  // Servers may end the stream with further messages (docs/chat.md#events).
  const beyond = new Set(['usage', 'ignored']);
  return [...new Set(events.map(({ kind }) => kind))].filter((kind) => !beyond.has(kind));
}

const chatting: readonly Step[] = [
  streamed(chat.streamChatByAgent, {
    request: { params: byAgent, body: { input: 'Hello', sessionSettings } },
    look: (world, text) => kindsOf(world, text, 'thread'),
    expected: ['cutoff', 'message', 'state'],
  }),
  step(chat.abortChatByAgent, {
    request: (world) => ({ params: byAgent, body: { chatId: known(world, 'thread'), sessionSettings } }),
    expected: undefined,
  }),
  streamed(chat.streamChatByDeployment, {
    request: { params: byDeployment, body: { input: 'Hello' } },
    as: withToken,
    look: (world, text) => kindsOf(world, text, 'ownThread'),
    expected: ['cutoff', 'message', 'state'],
  }),
  step(chat.abortChatByDeployment, {
    request: (world) => ({ params: byDeployment, body: { chatId: known(world, 'ownThread') } }),
    as: withToken,
    expected: undefined,
  }),
];

const created = (world: World) => ({ params: { deploymentId: known(world, 'deployment') } });
const trial = (world: World): unknown => rowOf(world, 'deployments', 'id', known(world, 'deployment'));
/** The page of the first environment; a server may leave it out. */
const aPage = { offset: 0, limit: 1, total: 1 };
const deploymentCount = async (world: World): Promise<number> =>
  (await collect(deploymentPages(world.client))).items.length;
const variables = [
  { name: 'A', value: '1' },
  { name: 'PASSWORD', value: 'hidden', isSecret: true },
];

const lifecycle: readonly Step[] = [
  step(deployments.listRegions, {
    request: {},
    look: (_world, regions) => regions.map(({ cloudProvider }) => cloudProvider),
    expected: ['aws', 'aws', 'gcp'],
  }),
  step(deployments.createDeployment, {
    request: { body: { name: 'Trial', cloudProvider: 'aws', creationMethod: 'github', deployMode: 'git' } },
    look: (world, deployment) => {
      world.known.set('deployment', deployment.id ?? '');
      return trial(world);
    },
    expected: { name: 'Trial', creation_method: 'github', deploy_mode: 'git' },
  }),
  step(deployments.advanceCreationStep, { request: created, look: trial, expected: { creation_step: 'repository' } }),
  step(deployments.resetCreationStep, { request: created, look: trial, expected: { creation_step: 'project' } }),
  step(runtime.setEnvVars, {
    request: (world) => ({ ...created(world), body: { env_variables: variables } }),
    expected: undefined,
  }),
  step(runtime.getEnvVars, {
    request: created,
    look: (_world, answer) => answer.env_variables.map(({ name, value }) => [name, value === 'hidden']),
    expected: [
      ['A', false],
      ['PASSWORD', false],
    ],
  }),
  step(runtime.getLogs, {
    request: (world) => ({ ...created(world), query: { source: 'production' as const, container: 'INIT' } }),
    look: (_world, rows) => rows.some(({ message }) => message.includes('2 environment variables')),
    expected: true,
  }),
  step(runtime.listPods, {
    request: { params },
    look: (_world, pods) => pods.length > 0 && pods.every(({ name, status }) => name !== '' && status !== undefined),
    expected: true,
  }),
  step(deployments.startDbtSync, {
    request: { params: { deploymentId: demo.connected }, body: { branchName: 'from-dbt' } },
    look: (world, { branchName }) =>
      world.platform.control
        .readFile(demo.connected, branchName, 'model/cubes/dbt/newsletter_clicks.yml')
        .then(Boolean),
    expected: true,
  }),
  step(deployments.listDeploymentVersions, {
    request: { params },
    look: (_world, { data }) => data.find(({ isCurrent }) => isCurrent),
    expected: { version: '1.7.43', releaseChannelVersion: 'registry.local/engine:v1.7.43', isLatestInChannel: true },
  }),
  step(deployments.updateDeployment, {
    request: { params, body: { releaseChannel: 'stable' } },
    look: async (world) => {
      const { data } = await world.client.call(deployments.listDeploymentVersions, { params });
      return data.find(({ isCurrent }) => isCurrent);
    },
    expected: { releaseChannel: 'stable', releaseChannelVersion: 'registry.local/engine:v1.6.43' },
  }),
  step(environments.listEnvironments, {
    request: { params, query: { type: 'production', offset: 0, limit: 1 } },
    look: (world, { data, pagination }) => {
      world.known.set('environment', data.environments[0]?.id ?? '');
      return [pagination ?? aPage, data.environments.map(({ type }) => type)];
    },
    expected: [aPage, ['production']],
  }),
  step(environments.createMetadataToken, {
    request: (world) => ({
      params: { ...params, environmentId: known(world, 'environment') },
      body: { security_context: { team: 'a' }, expires_in: 60 },
    }),
    look: (_world, { data }) => {
      const [, claims = ''] = data.token.split('.');
      const lifetime = Date.parse(data.expires_at ?? '') - Date.parse(data.created_at ?? '');
      return [JSON.parse(Buffer.from(claims, 'base64url').toString()) as unknown, lifetime];
    },
    expected: [{ scope: ['meta'] }, 60_000],
  }),
  step(environments.createDataToken, {
    request: (world) => ({
      params: { ...params, environmentId: known(world, 'environment') },
      body: { security_context: { team: 'a' }, expires_in: 60 },
    }),
    look: (_world, { data }) => {
      const [, claims = ''] = data.token.split('.');
      return JSON.parse(Buffer.from(claims, 'base64url').toString()) as unknown;
    },
    expected: { team: 'a' },
  }),
  step(deployments.listDeployments, {
    request: { query: { offset: 1, limit: 2 } },
    look: async (world, { data, pagination }) => [
      data.deployments.map(({ id }) => id),
      pagination?.total ?? (await deploymentCount(world)),
    ],
    expected: [['2', '3'], 4],
  }),
  step(deployments.deleteDeployment, {
    request: created,
    look: deploymentCount,
    expected: 3,
  }),
];

/** The platform as seen from outside (embedding, the chat), and deployments from creation to deletion. */
export const outsideStory: readonly Step[] = [...embedding, ...chatting, ...lifecycle];
