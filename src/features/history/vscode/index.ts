export type { CommitInput } from './commit-input.ts';
export { conflictOrPick, markResolved, mergeConflict, resolveConflict, takeTheirs } from './conflicts.ts';
export { deploy, openDeployChange } from './deploy.ts';
export type { ConflictDeps, DeployDeps, GitConflictDeps, PutBackDeps, StoppedStepDeps } from './deps.ts';
export { gitConflictAt, mergeGitConflict, settleGitConflict } from './git-conflicts.ts';
export { openChange } from './open-change.ts';
export { putBack } from './put-back.ts';
export { attemptOf, gitConflictsOf } from './stopped-steps.ts';
