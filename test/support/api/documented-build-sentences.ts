import {
  commit,
  createBranch,
  listBranches,
  merge,
  mergeToDefault,
  pull,
  startDevMode,
  stopDevMode,
} from '#api/resources/branches.ts';
import {
  deleteDataModelFiles,
  getFileHashes,
  renameDataModelFiles,
  writeDataModelFiles,
} from '#api/resources/data-model.ts';
import { finishUpload, startUpload } from '#api/resources/upload.ts';
import { branch, params, type Sentence } from './documented-sentences.ts';

const b7 = '/build/api/v1/deployments/7';
const sha1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';

/** As `SENTENCES`, for the build side: branches, files, uploads and Git. */
export const BUILD_SENTENCES: readonly Sentence[] = [
  {
    says: 'Start dev mode: {branchName} is the branch to fork from; returns the dev branch',
    send: (client) => client.call(startDevMode, { params, body: { branchName: 'main' } }),
    line: `POST ${b7}/dev-mode`,
    body: { branchName: 'main' },
    answer: [200, branch],
    gets: branch,
  },
  {
    says: 'Stop dev mode: DELETE …/dev-mode',
    send: (client) => client.call(stopDevMode, { params }),
    line: `DELETE ${b7}/dev-mode`,
    answer: [200, {}],
  },
  {
    says: 'List branches: {data:[branch]}',
    send: (client) => client.call(listBranches, { params }),
    line: `GET ${b7}/branches`,
    answer: [200, { data: [branch] }],
    gets: { data: [branch] },
  },
  {
    says: 'List branches: or a plain list',
    send: (client) => client.call(listBranches, { params }),
    line: `GET ${b7}/branches`,
    answer: [200, [branch]],
    gets: { data: [branch] },
  },
  {
    says: 'Create a branch: {name, parentBranch?, enterDevMode?}',
    send: (client) => client.call(createBranch, { params, body: { name: 'pricing', parentBranch: 'main' } }),
    line: `POST ${b7}/branches`,
    body: { name: 'pricing', parentBranch: 'main' },
    answer: [200, { ...branch, name: 'pricing' }],
  },
  {
    says: 'Commit: {message, branchName}',
    send: (client) => client.call(commit, { params, body: { message: 'Add net', branchName: 'dev-ann' } }),
    line: `POST ${b7}/commit`,
    body: { message: 'Add net', branchName: 'dev-ann' },
    answer: [200, {}],
  },
  {
    says: 'Pull: {branchName}',
    send: (client) => client.call(pull, { params, body: { branchName: 'dev-ann' } }),
    line: `POST ${b7}/pull`,
    body: { branchName: 'dev-ann' },
    answer: [200, {}],
  },
  {
    says: 'Merge: {branchName, squashCommits?, switchToParentBranch?, deleteBranch?}',
    send: (client) =>
      client.call(merge, {
        params,
        body: { branchName: 'dev-ann', squashCommits: true, switchToParentBranch: true, deleteBranch: false },
      }),
    line: `POST ${b7}/merge`,
    body: { branchName: 'dev-ann', squashCommits: true, switchToParentBranch: true, deleteBranch: false },
    answer: [200, {}],
  },
  {
    says: 'Merge to default: {branchName, message?, removeBranchAfterMerge?}',
    send: (client) =>
      client.call(mergeToDefault, {
        params,
        body: { branchName: 'pricing', message: 'Pricing', removeBranchAfterMerge: true },
      }),
    line: `POST ${b7}/merge-to-default`,
    body: { branchName: 'pricing', message: 'Pricing', removeBranchAfterMerge: true },
    answer: [200, {}],
  },
  {
    says: 'Write files: {branchName, files:[{path, content}]}',
    send: (client) =>
      client.call(writeDataModelFiles, {
        params,
        body: { branchName: 'dev-ann', files: [{ path: 'model/a.yml', content: 'cubes: []\n' }] },
      }),
    line: `PUT ${b7}/data-model/files`,
    body: { branchName: 'dev-ann', files: [{ path: 'model/a.yml', content: 'cubes: []\n' }] },
    answer: [200, {}],
  },
  {
    says: 'Delete files: {branchName, files:[{path}]} in the body of a DELETE',
    send: (client) =>
      client.call(deleteDataModelFiles, { params, body: { branchName: 'dev-ann', files: [{ path: 'model/a.yml' }] } }),
    line: `DELETE ${b7}/data-model/files`,
    body: { branchName: 'dev-ann', files: [{ path: 'model/a.yml' }] },
    answer: [200, {}],
  },
  {
    says: 'Rename files: {branchName, files:[{path, newPath}]}',
    send: (client) =>
      client.call(renameDataModelFiles, {
        params,
        body: { branchName: 'dev-ann', files: [{ path: 'model/a.yml', newPath: 'model/b.yml' }] },
      }),
    line: `POST ${b7}/data-model/files/rename`,
    body: { branchName: 'dev-ann', files: [{ path: 'model/a.yml', newPath: 'model/b.yml' }] },
    answer: [200, {}],
  },
  {
    says: 'File hashes: query branchName?; {files:{path:{hash}}}',
    send: (client) => client.call(getFileHashes, { params, query: { branchName: 'dev-ann' } }),
    line: `GET ${b7}/data-model/file-hashes?branchName=dev-ann`,
    answer: [200, { files: { 'model/a.yml': { hash: sha1 } } }],
    gets: { files: { 'model/a.yml': { hash: sha1 } } },
  },
  {
    says: 'Start an upload: {branchName?}; {transaction} is opaque',
    send: (client) => client.call(startUpload, { params, body: { branchName: 'dev-ann' } }),
    line: `POST ${b7}/data-model/upload/start`,
    body: { branchName: 'dev-ann' },
    answer: [200, { transaction: { id: 't1', odd: [1] } }],
    gets: { transaction: { id: 't1', odd: [1] } },
  },
  {
    says: 'Finish an upload: the transaction whole, the full manifest, autoRemoveFiles',
    send: (client) =>
      client.call(finishUpload, {
        params,
        body: {
          transaction: { id: 't1', odd: [1] },
          files: { 'model/a.yml': { hash: sha1 } },
          autoRemoveFiles: true,
          branchName: 'dev-ann',
        },
      }),
    line: `POST ${b7}/data-model/upload/finish`,
    body: {
      transaction: { id: 't1', odd: [1] },
      files: { 'model/a.yml': { hash: sha1 } },
      autoRemoveFiles: true,
      branchName: 'dev-ann',
    },
    answer: [200, {}],
  },
];
