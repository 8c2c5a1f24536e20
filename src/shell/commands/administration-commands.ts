import { changes, type CommandArea, looks } from './command.ts';
import { treeRow } from '../targets.ts';

/** Commands of the Administration view; rows of its tree and their selection are the arguments. */
export const adminCommands = {
  'modelbench.administration.show': looks(),
  'modelbench.administration.refresh': looks(),
  'modelbench.administration.retry': looks(treeRow),
  'modelbench.administration.loadMore': looks(treeRow),
  'modelbench.administration.open': looks(treeRow),
  'modelbench.administration.create': changes(treeRow),
  'modelbench.administration.openGroup': looks(treeRow),
  'modelbench.administration.editValues': looks(treeRow),
  'modelbench.administration.showScim': looks(treeRow),
  'modelbench.administration.activate': changes(treeRow),
  'modelbench.administration.deactivate': changes(treeRow),
  'modelbench.administration.delete': changes(treeRow),
  'modelbench.administration.connect': changes(treeRow),
  'modelbench.administration.addMembers': changes(treeRow),
  'modelbench.administration.removeMembers': changes(treeRow),
} as const satisfies CommandArea;
export type AdminCommands = typeof adminCommands;
