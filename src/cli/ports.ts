import type { BegunMerges, FolderTrash, ToolPorts } from '#tools/ports.ts';
import { ToolError } from '#tools/tool.ts';
import { version } from '../../package.json';
import { chosenContext } from './chosen-context.ts';
import { modelCompiler, type ScriptRule } from './compile-model.ts';
import { folderLink, requireFolder } from './folder-link.ts';
import { gitRevision } from './git-revision.ts';
import { modelFolder, shownFolder } from './model-folder.ts';
import type { SyncPaths } from './open-sync.ts';
import { templateRenderer } from './render-templates.ts';
import { namingFiles } from './system-errors.ts';
import type { CliEnvironment } from './environment.ts';

/**
 * Returns what tools can use of this machine for a folder. Code that sends or writes is loaded when a tool needs it. `scripts`:
 * whether compiling a model may run its JavaScript files.
 */
export function portsOf(
  folder: string,
  environment: Pick<CliEnvironment, 'folder' | 'variables' | 'fetch' | 'limits' | 'state' | 'hashWorker' | 'engine'>,
  scripts: ScriptRule,
): ToolPorts {
  const { variables, fetch, limits } = environment;
  const paths = (): SyncPaths => {
    if (environment.state !== undefined) return { state: environment.state, hashWorker: environment.hashWorker };
    throw new ToolError(
      'usage',
      'This user has no home folder, so that former versions of files cannot be kept. Set HOME or XDG_STATE_HOME to a folder of the user.',
    );
  };
  const edits = async (): Promise<Pick<ToolPorts, 'edit' | 'undo'>> => {
    const { fileEdits } = await import('#cli/folder-work.ts');
    return fileEdits(folder, environment.folder, paths());
  };
  const trash = async (): Promise<FolderTrash> => {
    const { folderTrash } = await import('#cli/folder-work.ts');
    return folderTrash(folder, environment.folder, paths());
  };
  const model = modelFolder(folder, environment.folder);
  return {
    model: async (signal) => namingFiles(async () => model(signal)),
    revision: gitRevision(folder, environment.folder),
    render: templateRenderer(environment.engine),
    compile: modelCompiler(folder, environment.engine, scripts),
    platform: async (signal) => {
      // Loading the code that sends requests takes as long as the rest of the program.
      const { openPlatform } = await import('#tools/platform/open-platform.ts');
      requireFolder(folder);
      const link = folderLink(folder);
      const context = chosenContext(variables, link?.tenantUrl);
      const shown = shownFolder(folder, environment.folder);
      const userAgent = `modelbench/${version}`;
      return openPlatform(variables, link, { context, folder: shown, signal, userAgent, fetch, limits });
    },
    sync: async (branch) => {
      const { openSync } = await import('#cli/folder-work.ts');
      return namingFiles(async () => openSync(folder, paths(), branch));
    },
    merges: (branch) => {
      const opened = async (): Promise<BegunMerges> => {
        const { begunMerges } = await import('#cli/folder-work.ts');
        return begunMerges(folder, paths().state, branch);
      };
      return {
        of: async (path) => namingFiles(async () => (await opened()).of(path)),
        keep: async (path, merge) => namingFiles(async () => (await opened()).keep(path, merge)),
        end: async (path) => namingFiles(async () => (await opened()).end(path)),
      };
    },
    edit: async (path, change) => namingFiles(async () => (await edits()).edit(path, change)),
    undo: async (token) => namingFiles(async () => (await edits()).undo(token)),
    trash: {
      list: async () => namingFiles(async () => (await trash()).list()),
      restore: async (id) => namingFiles(async () => (await trash()).restore(id)),
    },
  };
}
