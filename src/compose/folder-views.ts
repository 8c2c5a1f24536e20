// The entry of a bundle: the Changes view of linked folders, and the comparison that its rows come from.
export { branchDelta, nextBase } from '#features/changes/branch-delta.ts';
export { describeChangesNode, openFolderViews } from '#features/changes/vscode/folder-views.ts';
export * from './window-status.ts';
export { LentFiles } from '#features/history/lent-files.ts';
