import { changes, type CommandArea, reads } from './command.ts';
import { treeRow } from '../targets.ts';

/** Commands of the Administration view; their arguments are rows of its tree and the selection. */
export const adminCommands = {
  'modelbench.administration.show': reads(),
  'modelbench.administration.showTable': reads(treeRow),
  'modelbench.administration.refresh': reads(),
  'modelbench.administration.retry': reads(treeRow),
  'modelbench.administration.loadMore': reads(treeRow),
  'modelbench.administration.open': reads(treeRow),
  'modelbench.administration.create': changes(treeRow),
  'modelbench.administration.openGroup': reads(treeRow),
  'modelbench.administration.editValues': reads(treeRow),
  'modelbench.administration.showScim': reads(treeRow),
  'modelbench.administration.activate': changes(treeRow),
  'modelbench.administration.deactivate': changes(treeRow),
  'modelbench.administration.delete': changes(treeRow),
  'modelbench.administration.connect': changes(treeRow),
  'modelbench.administration.addMembers': changes(treeRow),
  'modelbench.administration.removeMembers': changes(treeRow),
} as const satisfies CommandArea;
export type AdminCommands = typeof adminCommands;
