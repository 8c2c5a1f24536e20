export {
  conflictOrPick,
  folderConflicts,
  mergeConflict,
  resolveConflict,
  type ShownConflicts,
  takeTheirs,
} from './conflicts.ts';
export { deploy, openDeployChange } from './deploy.ts';
export type { ConflictDeps, DeployDeps, GateDeps, GitConflictDeps, PutBackDeps } from './deps.ts';
export { stepConflicts } from './git-conflicts.ts';
export { openChange } from './open-change.ts';
export { putBack } from './put-back.ts';
