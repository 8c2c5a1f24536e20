import type { AdminCommands } from './admin-commands.ts';
import type { ChatCommands } from './chat-commands.ts';
import type { ConsoleCommands } from './console-commands.ts';
import type { ExplorerCommands } from './explorer-commands.ts';
import type { LanguageCommands } from './language-commands.ts';
import type {
  AccountTarget,
  BranchTarget,
  CopyTarget,
  DeploymentTarget,
  FileTarget,
  RowTarget,
  FolderTarget,
  RetryTarget,
} from './targets.ts';

/**
 * Every command id and the arguments it takes when called from a tree, a menu or a link; called from the palette it gets
 * none and asks. The handler table in `vscode/commands` must have exactly these keys: a missing one is a compile error.
 * Each area keeps its own interface beside this one and is listed here.
 */
export interface CommandSignatures
  extends ViewCommands, ConsoleCommands, ExplorerCommands, ChatCommands, LanguageCommands, AdminCommands {}

/** What the extension's own views do: one bundle. */
export interface ViewCommands
  extends
    ConnectCommands,
    DeploymentCommands,
    WorkspaceCommands,
    BranchCommands,
    SyncCommands,
    GitCommands,
    CompareCommands,
    BuildCommands {}

export interface ConnectCommands {
  'modelbench.signIn': (target?: AccountTarget) => void;
  'modelbench.signOut': (target?: unknown) => void;
  'modelbench.switchAccount': () => void;
  'modelbench.importContexts': () => void;
  'modelbench.chooseFolderAccount': (target?: FolderTarget) => void;
  'modelbench.tryLocally': () => void;
  'modelbench.linkFolder': (target?: DeploymentTarget) => void;
  'modelbench.cloneDeployment': (target?: DeploymentTarget) => void;
  'modelbench.showLog': () => void;
  'modelbench.manageTrust': () => void;
  'modelbench.showMenu': () => void;
}

export interface DeploymentCommands {
  'modelbench.deployments.refresh': (target?: unknown) => void;
  'modelbench.workspace.refresh': () => void;
  'modelbench.retry': (target?: RetryTarget) => void;
  'modelbench.copy': (target?: CopyTarget) => void;
  'modelbench.selectDeployment': (target?: DeploymentTarget) => void;
  'modelbench.openInBrowser': (target?: unknown) => void;
  'modelbench.workspace.loadMore': (target?: RetryTarget) => void;
}

export interface WorkspaceCommands {
  'modelbench.workspace.sort': () => void;
  'modelbench.workspace.addFavourite': (target?: unknown, selection?: unknown) => void;
  'modelbench.workspace.removeFavourite': (target?: unknown, selection?: unknown) => void;
}

export interface BranchCommands {
  'modelbench.branches.refresh': () => void;
  'modelbench.branches.filter': () => void;
  'modelbench.branches.clearFilter': () => void;
  'modelbench.devMode.start': (target?: BranchTarget) => void;
  'modelbench.devMode.stop': (target?: unknown) => void;
  'modelbench.devMode.switch': (target?: BranchTarget) => void;
  'modelbench.branch.create': (target?: BranchTarget) => void;
  'modelbench.branch.delete': (target?: BranchTarget) => void;
  'modelbench.branch.copyName': (target?: BranchTarget) => void;
  'modelbench.branch.copyLink': (target?: BranchTarget) => void;
  'modelbench.staging.enable': (target?: BranchTarget) => void;
  'modelbench.staging.disable': (target?: BranchTarget) => void;
}

export interface SyncCommands {
  'modelbench.changes.refresh': () => void;
  'modelbench.push': (target?: FolderTarget) => void;
  'modelbench.pullFiles': (target?: FolderTarget) => void;
  'modelbench.sync.pause': (target?: FolderTarget) => void;
  'modelbench.sync.resume': (target?: FolderTarget) => void;
  'modelbench.sync.sendWaiting': (target?: FolderTarget) => void;
  'modelbench.sync.choosePush': (target?: FolderTarget) => void;
  'modelbench.sync.putBack': (target?: FolderTarget) => void;
  'modelbench.deploy': (target?: DeploymentTarget) => void;
  'modelbench.plan.apply': () => void;
  'modelbench.plan.cancel': () => void;
  'modelbench.plan.toggle': (row?: RowTarget) => void;
  'modelbench.plan.dryRun': (target?: FolderTarget) => void;
  'modelbench.plan.dryRunJson': (target?: FolderTarget) => void;
  'modelbench.trash.restore': (target?: FileTarget | FolderTarget | BranchTarget) => void;
  'modelbench.changes.discard': (target?: FileTarget) => void;
  'modelbench.sync.explain': (target?: FileTarget) => void;
  'modelbench.sync.history': (target?: FolderTarget) => void;
  'modelbench.sync.undoPush': (target?: FolderTarget) => void;
  'modelbench.sync.undoPull': (target?: FolderTarget) => void;
  'modelbench.sync.verify': (target?: FolderTarget) => void;
  'modelbench.openChange': (target?: FileTarget) => void;
  'modelbench.openFile': (target?: FileTarget) => void;
  'modelbench.conflict.merge': (target?: FileTarget) => void;
  'modelbench.conflict.mine': (target?: FileTarget) => void;
  'modelbench.conflict.theirs': (target?: FileTarget) => void;
  'modelbench.conflict.resolved': (target?: FileTarget) => void;
}

export interface GitCommands {
  'modelbench.commit': () => void;
  'modelbench.pull': () => void;
  'modelbench.merge': () => void;
  'modelbench.mergeToDefault': () => void;
  'modelbench.git.continue': () => void;
  'modelbench.git.abort': () => void;
}

export interface CompareCommands {
  'modelbench.branch.openFile': (target?: BranchTarget) => void;
  'modelbench.branch.search': (target?: BranchTarget) => void;
  'modelbench.branch.addToWorkspace': (target?: BranchTarget) => void;
  'modelbench.branch.compare': (target?: BranchTarget) => void;
  'modelbench.compareWithBranch': (target?: FileTarget) => void;
  'modelbench.branch.prune': () => void;
}

export interface BuildCommands {
  'modelbench.build.refresh': (target?: BranchTarget) => void;
  'modelbench.build.showError': (target?: BranchTarget) => void;
}

export type CommandId = keyof CommandSignatures;
