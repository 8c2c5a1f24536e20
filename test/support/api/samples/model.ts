import type { Sample } from './sample.ts';

const inDeployment = { deploymentId: '7' };
const branch = { id: 5, name: 'feature', parentBranch: 'main', lastHash: 'abc', isStagingEnvironmentEnabled: false };
const devBranch = { ...branch, name: 'dev-ada-feature', parentBranch: 'feature' };

const branches: Record<string, Sample> = {
  startDevMode: { request: { params: inDeployment, body: { branchName: 'main' } }, answer: devBranch, needed: 'name' },
  stopDevMode: { request: { params: inDeployment } },
  listBranches: { request: { params: inDeployment }, answer: { data: [branch] }, needed: 'data.0.name' },
  createBranch: { request: { params: inDeployment, body: { name: 'feature' } }, answer: branch },
  deleteBranch: { request: { params: inDeployment, query: { branchName: 'dev-old' } } },
  setBranchStagingEnvironment: {
    request: { params: inDeployment, body: { enabled: true, branchName: 'feature' } },
    answer: { data: branch },
  },
  commit: {
    request: { params: inDeployment, body: { message: 'm', branchName: 'dev-a' } },
    answer: { lastHash: 'abc' },
  },
  pull: { request: { params: inDeployment, body: { branchName: 'dev-a' } }, answer: {} },
  merge: { request: { params: inDeployment, body: { branchName: 'dev-a', squashCommits: true } }, answer: {} },
  mergeToDefault: { request: { params: inDeployment, body: { branchName: 'feature' } }, answer: {} },
  connectGithub: { request: { params: inDeployment, body: { owner: 'o', repo: 'r', branch: 'main' } }, answer: {} },
};

const dataModel: Record<string, Sample> = {
  listDataModelFiles: {
    request: { params: inDeployment, query: { branchName: 'main', withContent: true } },
    answer: { path: '/', type: 'directory', children: [{ path: '/model/a.yml', type: 'file', content: 'x' }] },
    needed: 'children.0.path',
  },
  writeDataModelFiles: {
    request: { params: inDeployment, body: { branchName: 'dev-a', files: [{ path: 'model/a.yml', content: 'x' }] } },
  },
  deleteDataModelFiles: {
    request: { params: inDeployment, body: { branchName: 'dev-a', files: [{ path: 'model/a.yml' }] } },
  },
  renameDataModelFiles: {
    request: {
      params: inDeployment,
      body: { branchName: 'dev-a', files: [{ path: 'model/a.yml', newPath: 'model/b.yml' }] },
    },
  },
  getFileHashes: {
    request: { params: inDeployment, query: { branchName: 'main' } },
    answer: { files: { 'model/a.yml': { hash: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' } } },
    needed: 'files',
  },
  validateDataModel: {
    request: { params: inDeployment, query: { devMode: true } },
    answer: { branchName: 'dev-a', valid: false, cubesCount: 0, errors: [{ fileName: 'a.yml', message: 'bad' }] },
    needed: 'valid',
  },
  startUpload: {
    request: { params: inDeployment, body: { branchName: 'dev-a' } },
    answer: { transaction: { id: 1 } },
    needed: 'transaction',
  },
  uploadFile: {
    request: {
      params: inDeployment,
      body: { transaction: { id: 1 }, fileName: 'model/a.yml', file: new Uint8Array([1, 2]) },
    },
  },
  finishUpload: {
    request: {
      params: inDeployment,
      body: {
        transaction: { id: 1 },
        files: { 'model/a.yml': { hash: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' } },
        autoRemoveFiles: false,
      },
    },
    answer: {},
  },
};

/** Branches, files and uploads. */
export const modelSamples: Readonly<Record<string, Sample>> = { ...branches, ...dataModel };
