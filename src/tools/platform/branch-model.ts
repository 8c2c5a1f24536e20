import { filesOf, listDataModelFiles } from '#api/resources/data-model.ts';
import { MODEL_FOLDERS } from '#model/project/model-folders.ts';
import type { OpenedDeployment } from './deployment.ts';
import { oneLine } from '#tools/one-line.ts';
import type { ModelSnapshot } from '#tools/ports.ts';
import { pathOnPlatform } from './shown-path.ts';
import type { ToolContext } from '#tools/tool.ts';

/**
 * Resolves to the model of a branch as stored on the platform. Its paths begin like those of the folder (`root`), so that both
 * can be compared. Throws `PlatformError`.
 */
export async function branchModel(
  opened: OpenedDeployment,
  branch: string,
  root: string | undefined,
  { signal, progress }: ToolContext,
): Promise<ModelSnapshot> {
  const { client, deployment } = opened;
  progress(`Reading ${oneLine(branch, 60)}`);
  const request = { params: { deploymentId: deployment.id }, query: { branchName: branch, withContent: true } };
  const files = filesOf(await client.call(listDataModelFiles, request, { signal })).map(
    ({ path, content = '' }) => [path.replace(/^\/+/, ''), content] as const,
  );
  const own = modelFolderIn(
    files.map(([path]) => path),
    root ?? '',
  );
  const shown = root ?? pathOnPlatform(opened, own);
  const inModel = files.flatMap(([path, text]) =>
    path.startsWith(own) ? [[`${shown}${path.slice(own.length)}`, text] as const] : [],
  );
  return {
    root: shown,
    files: new Map(inModel),
    globals: files.find(([path]) => path === `${own}globals.py`)?.[1],
    isMixed: own === '',
  };
}

/**
 * Returns the model's folder on a branch: the end of the folder's own path, else a usual one; empty if the branch has neither.
 */
function modelFolderIn(paths: readonly string[], root: string): string {
  const names = root.split('/').filter((name) => name !== '');
  const ends = names.map((_, at) => `${names.slice(at).join('/')}/`);
  const usual = MODEL_FOLDERS.map((name) => `${name}/`);
  return [...ends, ...usual].find((folder) => paths.some((path) => path.startsWith(folder))) ?? '';
}
