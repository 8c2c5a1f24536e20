import { unreachable } from '#base/result.ts';
import { plural } from '#base/words.ts';
import { changeText, describePlanNode } from '#features/folders/index.ts';
import { describeFailure, type TreeItemSpec } from '#shell/tree-item.ts';
import { describeAttempt, describeGitConflict } from './attempt-nodes.ts';
import type {
  ChangeGroup,
  ChangeGroupNode,
  ChangeNode,
  ChangesNode,
  ElsewhereNode,
  LinkNode,
  NoticeNode,
  Obstacle,
  ObstacleNode,
  PushModeNode,
} from './change-nodes.ts';
import { describeAction, describeBranchChange } from './commit-nodes.ts';
import { fileRowTexts } from './file-row.ts';

/** Returns the row of a node; its context value decides what its menu offers. */
export function describeChangesNode(node: ChangesNode): TreeItemSpec {
  switch (node.kind) {
    case 'failure':
      return describeFailure(node);
    case 'plan':
      return describePlanNode(node);
    case 'notice':
      return describeNotice(node);
    case 'elsewhere':
      return describeElsewhere(node);
    case 'link':
      return describeLink(node);
    case 'obstacle':
      return describeObstacle(node);
    case 'group':
      return describeGroup(node);
    case 'change':
      return describeChange(node);
    case 'pushMode':
      return describePushMode(node);
    case 'action':
      return describeAction(node);
    case 'branchChange':
      return describeBranchChange(node);
    case 'gitConflict':
      return describeGitConflict(node);
    case 'attempt':
      return describeAttempt(node);
    default:
      return unreachable(node);
  }
}

function describeNotice({ message, tooltip, icon, command }: NoticeNode): TreeItemSpec {
  return {
    label: message,
    tooltip: tooltip ?? message,
    icon: { id: icon, color: icon === 'warning' ? 'problemsWarningIcon.foreground' : undefined },
    contextValue: command ? `notice.${command.id}` : 'notice',
    collapsible: 'none',
    command,
  };
}

function describeLink({ name, deployment, branch }: LinkNode): TreeItemSpec {
  const facts = [deployment, branch].filter((fact) => fact !== undefined).join(' · ');
  return { label: name, description: facts, contextValue: 'link', collapsible: 'expanded' };
}

function describeObstacle({ obstacle }: ObstacleNode): TreeItemSpec {
  const { label, description, icon, command } = obstacleText(obstacle);
  return {
    label,
    description,
    tooltip: `${label}\n${description}`,
    icon: { id: icon },
    contextValue: `obstacle.${obstacle.kind}`,
    collapsible: 'none',
    command,
    spoken: `${label}. ${description}`,
  };
}

function obstacleText(obstacle: Obstacle): Pick<TreeItemSpec, 'label' | 'command'> & {
  readonly description: string;
  readonly icon: string;
} {
  switch (obstacle.kind) {
    case 'restricted':
      return {
        label: 'Restricted Mode',
        description: 'Nothing is sent or compared. Click to manage trust.',
        icon: 'shield',
        command: { id: 'modelbench.manageTrust', title: 'Manage Workspace Trust' },
      };
    case 'signedOut':
      return {
        label: 'Sign In',
        description: `You are not signed in to ${obstacle.tenant}.`,
        icon: 'sign-in',
        command: { id: 'modelbench.signIn', title: 'Sign In' },
      };
    case 'noDevMode':
      return {
        label: 'Start Dev Mode',
        description: 'Saved files are not pushed, because dev mode is off.',
        icon: 'git-branch',
        command: { id: 'modelbench.devMode.start', title: 'Start Dev Mode' },
      };
    default:
      return unreachable(obstacle);
  }
}

const manualReasons: Readonly<Record<Exclude<PushModeNode['mode'], 'automatic'>, string>> = {
  notChosen: 'You have not chosen yet.',
  off: 'The setting “Sync: On Save” is off.',
  risky: 'A Git repository may feed this deployment and overwrite uploads. You are asked before you turn this on.',
};

function describePushMode({ mode, branch, isOneOfSeveral }: PushModeNode): TreeItemSpec {
  const isOn = mode === 'automatic';
  const meaning = `Saved files are ${isOn ? '' : 'not '}pushed automatically${isOn ? ` to ${branch}` : ''}`;
  const button = `Turn ${isOn ? 'Off' : 'On'}${isOneOfSeveral ? ' for All Folders' : ''}`;
  const facts = isOn ? 'Deletions always wait for a push.' : manualReasons[mode];
  return {
    // Short, so that a narrow side bar shows the state and the button.
    label: `Auto-push is ${isOn ? 'on' : 'off'}`,
    description: isOn ? `${button} · to ${branch}` : button,
    tooltip: `${meaning}\n${facts}\nClick to turn this ${isOn ? 'off' : 'on'} for all linked folders.`,
    icon: { id: isOn ? 'sync' : 'sync-ignored' },
    contextValue: `pushMode.${isOn ? 'on' : 'off'}`,
    collapsible: 'none',
    command: { id: 'modelbench.sync.choosePush', title: button },
    spoken: `${meaning}. ${facts} Press Enter to turn this ${isOn ? 'off' : 'on'} for all linked folders.`,
  };
}

function describeGroup(node: ChangeGroupNode): TreeItemSpec {
  const { group, count, asOf, isProduction = false } = node;
  const facts = [plural(count, 'file'), ...(isProduction ? ['for production'] : [])];
  if (asOf !== undefined) facts.push(`as of ${asOf}`);
  return {
    label: isProduction ? 'To Production' : groupLabels[group],
    description: groupFacts(node),
    icon: groupIcons[group],
    contextValue: `changes.${group}`,
    collapsible: group === 'frozen' ? 'collapsed' : 'expanded',
    spoken: [groupLabels[group], ...facts].join(', '),
  };
}

function describeElsewhere({ linked, shown }: ElsewhereNode): TreeItemSpec {
  return {
    label: `Linked to ${linked}`,
    description: `shown: ${shown}`,
    tooltip: `This folder is linked to “${linked}”.\nBranches, Workspace and the status bar show “${shown}”, and dev mode and commits apply to it.\nClick to select “${linked}”.`,
    icon: { id: 'info' },
    contextValue: 'notice',
    collapsible: 'none',
    command: { id: 'modelbench.selectDeployment', title: 'Select Deployment' },
    spoken: `This folder is linked to ${linked}, and the views show ${shown}. Press Enter to select ${linked}.`,
  };
}

/** Returns the number of files and the time when it was determined. A group with only its button has no number. */
function groupFacts({ count, asOf, isProduction = false }: ChangeGroupNode): string | undefined {
  if (count === 0) return undefined;
  const facts = isProduction ? `${count} to commit` : String(count);
  return asOf === undefined ? facts : `${facts} · as of ${asOf}`;
}

const groupLabels: Readonly<Record<ChangeGroup, string>> = {
  conflicts: 'Conflicts',
  local: 'To Push',
  commit: 'To Commit',
  remote: 'Incoming',
  frozen: 'Not Synced',
};

const groupIcons: Readonly<Record<ChangeGroup, TreeItemSpec['icon']>> = {
  conflicts: { id: 'warning', color: 'gitDecoration.conflictingResourceForeground' },
  local: { id: 'arrow-up' },
  commit: { id: 'git-commit' },
  remote: { id: 'arrow-down' },
  frozen: { id: 'circle-slash' },
};

function describeChange(node: ChangeNode): TreeItemSpec {
  return {
    ...fileRowTexts(node.path, changeText(node.entry)),
    file: { folderId: node.folderId, path: node.path },
    contextValue: `change.${node.group}.${node.entry.kind}`,
    collapsible: 'none',
    command: { id: node.group === 'conflicts' ? 'modelbench.conflict.merge' : 'modelbench.openChange', title: 'Open' },
  };
}
