import { changes, type CommandArea, looks } from './command.ts';
import { documentTarget } from '../targets.ts';

/** Commands of the chat; called from the palette they act on the chat that was used last. */
export const chatCommands = {
  'modelbench.chat.show': looks(),
  'modelbench.chat.new': looks(),
  'modelbench.chat.openInEditor': looks(),
  'modelbench.chat.openThread': looks(),
  'modelbench.chat.stop': looks(),
  'modelbench.chat.export': looks(),
  'modelbench.chat.copyLink': looks(),
  /** Of the proposed file that is shown as a change. */
  'modelbench.chat.acceptProposal': changes(documentTarget),
  'modelbench.chat.acceptProposalHunks': changes(documentTarget),
  'modelbench.chat.rejectProposal': looks(documentTarget),
  'modelbench.chat.setUp': looks(),
  'modelbench.data.chooseTarget': looks(),
  'modelbench.data.setToken': looks(),
  'modelbench.data.runSql': looks(),
  'modelbench.chat.attachFile': looks(documentTarget),
  'modelbench.chat.attachSelection': looks(),
} as const satisfies CommandArea;
export type ChatCommands = typeof chatCommands;
