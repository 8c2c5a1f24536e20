import type { DeploymentTarget } from './targets.ts';

/** Commands of the console: everything a team runs from the sidebar besides branches and files. */
export interface ConsoleCommands {
  'modelbench.deployment.changeVersion': (target?: DeploymentTarget) => void;
  'modelbench.deployment.editVariables': (target?: DeploymentTarget) => void;
  'modelbench.deployment.showPods': (target?: DeploymentTarget) => void;
  'modelbench.deployment.showLogs': (target?: DeploymentTarget) => void;
  'modelbench.deployment.dbtSync': (target?: DeploymentTarget) => void;
  'modelbench.deployment.create': () => void;
  'modelbench.deployment.delete': (target?: DeploymentTarget) => void;
  'modelbench.deployment.connectGithub': (target?: DeploymentTarget) => void;
  'modelbench.deployment.creationStep': (target?: DeploymentTarget) => void;
  'modelbench.notification.show': (target?: DeploymentTarget) => void;
  'modelbench.notification.create': (target?: DeploymentTarget) => void;
  'modelbench.notification.delete': (target?: DeploymentTarget) => void;
  'modelbench.environment.createToken': (target?: unknown) => void;
  'modelbench.branch.review': (target?: unknown) => void;
  'modelbench.branch.validate': (target?: unknown) => void;
  'modelbench.audit.show': (target?: unknown) => void;
  'modelbench.audit.export': (target?: unknown) => void;
  'modelbench.workspace.search': () => void;
  'modelbench.workspace.move': (target?: unknown) => void;
  'modelbench.workspace.delete': (target?: unknown) => void;
  'modelbench.workspace.duplicate': (target?: unknown) => void;
  'modelbench.workspace.edit': (target?: unknown) => void;
  'modelbench.workspace.create': (target?: DeploymentTarget) => void;
  'modelbench.workspace.connectSpreadsheet': (target?: unknown) => void;
  'modelbench.workspace.copyId': (target?: unknown) => void;
  'modelbench.dashboard.open': (target?: unknown) => void;
  'modelbench.dashboard.publish': (target?: unknown) => void;
  'modelbench.dashboard.openPublished': (target?: unknown) => void;
  'modelbench.dashboard.preview': (target?: unknown) => void;
  'modelbench.dashboard.attachThread': (target?: unknown) => void;
  'modelbench.dashboard.embedAccess': (target?: unknown) => void;
  'modelbench.dashboard.signedEmbedding': (target?: unknown) => void;
  'modelbench.dashboard.runPython': (target?: unknown) => void;
}
