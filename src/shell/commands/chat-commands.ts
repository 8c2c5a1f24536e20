import { changes, type CommandArea, reads } from './command.ts';
import { documentTarget } from '../targets.ts';

/** Commands of the chat; called from the palette they act on the chat that was used last. */
export const chatCommands = {
  'modelbench.chat.show': reads(),
  'modelbench.chat.new': reads(),
  'modelbench.chat.openInEditor': reads(),
  'modelbench.chat.openThread': reads(),
  'modelbench.chat.stop': reads(),
  'modelbench.chat.export': reads(),
  'modelbench.chat.copyLink': reads(),
  /** Of the proposed file that is shown as a change. */
  'modelbench.chat.acceptProposal': changes(documentTarget),
  'modelbench.chat.acceptProposalHunks': changes(documentTarget),
  'modelbench.chat.rejectProposal': reads(documentTarget),
  'modelbench.chat.setUp': reads(),
  'modelbench.data.chooseTarget': reads(),
  'modelbench.data.setToken': reads(),
  'modelbench.data.runSql': reads(),
  'modelbench.chat.attachFile': reads(documentTarget),
  'modelbench.chat.attachSelection': reads(),
} as const satisfies CommandArea;
export type ChatCommands = typeof chatCommands;
