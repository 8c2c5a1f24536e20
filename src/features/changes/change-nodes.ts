import type { DeploymentTarget, FileTarget, FolderTarget } from '#shell/targets.ts';
import type { PlanEntry } from '#sync/core/plan.ts';
import type { SyncStatus } from '#sync/core/folder-sync.ts';
import type { Failure } from '#shell/error-texts.ts';
import type { GitAttempt } from '#features/history/index.ts';
import type { FailureNode, TreeItemSpec, TreeNode } from '#shell/tree-item.ts';
import type { PlanNode } from '#features/folders/index.ts';
import type { AttemptNode, GitConflictNode } from './attempt-nodes.ts';
import type { ActionNode, BranchChangeNode, CommitPlan } from './commit-nodes.ts';

export type ChangeGroup = 'conflicts' | 'local' | 'commit' | 'remote' | 'frozen';

export interface LinkNode extends TreeNode, FolderTarget {
  readonly kind: 'link';
  readonly name: string;
  /** Its deployment. */
  readonly deployment: string | undefined;
  readonly branch: string | undefined;
  readonly children: readonly ChangesNode[];
}

export interface ChangeGroupNode extends TreeNode, FolderTarget {
  readonly kind: 'group';
  readonly group: ChangeGroup;
  readonly count: number;
  /** When the group was known to be so, in words; where no newer answer can be had. */
  readonly asOf?: string | undefined;
  /** What is in it reaches production with the commit. */
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
  /** How many files it stands for. */
  readonly count?: number | undefined;
  /** The folder it is about, and what a click does with it. */
  readonly folderId?: string | undefined;
  readonly command?: TreeItemSpec['command'];
}

/** The views show another deployment than the one that a folder is linked to: a click selects that. */
export interface ElsewhereNode extends TreeNode, DeploymentTarget {
  readonly kind: 'elsewhere';
  readonly linked: string;
  readonly shown: string;
}

/** Why a linked folder is not compared with a dev branch. */
export type Obstacle =
  | { readonly kind: 'restricted' }
  | { readonly kind: 'signedOut'; readonly tenant: string }
  | ({ readonly kind: 'noDevMode' } & DeploymentTarget);

/** The row of an obstacle: a click does what helps. */
export interface ObstacleNode extends TreeNode, FolderTarget, Partial<DeploymentTarget> {
  readonly kind: 'obstacle';
  readonly obstacle: Obstacle;
}

/** How saved files are pushed: automatically, or by the user, with the reason. */
export type PushMode = 'automatic' | 'notChosen' | 'risky' | 'off';

/** The row that shows it always; a click changes it. */
export interface PushModeNode extends TreeNode, FolderTarget {
  readonly kind: 'pushMode';
  readonly mode: PushMode;
  readonly branch: string;
  /** What a click sets. */
  readonly push: 'automatic' | 'manual';
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
  /** The deployment that it is linked to. */
  readonly deployment?: string | undefined;
  /** Why it is compared with nothing; a window with one folder shows it in the empty view. */
  readonly obstacle?: Obstacle | undefined;
  /** The dev branch that the folder is about to be compared with, while its sync is being opened. */
  readonly opening?: string | undefined;
  /** Its deployment, where the views show one that no folder here is linked to, and the names of both. */
  readonly elsewhere?: (DeploymentTarget & Pick<ElsewhereNode, 'linked' | 'shown'>) | undefined;
  /** How saved files are pushed; `undefined` where nothing can be pushed. */
  readonly pushMode?: PushMode | undefined;
  /** Resolved files that the branch does not have again since a pull was interrupted. */
  readonly unreturned?: readonly string[] | undefined;
  /** The commit, pull or merge of the branch that stopped at conflicts. */
  readonly attempt?: GitAttempt | undefined;
  /** What the dev branch holds beside its parent; `undefined` while that is not known. */
  readonly commit?: CommitPlan | undefined;
  /** The parent that the dev branch is being compared with for the first time, or why that failed. */
  readonly comparing?: { readonly parent: string; readonly error?: string | undefined } | undefined;
}
