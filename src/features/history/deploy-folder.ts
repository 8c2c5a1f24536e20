import type { Disposable } from '#base/disposable.ts';
import { text } from '#base/user-text.ts';
import type { OpenSync, SyncSession } from '#features/folders/index.ts';
import { deploymentOnly, type Session } from '#features/platform/index.ts';
import type { BranchTarget, DeploymentTarget, FolderTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import { ConfirmedDeploy } from './confirmed-deploy.ts';
import { type DeployPorts, DeployStep } from './deploy-step.ts';
import { deployTargetOf } from './deploy-target.ts';

type Folder = SyncSession['folder'];

/** The argument of a command: a linked folder, or the deployment whose folders are offered. */
export type DeployArgument = FolderTarget | DeploymentTarget | undefined;

/** The questions and reports of a deploy. */
export interface DeployWindow {
  /** Asks which folder to deploy; resolves to `undefined` if the user cancels. */
  readonly chooseFolder: (folders: readonly Folder[]) => Promise<Folder | undefined>;
  /** Warns once about uploads that a Git provider may overwrite; resolves to whether to continue. */
  readonly mayUpload: (target: BranchTarget) => Promise<boolean>;
  /** Saves the folder's files that are open in editors: a user who deploys expects their content in production. */
  readonly saveOpenFiles: (folder: Folder) => Promise<void>;
  /** Compares again when files of the folder change, until it is disposed. */
  readonly follow: (session: SyncSession) => Disposable;
  /** Reports that there is nothing to deploy. */
  readonly matches: (folder: Folder) => void;
}

/** The dependencies of {@link deployFolder}. */
export interface DeployFolderPorts {
  readonly openSync: OpenSync;
  readonly step: DeployPorts;
  readonly window: DeployWindow;
}

/**
 * Deploys a linked folder to a deployment in deploy mode `cli`: one page with every deletion, what it breaks and the typed
 * confirmation; then one upload transaction. Resolves when the page is open, or when there is nothing to show. Throws `UserError`
 * if the folder cannot be deployed. The sync that it opens is closed with the page.
 */
export async function deployFolder(
  { openSync, step, window }: DeployFolderPorts,
  given: DeployArgument,
): Promise<void> {
  const folder = await folderToDeploy(step.session, given, window.chooseFolder);
  if (!folder) return;
  const { target, branch } = await deployTargetOf(step, folder);
  if (!(await window.mayUpload(target))) return;
  await window.saveOpenFiles(folder);
  const access = new ConfirmedDeploy(branch);
  const sync = await openSync(folder, target, access);
  // It follows both sides but uploads nothing automatically.
  sync.configure({ saveSync: false });
  const session: SyncSession = { folder, target, sync };
  const following = window.follow(session);
  const release = async (): Promise<void> => {
    following.dispose();
    await sync.close();
    sync.dispose();
  };
  let isOpen = false;
  try {
    const planned = await new DeployStep(step, session, access).plan(() => void release());
    isOpen = planned === 'open';
    if (planned === 'matches') window.matches(folder);
  } finally {
    if (!isOpen) await release();
  }
}

/** Resolves to the folder that a row names, or the matching one; asks if there are several. Throws `Hint` if none matches. */
async function folderToDeploy(
  session: Pick<Session, 'links' | 'foldersOf'>,
  given: DeployArgument,
  choose: DeployWindow['chooseFolder'],
): Promise<Folder | undefined> {
  const named = given && 'folderId' in given ? given.folderId : undefined;
  const wanted = given && 'deploymentId' in given ? given : undefined;
  const ofDeployment = wanted && new Set(session.foldersOf(deploymentOnly(wanted)).map(({ folderId }) => folderId));
  const fitting = session.links.value
    .filter((folder): folder is Folder => folder.link !== undefined)
    .filter(({ folderId }) => (named === undefined ? (ofDeployment?.has(folderId) ?? true) : folderId === named));
  const [only, ...more] = fitting;
  if (only) return more.length === 0 ? only : choose(fitting);
  throw new Hint('No folder of this window is linked to that deployment.', {
    title: text`Link Folder`,
    command: 'modelbench.linkFolder',
    argument: wanted,
  });
}
