export { conflictOrPick, markResolved, mergeConflict, resolveConflict, takeTheirs } from './conflicts.ts';
export { deploy, openDeployChange } from './deploy.ts';
export type { ConflictDeps, DeployDeps, GateDeps, GitConflictDeps, PutBackDeps } from './deps.ts';
export { mergeGitConflict, resolveGitConflict } from './git-conflicts.ts';
export { openChange } from './open-change.ts';
export { putBack } from './put-back.ts';
