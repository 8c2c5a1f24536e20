export { chooseTarget, folderOf } from './choose-target.ts';
