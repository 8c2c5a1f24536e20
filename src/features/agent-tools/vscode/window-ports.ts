import { isAbsolute, relative, resolve, sep } from 'node:path';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { isEqual } from '#base/equal.ts';
import { err, ok } from '#base/result.ts';
import { plural } from '#base/words.ts';
import type { GateQuestion, LinkedFolder } from '#features/platform/index.ts';
import { windowAccess } from '#features/agent-tools/platform-access.ts';
import { isOnPage } from '#features/history/index.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { confirm, isProtected } from '#shell/vscode/protection.ts';
import type { FolderTrash, ModelSnapshot, PlatformAccess, ToolPorts } from '#tools/ports.ts';
import type { ToolContext } from '#tools/tool.ts';
import type { AgentCommandLine } from './agent-command-line.ts';
import type { AgentToolsDeps, ToolFolderDeps, ToolSyncDeps } from './deps.ts';

/** The folder that tools work on, and the deployment that they are about. */
export interface ToolFolder {
  /** `undefined` if no folder of this machine is open. */
  readonly path: string | undefined;
  /** The folder that paths in answers are relative to: the workspace folder, because agents write paths so. */
  readonly from: string;
  readonly folder: LinkedFolder | undefined;
  /** The deployment that the window shows, else the one that the folder is linked to. */
  readonly target: DeploymentTarget | undefined;
  /** Whether the folder is linked to that deployment. */
  readonly isLinked: boolean;
}

/**
 * Returns the folder that tools work on: one that is linked to the deployment that the window shows, else a linked one, else the
 * first of the window.
 */
export function toolFolder({ session }: Pick<ToolFolderDeps, 'session'>): ToolFolder {
  const active = session.active.value;
  const ofActive = active ? session.foldersOf(active) : [];
  const linked = session.links.value.filter(({ link }) => link !== undefined);
  for (const folder of [...ofActive, ...linked, ...session.links.value, ...plainFolders()]) {
    const uri = vscode.Uri.parse(folder.folderId, true);
    if (uri.scheme !== 'file') continue;
    const own = session.targetOf(folder);
    const target = active ?? own;
    return {
      path: uri.fsPath,
      from: vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? uri.fsPath,
      folder,
      target,
      isLinked: own !== undefined && isEqual(own, target),
    };
  }
  return { path: undefined, from: '', folder: undefined, target: active, isLinked: false };
}

function plainFolders(): readonly LinkedFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
    ...{ folderId: uri.toString(), name },
    ...{ link: undefined, problem: undefined },
  }));
}

/** Returns the tools' access to a folder. Without a folder, the tools for the platform still work. */
function folderPorts(
  { portsOf, usageError }: AgentCommandLine,
  { path, from }: ToolFolder,
): Pick<ToolPorts, 'model' | 'revision' | 'render' | 'compile' | 'merges' | 'edit' | 'undo' | 'trash'> {
  if (path !== undefined) return portsOf(path, from);
  const nowhere = async (): Promise<never> =>
    Promise.reject(
      usageError('No folder of this computer is open in the window, so there is no data model to work on.'),
    );
  const merges: ToolPorts['merges'] = () => ({ of: nowhere, keep: nowhere, end: nowhere });
  return {
    model: nowhere,
    revision: nowhere,
    compile: nowhere,
    merges,
    edit: nowhere,
    undo: nowhere,
    trash: { list: nowhere, restore: nowhere },
  };
}

/** Returns what tools can use of the window: the folder with unsaved edits, the account's own connection, and the open sync. */
export function windowPorts(deps: AgentToolsDeps, commandLine: AgentCommandLine, folder: ToolFolder): ToolPorts {
  const { data } = deps;
  const ports = folderPorts(commandLine, folder);
  return {
    ...ports,
    model: async (signal) => asEdited(await ports.model(signal), folder.from),
    // Nothing of a folder runs before the user trusts the window.
    render: vscode.workspace.isTrusted ? ports.render : undefined,
    platform: async () => Promise.resolve(accessOf(deps, commandLine, folder)),
    sync: async (synced) => openedSync(deps, commandLine, folder, synced),
    edit: async (path, change) => {
      // The same file can be written in several ways: `./model/a.yml`.
      if (unsavedIn(folder.from).has(pathFrom(folder.from, resolve(folder.from, path.replaceAll('\\', '/')))))
        throw commandLine.usageError(
          `“${path}” has unsaved changes in an editor, so it was left as it is. Ask the user to save or revert them.`,
        );
      return ports.edit(path, change);
    },
    trash: windowTrash(deps.syncing, commandLine, folder, ports.trash),
    isProtected: ({ deploymentId, branchName }) =>
      folder.target !== undefined && isProtected({ data }, { ...folder.target, deploymentId, branchName }),
  };
}

/** Returns the trash of the window's own sync, or that of the command line where the folder has none open. */
function windowTrash(
  { syncs }: ToolSyncDeps,
  { usageError }: AgentCommandLine,
  { folder, from, path }: ToolFolder,
  otherwise: FolderTrash,
): FolderTrash {
  const prefix = path === undefined ? '' : asPrefix(pathFrom(from, path));
  const opened = async () => (folder ? (await syncs.opened(folder.folderId))?.sync : undefined);
  return {
    list: async () => {
      const sync = await opened();
      return sync
        ? (await sync.trashed()).map((item) => ({ ...item, path: `${prefix}${item.path}` }))
        : otherwise.list();
    },
    restore: async (id) => {
      const sync = await opened();
      if (!sync) return otherwise.restore(id);
      const item = (await sync.trashed()).find((each) => each.id === id);
      if (!item) return undefined;
      const { status, message, trashed } = await sync.restore(item);
      if (status !== 'done') throw usageError(message);
      return { path: `${prefix}${item.path}`, replaced: trashed[0] };
    },
  };
}

/** Asks the user of the window: on the page that shows the step if it reaches production, with the name to type. */
export function confirmInWindow(deps: AgentToolsDeps, { target: own }: ToolFolder): ToolContext['confirm'] {
  return async ({ question, typed, target }) => {
    const { situation, detail } = question;
    const asked = { ...question, typed, detail: `${detail} ${deployText(situation)}`.trim() };
    const accountId = own?.accountId ?? target.accountId;
    const isYes = isOnPage(situation)
      ? (await deps.confirmStep({ ...target, accountId }, asked, {}, undefined)) !== undefined
      : await confirm(asked);
    return isYes ? ok(undefined) : err('Do not try it again unless the user asks for it.');
  };
}

/** Returns which files a deploy changes; its plan was shown to the agent, not to the user. */
function deployText({ step, content }: GateQuestion['situation']): string {
  if (step !== 'deploy' || content === undefined || content === '') return '';
  const paths = (JSON.parse(content) as readonly { readonly path: string }[]).map(({ path }) => path);
  const named = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ', …' : '');
  return `${plural(paths.length, 'file')} of the folder ${paths.length === 1 ? 'differs' : 'differ'}: ${named}.`;
}

function accessOf(
  { accounts, capabilitiesOf, data }: AgentToolsDeps,
  { dataClient, usageError }: AgentCommandLine,
  { target, isLinked, path, from }: ToolFolder,
): PlatformAccess {
  const access = target && windowAccess({ accounts, capabilitiesOf, data }, target, isLinked);
  if (!access) throw usageError('The user is not signed in, or no deployment is selected. Ask the user to sign in.');
  return { ...access, dataClient, folder: path === undefined ? '' : asPrefix(pathFrom(from, path)) };
}

/** Resolves to the window's sync if it is with this branch; otherwise opens a sync for this call. */
async function openedSync(
  { session, syncing: { syncs, openSync } }: Pick<AgentToolsDeps, 'session' | 'syncing'>,
  { usageError }: AgentCommandLine,
  { folder, target, isLinked }: ToolFolder,
  { deployment, branch, deploy }: Parameters<ToolPorts['sync']>[0],
): ReturnType<ToolPorts['sync']> {
  const link = folder?.link;
  if (!folder || !link || !isLinked || target?.deploymentId !== deployment)
    throw usageError(
      `${folder ? `“${folder.name}”` : 'The window'} is not linked to this deployment. Ask the user to link it.`,
    );
  // A checkout may link the folder to something else, and change its files, while the call runs.
  const requireLink = (): void => {
    const now = session.links.value.find(({ folderId }) => folderId === folder.folderId);
    if (isEqual(now?.link, link) && isEqual(now && session.targetOf(now), target)) return;
    throw usageError(
      `The link of “${folder.name}” has changed since this began, so nothing was done: the folder may be linked to something else now.`,
    );
  };
  const present = deploy ? undefined : await syncs.opened(folder.folderId);
  requireLink();
  // The window opens another sync after the folder was linked elsewhere.
  const isSame = present?.target.deploymentId === deployment && present.target.accountId === target.accountId;
  if (isSame && present.target.branchName === branch)
    return { sync: present.sync, requireLink, close: async () => Promise.resolve() };
  const sync = await openSync({ ...folder, link }, { ...target, branchName: branch }, deploy);
  const close = async (): Promise<void> => {
    await sync.close();
    sync.dispose();
  };
  return { sync, requireLink, close };
}

/** Returns the model with unsaved edits. */
function asEdited(snapshot: ModelSnapshot, folder: string): ModelSnapshot {
  const unsaved = [...unsavedIn(folder)].filter(([path]) => snapshot.files.has(path));
  return unsaved.length === 0 ? snapshot : { ...snapshot, files: new Map([...snapshot.files, ...unsaved]) };
}

/** Returns the unsaved texts of files below a folder, by the path that the tools show. */
function unsavedIn(folder: string): ReadonlyMap<string, string> {
  return new Map(
    vscode.workspace.textDocuments.flatMap((document) => {
      if (!document.isDirty || document.uri.scheme !== 'file') return [];
      const path = pathFrom(folder, document.uri.fsPath);
      if (path === '..' || path.startsWith('../') || isAbsolute(path)) return [];
      return [[path, document.getText()] as const];
    }),
  );
}

/** Returns a path relative to a folder, with `/` between names. */
function pathFrom(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

function asPrefix(path: string): string {
  return path === '' ? '' : `${path}/`;
}
