export { activeFolder, chooseTarget, folderOf } from './choose-target.ts';
export { findQueryFiles, subjectOf } from './query-folders.ts';
export { modelFolderOf, openQuerySaving, type QuerySaving, writeAndShow } from './query-saving.ts';
