export { chooseTarget, folderOf } from './choose-target.ts';
export { type ModelFolder, modelFolderOf, openQuerySaving, type QuerySaving, writeAndShow } from './query-saving.ts';
