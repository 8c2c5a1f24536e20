import { changes, type CommandArea, reads } from './command.ts';
import {
  accountTarget,
  branchTarget,
  deploymentTarget,
  documentTarget,
  eitherOf,
  environmentTarget,
  treeRow,
} from '../targets.ts';

/**
 * Commands for deployments, the workspace, dashboards and logs: everything that a team runs from the sidebar except branches and
 * files.
 */
export const deploymentWorkCommands = {
  'modelbench.deployment.changeVersion': changes(deploymentTarget),
  'modelbench.deployment.editVariables': changes(deploymentTarget),
  'modelbench.deployment.showPods': reads(deploymentTarget),
  'modelbench.deployment.showLogs': reads(deploymentTarget),
  'modelbench.deployment.dbtSync': changes(deploymentTarget),
  'modelbench.deployment.create': changes(accountTarget),
  'modelbench.deployment.delete': changes(deploymentTarget),
  'modelbench.deployment.connectGithub': changes(deploymentTarget),
  'modelbench.deployment.creationStep': changes(deploymentTarget),
  'modelbench.notification.show': reads(deploymentTarget),
  'modelbench.notification.create': changes(deploymentTarget),
  'modelbench.notification.delete': changes(deploymentTarget),
  'modelbench.document.editFields': changes(documentTarget),
  'modelbench.environment.createToken': changes(environmentTarget),
  'modelbench.branch.review': reads(branchTarget),
  'modelbench.branch.validate': reads(branchTarget),
  'modelbench.audit.show': reads(accountTarget),
  'modelbench.audit.export': reads(accountTarget),
  'modelbench.workspace.search': reads(),
  'modelbench.workspace.move': changes(treeRow),
  'modelbench.workspace.delete': changes(treeRow),
  'modelbench.workspace.duplicate': changes(treeRow),
  'modelbench.workspace.edit': changes(treeRow),
  'modelbench.workspace.create': changes(deploymentTarget),
  'modelbench.workspace.connectSpreadsheet': changes(treeRow),
  'modelbench.workspace.rename': changes(treeRow),
  'modelbench.workspace.open': reads(treeRow),
  'modelbench.workspace.copyId': reads(treeRow),
  'modelbench.dashboard.open': changes(eitherOf(treeRow, documentTarget)),
  'modelbench.dashboard.publish': changes(eitherOf(treeRow, documentTarget)),
  'modelbench.dashboard.openPublished': changes(eitherOf(treeRow, documentTarget)),
  'modelbench.playground.open': reads(deploymentTarget),
  'modelbench.dashboard.preview': changes(eitherOf(treeRow, documentTarget)),
  'modelbench.dashboard.attachThread': changes(eitherOf(treeRow, documentTarget)),
  'modelbench.dashboard.embedAccess': changes(eitherOf(treeRow, documentTarget)),
  'modelbench.dashboard.signedEmbedding': changes(eitherOf(treeRow, documentTarget)),
  'modelbench.dashboard.runPython': changes(eitherOf(treeRow, documentTarget)),
} as const satisfies CommandArea;
export type DeploymentWorkCommands = typeof deploymentWorkCommands;
