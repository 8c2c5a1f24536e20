import type { DeploymentTarget, FileTarget, FolderTarget } from '#shell/targets.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import type { SyncStatus } from '#sync/core/folder-sync.ts';
import type { Failure } from '#shell/error-texts.ts';
import type { GitAttempt } from '#features/history/index.ts';
import type { FailureNode, TreeItemSpec, TreeNode } from '#shell/tree-item.ts';
import type { OpenPlan, PlanNode } from '#features/folders/index.ts';
import type { AttemptNode, GitConflictNode } from './attempt-nodes.ts';
import type { ActionNode, BranchChangeNode, CommitPlan } from './commit-nodes.ts';

export type ChangeGroup = 'conflicts' | 'local' | 'commit' | 'remote' | 'frozen';

export interface LinkNode extends TreeNode, FolderTarget {
  readonly kind: 'link';
  readonly name: string;
  /** The folder's deployment. */
  readonly deployment: string | undefined;
  readonly branch: string | undefined;
  readonly children: readonly ChangesNode[];
}

export interface ChangeGroupNode extends TreeNode, FolderTarget {
  readonly kind: 'group';
  readonly group: ChangeGroup;
  readonly count: number;
  /** The formatted time when the group was determined; set if it could not be refreshed. */
  readonly asOf?: string | undefined;
  /** Whether a commit brings these changes to production. */
  readonly isProduction?: boolean | undefined;
  readonly children: readonly (ActionNode | BranchChangeNode | ChangeNode | GitConflictNode | NoticeNode)[];
}

export interface ChangeNode extends TreeNode, FileTarget {
  readonly kind: 'change';
  readonly group: ChangeGroup;
  readonly entry: PlanEntry;
}

export interface NoticeNode extends TreeNode {
  readonly kind: 'notice';
  readonly message: string;
  readonly icon: string;
  readonly tooltip?: string | undefined;
  /** The number of files that it stands for. */
  readonly count?: number | undefined;
  /** The folder that the notice is about, and the command of a click. */
  readonly folderId?: string | undefined;
  readonly command?: TreeItemSpec['command'];
}

/** The views show another deployment than the one that a folder is linked to; a click selects the folder's deployment. */
export interface ElsewhereNode extends TreeNode, DeploymentTarget {
  readonly kind: 'elsewhere';
  readonly linked: string;
  readonly shown: string;
}

/** The reason why a linked folder is not compared with a dev branch. */
export type Obstacle =
  | { readonly kind: 'restricted' }
  | { readonly kind: 'signedOut'; readonly tenant: string }
  | ({ readonly kind: 'noDevMode' } & DeploymentTarget);

/** The row of an obstacle; a click resolves it. */
export interface ObstacleNode extends TreeNode, FolderTarget, Partial<DeploymentTarget> {
  readonly kind: 'obstacle';
  readonly obstacle: Obstacle;
}

/** How saved files are pushed: automatically, or by the user, with the reason. */
export type PushMode = 'automatic' | 'notChosen' | 'risky' | 'off';

/** The row that always shows the push mode; a click changes it. */
export interface PushModeNode extends TreeNode, FolderTarget {
  readonly kind: 'pushMode';
  readonly mode: PushMode;
  readonly branch: string;
  /** The mode that a click sets. */
  readonly push: 'automatic' | 'manual';
  /** Whether other folders are shown, whose mode a click sets as well. */
  readonly isOneOfSeveral: boolean;
}

export type ChangesNode =
  | PlanNode
  | ActionNode
  | BranchChangeNode
  | LinkNode
  | ObstacleNode
  | PushModeNode
  | ChangeGroupNode
  | ChangeNode
  | GitConflictNode
  | AttemptNode
  | NoticeNode
  | ElsewhereNode
  | FailureNode;

export interface ChangeTreeInput extends FolderTarget {
  readonly name: string;
  readonly branch: string | undefined;
  readonly problem: Failure | undefined;
  readonly status: SyncStatus | undefined;
  /** The deployment that the folder is linked to. */
  readonly deployment?: string | undefined;
  /** The reason why it is not compared with a dev branch; a window with one folder shows it in the empty view. */
  readonly obstacle?: Obstacle | undefined;
  /** The dev branch whose sync is being opened for the folder. */
  readonly opening?: string | undefined;
  /** Its deployment and the names of both, if the views show one that no folder here is linked to. */
  readonly elsewhere?: (DeploymentTarget & Pick<ElsewhereNode, 'linked' | 'shown'>) | undefined;
  /** The direction of the plan of this folder that is under review, if one is: its row has the button. */
  readonly reviewed?: OpenPlan['direction'] | undefined;
  /** How saved files are pushed; `undefined` if the folder cannot be pushed. */
  readonly pushMode?: PushMode | undefined;
  /** Whether other folders are shown. */
  readonly isOneOfSeveral?: boolean | undefined;
  /** Resolved files that an interrupted pull has not put back on the branch. */
  readonly unreturned?: readonly string[] | undefined;
  /** The commit, pull or merge of the branch that stopped at conflicts. */
  readonly attempt?: GitAttempt | undefined;
  /** The differences between the dev branch and its parent; `undefined` until they are known. */
  readonly commit?: CommitPlan | undefined;
  /** The parent that the dev branch is being compared with for the first time, or the error of that comparison. */
  readonly comparing?: { readonly parent: string; readonly error?: string | undefined } | undefined;
}
