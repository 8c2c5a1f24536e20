import { createHash } from 'node:crypto';
import * as branches from '#api/resources/branches.ts';
import * as model from '#api/resources/data-model.ts';
import * as github from '#api/resources/github.ts';
import * as runtime from '#api/resources/runtime.ts';
import * as upload from '#api/resources/upload.ts';
import { demo } from '#platform/seed/names.ts';
import { known, step, type Step, type World } from './step.ts';

const params = { deploymentId: demo.shop };
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');
const text = 'cubes: []\n';
const later = 'cubes: []\n# ä €\n';
const devBranch = (world: World): string => known(world, 'devBranch');
const file = (world: World, branch: string, path: string): Promise<string | undefined> =>
  world.platform.control.readFile(demo.shop, branch, path);

async function branchNames(world: World): Promise<readonly string[]> {
  const { data } = await world.client.call(branches.listBranches, { params });
  return data.map(({ name }) => name);
}

/** A user's work on the model: dev mode, files, upload, commit, merge, and the branches around it. */
export const modelStory: readonly Step[] = [
  step(branches.startDevMode, {
    request: { params, body: { branchName: 'main' } },
    look: (world, branch) => {
      world.known.set('devBranch', branch.name);
      return { ...branch, isDev: branches.isDevBranch(branch.name) };
    },
    expected: { isDev: true, parentBranch: 'main', isStagingEnvironmentEnabled: false },
  }),
  step(branches.listBranches, {
    request: { params },
    look: (_world, { data }) => data.find((branch) => branches.isDeployBranch(branch)),
    expected: { name: 'main', isStagingEnvironmentEnabled: false },
  }),
  step(model.writeDataModelFiles, {
    request: (world) => ({
      params,
      body: { branchName: devBranch(world), files: ['a.yml', 'b.yml', '__proto__'].map((name) => written(name)) },
    }),
    look: (world) => file(world, devBranch(world), 'model/a.yml'),
    expected: text,
  }),
  step(model.getFileHashes, {
    request: (world) => ({ params, query: { branchName: devBranch(world) } }),
    look: (_world, { files }) => ['model/a.yml', 'model/__proto__'].map((path) => files[path]?.hash),
    expected: [sha1(text), sha1(text)],
  }),
  step(model.renameDataModelFiles, {
    request: (world) => ({
      params,
      body: { branchName: devBranch(world), files: [{ path: '/model/a.yml', newPath: 'model/c.yml' }] },
    }),
    look: (world) => file(world, devBranch(world), 'model/c.yml'),
    expected: text,
  }),
  step(model.deleteDataModelFiles, {
    request: (world) => ({
      params,
      body: { branchName: devBranch(world), files: [{ path: 'model/b.yml' }, { path: 'model/__proto__' }] },
    }),
    look: async (world) => [await file(world, devBranch(world), 'model/b.yml')],
    expected: [undefined],
  }),
  step(model.listDataModelFiles, {
    request: (world) => ({ params, query: { branchName: devBranch(world), withContent: true } }),
    look: (_world, tree) => model.filesOf(tree).find(({ path }) => path.endsWith('model/c.yml')),
    expected: { content: text },
  }),
  step(upload.startUpload, {
    request: (world) => ({ params, body: { branchName: devBranch(world) } }),
    look: (world, { transaction }) => {
      world.known.set('transaction', JSON.stringify(transaction));
      return typeof transaction;
    },
    expected: 'object',
  }),
  step(upload.uploadFile, {
    request: (world) => ({
      params,
      body: {
        transaction: JSON.parse(known(world, 'transaction')) as unknown,
        fileName: 'model/up.yml',
        file: new TextEncoder().encode(later),
      },
    }),
    // The files are not visible before the transaction ends.
    look: async (world) => [await file(world, devBranch(world), 'model/up.yml')],
    expected: [undefined],
  }),
  step(upload.finishUpload, {
    request: (world) => ({
      params,
      body: {
        transaction: JSON.parse(known(world, 'transaction')) as unknown,
        files: { 'model/up.yml': { hash: sha1(later) } },
        autoRemoveFiles: false,
        branchName: devBranch(world),
      },
    }),
    look: (world) => file(world, devBranch(world), 'model/up.yml'),
    expected: later,
  }),
  step(model.validateDataModel, {
    request: { params, query: { devMode: true } },
    look: (world, answer) => ({ ...answer, isDev: answer.branchName === devBranch(world) }),
    expected: { valid: true, errors: [], isDev: true },
  }),
  step(branches.commit, {
    request: (world) => ({ params, body: { branchName: devBranch(world), message: 'Two files' } }),
    look: async (world) => {
      const head = await world.platform.control.git(demo.shop, 'rev-parse', 'main');
      const { data } = await world.client.call(branches.listBranches, { params });
      return [await file(world, 'main', 'model/up.yml'), data[0]?.lastHash === head.trim()];
    },
    expected: [later, true],
  }),
  step(branches.createBranch, {
    request: { params, body: { name: 'spring', parentBranch: 'main' } },
    expected: { name: 'spring', parentBranch: 'main' },
  }),
  step(branches.setBranchStagingEnvironment, {
    request: { params, body: { enabled: true, branchName: 'spring' } },
    expected: { data: { name: 'spring', isStagingEnvironmentEnabled: true } },
  }),
  step(branches.pull, {
    request: { params, body: { branchName: demo.sharedBranch } },
    look: (world) => file(world, demo.sharedBranch, 'model/up.yml'),
    expected: later,
  }),
  step(branches.merge, {
    request: { params, body: { branchName: demo.sharedBranch, squashCommits: true } },
    look: (world) => file(world, 'main', 'model/views/pricing.yml').then((content) => content?.split('\n')[0]),
    expected: 'views:',
  }),
  step(branches.mergeToDefault, {
    request: { params, body: { branchName: demo.stagedBranch, removeBranchAfterMerge: true } },
    look: async (world) => [
      (await file(world, 'main', 'model/README.md'))?.split('\n')[0],
      (await branchNames(world)).includes(demo.stagedBranch),
    ],
    expected: ['# Returns', false],
  }),
  step(branches.stopDevMode, {
    request: { params },
    look: async (world) => (await branchNames(world)).includes(devBranch(world)),
    expected: true,
  }),
  step(branches.deleteBranch, {
    request: (world) => ({ params, query: { branchName: devBranch(world) } }),
    look: async (world) => (await branchNames(world)).includes(devBranch(world)),
    expected: false,
  }),
  step(runtime.getBuildStatus, {
    request: { params, query: { branchName: 'main' } },
    look: async (world) => {
      await world.platform.control.buildSettled(demo.shop, 'main');
      return world.client.call(runtime.getBuildStatus, { params, query: { branchName: 'main' } });
    },
    expected: { status: 'built', branchName: 'main' },
  }),
  step(github.getGithubStatus, { request: {}, expected: { connected: true } }),
  step(github.listGithubInstallations, {
    request: {},
    look: (world, { data: [first] }) => {
      world.known.set('installation', first?.id ?? '');
      return first;
    },
    expected: { account: demo.github.owner },
  }),
  step(github.listGithubRepositories, {
    request: (world) => ({ params: { installationId: known(world, 'installation') } }),
    expected: { data: [{ name: demo.github.repo }] },
  }),
  step(github.listGithubBranches, {
    request: { params: demo.github },
    look: (_world, { data }) => data.map(({ name }) => name).toSorted((a = '', b = '') => a.localeCompare(b)),
    expected: ['develop', 'main'],
  }),
  step(github.connectGithub, {
    request: { params: { deploymentId: demo.cli }, body: { ...demo.github, branch: 'develop' } },
    look: (world) => world.platform.control.readFile(demo.cli, 'develop', 'NOTES.md'),
    expected: 'Drafts\n',
  }),
];

function written(name: string): { readonly path: string; readonly content: string } {
  return { path: `model/${name}`, content: text };
}
