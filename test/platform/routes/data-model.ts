import * as api from '#api/resources/data-model.ts';
import { activeDevBranch, resolveBranch, writableBranch } from '../core/branches.ts';
import { branchFiles, deleteFiles, readFiles, renameFiles, writeFiles } from '../core/files.ts';
import { invalid } from '../core/refusal.ts';
import { expectationOf, writtenAnswer } from './conditions.ts';
import { fileTree } from './file-tree.ts';
import { record } from './record.ts';
import { route } from './route.ts';

export const dataModelRoutes = [
  route(api.listDataModelFiles, async ({ core, caller, deployment, query }) => {
    const branch = resolveBranch(core, caller, deployment, query.branchName);
    return core.repository(deployment.id).exclusive(async () => {
      const paths = [...(await branchFiles(core, branch)).keys()].sort();
      return fileTree(paths, query.withContent === true ? await readFiles(core, branch, paths) : undefined);
    });
  }),

  route(api.writeDataModelFiles, async (call) => {
    const { core, caller, deployment, body, headers } = call;
    const branch = writableBranch(core, caller, deployment, body.branchName);
    await writeFiles(core, branch, body.files, expectationOf(headers, body.files.length));
    record(call, 'files.written', { branchName: branch.name, files: body.files.length }, deployment.id);
    return writtenAnswer(body.files);
  }),

  route(api.deleteDataModelFiles, async (call) => {
    const { core, caller, deployment, body, headers } = call;
    const branch = writableBranch(core, caller, deployment, body.branchName);
    await deleteFiles(core, branch, body.files, expectationOf(headers, body.files.length));
    record(call, 'files.deleted', { branchName: branch.name, files: body.files.length }, deployment.id);
  }),

  route(api.renameDataModelFiles, async (call) => {
    const { core, caller, deployment, body, headers } = call;
    const branch = writableBranch(core, caller, deployment, body.branchName);
    await renameFiles(core, branch, body.files, expectationOf(headers, body.files.length));
    record(call, 'files.renamed', { branchName: branch.name, files: body.files.length }, deployment.id);
  }),

  route(api.getFileHashes, async ({ core, caller, deployment, query }) => {
    const branch = resolveBranch(core, caller, deployment, query.branchName);
    return core.repository(deployment.id).exclusive(async () => {
      const index = await branchFiles(core, branch);
      const paths = [...index.keys()].sort();
      return { files: Object.fromEntries(paths.map((path) => [path, { hash: index.get(path)?.hash }])) };
    });
  }),

  route(api.validateDataModel, async ({ core, caller, deployment, query }) => {
    if (query.devMode === true && activeDevBranch(core, caller, deployment) === undefined) {
      throw invalid('devMode: there is no active dev branch, start dev mode first');
    }
    const branch = resolveBranch(core, caller, deployment, query.devMode === true ? undefined : query.branchName);
    const result = await core.builds.validate(branch);
    return result.ok
      ? { branchName: branch.name, valid: true, cubesCount: result.cubes, errors: [] }
      : { branchName: branch.name, valid: false, cubesCount: 0, errors: result.errors };
  }),
];
