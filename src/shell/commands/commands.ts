import { adminCommands } from './administration-commands.ts';
import { chatCommands } from './chat-commands.ts';
import { changes, type CommandArea, reads, type TargetOf } from './command.ts';
import { deploymentWorkCommands } from './workspace-commands.ts';
import { explorerCommands } from './api-explorer-commands.ts';
import { languageCommands } from './language-commands.ts';
import {
  accountTarget,
  branchTarget,
  changeTarget,
  commitTarget,
  comparisonTarget,
  copyTarget,
  deploymentTarget,
  documentTarget,
  eitherOf,
  fileTarget,
  folderTarget,
  pushChoiceTarget,
  retryTarget,
  trashTarget,
  treeRow,
} from '../targets.ts';

export const connectCommands = {
  'modelbench.signIn': reads(accountTarget),
  'modelbench.signOut': reads(accountTarget),
  'modelbench.switchAccount': reads(),
  'modelbench.importContexts': reads(),
  'modelbench.chooseFolderAccount': reads(folderTarget),
  'modelbench.tryLocally': reads(),
  'modelbench.linkFolder': changes(deploymentTarget),
  'modelbench.cloneDeployment': changes(deploymentTarget),
  'modelbench.installAgentSkills': changes(),
  'modelbench.installCommandLine': reads(),
  'modelbench.showLog': reads(),
  'modelbench.manageTrust': reads(),
  'modelbench.showMenu': reads(),
} as const satisfies CommandArea;
export type ConnectCommands = typeof connectCommands;

export const deploymentCommands = {
  'modelbench.deployments.refresh': reads(deploymentTarget),
  'modelbench.workspace.refresh': reads(),
  'modelbench.retry': reads(retryTarget),
  'modelbench.copy': reads(copyTarget),
  'modelbench.selectDeployment': reads(deploymentTarget),
  'modelbench.openInBrowser': reads(accountTarget),
  'modelbench.workspace.loadMore': reads(retryTarget),
} as const satisfies CommandArea;
export type DeploymentCommands = typeof deploymentCommands;

export const workspaceCommands = {
  'modelbench.workspace.sort': reads(),
  'modelbench.workspace.addFavourite': reads(treeRow),
  'modelbench.workspace.removeFavourite': reads(treeRow),
} as const satisfies CommandArea;
export type WorkspaceCommands = typeof workspaceCommands;

export const branchCommands = {
  'modelbench.branches.refresh': reads(),
  'modelbench.branches.filter': reads(),
  'modelbench.branches.clearFilter': reads(),
  'modelbench.devMode.start': changes(eitherOf(branchTarget, deploymentTarget)),
  'modelbench.devMode.stop': changes(deploymentTarget),
  'modelbench.devMode.switch': changes(eitherOf(branchTarget, deploymentTarget)),
  'modelbench.branch.create': changes(eitherOf(branchTarget, deploymentTarget)),
  'modelbench.branch.delete': changes(eitherOf(branchTarget, deploymentTarget)),
  'modelbench.branch.copyName': reads(eitherOf(branchTarget, deploymentTarget)),
  'modelbench.branch.copyLink': reads(eitherOf(branchTarget, deploymentTarget)),
  'modelbench.staging.enable': changes(eitherOf(branchTarget, deploymentTarget)),
  'modelbench.staging.disable': changes(eitherOf(branchTarget, deploymentTarget)),
} as const satisfies CommandArea;
export type BranchCommands = typeof branchCommands;

export const syncCommands = {
  'modelbench.changes.refresh': reads(),
  'modelbench.push': changes(folderTarget),
  'modelbench.pullFiles': changes(folderTarget),
  'modelbench.sync.pause': changes(folderTarget),
  'modelbench.sync.resume': changes(folderTarget),
  'modelbench.sync.sendWaiting': changes(folderTarget),
  'modelbench.sync.choosePush': changes(pushChoiceTarget),
  'modelbench.sync.putBack': changes(folderTarget),
  'modelbench.deploy': changes(eitherOf(folderTarget, deploymentTarget)),
  'modelbench.plan.apply': changes(),
  'modelbench.plan.cancel': reads(),
  'modelbench.plan.show': reads(),
  'modelbench.plan.dryRun': reads(folderTarget),
  'modelbench.plan.dryRunJson': reads(folderTarget),
  'modelbench.trash.restore': changes(eitherOf(branchTarget, fileTarget, trashTarget)),
  'modelbench.changes.discard': changes(eitherOf(fileTarget, documentTarget)),
  'modelbench.sync.explain': changes(eitherOf(fileTarget, documentTarget)),
  'modelbench.sync.history': changes(folderTarget),
  'modelbench.sync.undoPush': changes(folderTarget),
  'modelbench.sync.undoPull': changes(folderTarget),
  'modelbench.sync.verify': changes(folderTarget),
  'modelbench.openChange': reads(changeTarget),
  'modelbench.openFile': reads(fileTarget),
  'modelbench.changes.reveal': reads(fileTarget),
  'modelbench.conflict.merge': changes(eitherOf(fileTarget, documentTarget)),
  'modelbench.conflict.mine': changes(eitherOf(fileTarget, documentTarget)),
  'modelbench.conflict.theirs': changes(eitherOf(fileTarget, documentTarget)),
  'modelbench.conflict.resolved': changes(eitherOf(fileTarget, documentTarget)),
} as const satisfies CommandArea;
export type SyncCommands = typeof syncCommands;

export const gitCommands = {
  'modelbench.commit': changes(eitherOf(commitTarget, branchTarget, folderTarget)),
  'modelbench.pull': changes(eitherOf(branchTarget, folderTarget)),
  'modelbench.merge': changes(eitherOf(branchTarget, folderTarget)),
  'modelbench.mergeToDefault': changes(eitherOf(branchTarget, folderTarget)),
  'modelbench.git.continue': changes(eitherOf(branchTarget, folderTarget)),
  'modelbench.git.abort': changes(eitherOf(branchTarget, folderTarget)),
} as const satisfies CommandArea;
export type GitCommands = typeof gitCommands;

export const compareCommands = {
  'modelbench.branch.openFile': reads(branchTarget),
  'modelbench.branch.search': reads(branchTarget),
  'modelbench.branch.addToWorkspace': reads(branchTarget),
  'modelbench.branch.compare': reads(comparisonTarget),
  'modelbench.compareWithBranch': reads(eitherOf(fileTarget, documentTarget)),
  'modelbench.branch.prune': changes(),
} as const satisfies CommandArea;
export type CompareCommands = typeof compareCommands;

export const buildCommands = {
  'modelbench.build.refresh': reads(branchTarget),
  'modelbench.build.showError': reads(branchTarget),
} as const satisfies CommandArea;
export type BuildCommands = typeof buildCommands;

/** The commands of the extension's own views, which share one bundle. */
export const viewCommands = {
  ...connectCommands,
  ...deploymentCommands,
  ...workspaceCommands,
  ...branchCommands,
  ...syncCommands,
  ...gitCommands,
  ...compareCommands,
  ...buildCommands,
} as const;
export type ViewCommands = typeof viewCommands;

/**
 * Every command with its effect and target, collected from its area. Registration and every call are checked against this table.
 */
export const commands = {
  ...viewCommands,
  ...deploymentWorkCommands,
  ...explorerCommands,
  ...chatCommands,
  ...languageCommands,
  ...adminCommands,
} as const;
export type Commands = typeof commands;

export type CommandId = keyof Commands;

/** The target that a command acts on. */
export type CommandTarget<Id extends CommandId> = TargetOf<Commands[Id]>;

/** The commands that accept such a target. */
export type CommandsOn<Target> = {
  readonly [Id in CommandId]: Target extends CommandTarget<Id> ? Id : never;
}[CommandId];

/** The arguments of a call of a command: none, or an optional target. */
export type CommandArguments<Id extends CommandId> = [CommandTarget<Id>] extends [never]
  ? []
  : [target?: CommandTarget<Id> | undefined];
