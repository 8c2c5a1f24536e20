import { changes, type CommandArea, reads } from './command.ts';
import { askTarget, branchTarget, documentTarget } from '../targets.ts';

/** Commands of the chat; called from the palette they act on the chat that was used last. */
export const chatCommands = {
  'modelbench.chat.show': reads(),
  'modelbench.chat.new': reads(),
  'modelbench.chat.openInEditor': reads(),
  'modelbench.chat.openThread': reads(),
  'modelbench.chat.stop': reads(),
  'modelbench.chat.export': reads(),
  'modelbench.chat.copyLink': reads(),
  /** Writes the saved questions as evaluation questions of the platform. */
  'modelbench.chat.exportQuestions': changes(),
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
  /** Puts a question into the composer; it is sent when the user sends it. */
  'modelbench.chat.ask': reads(askTarget),
  'modelbench.chat.askAboutBuild': reads(branchTarget),
  /** Of the cube, view or member at the cursor. */
  'modelbench.chat.askAboutMember': reads(),
} as const satisfies CommandArea;
export type ChatCommands = typeof chatCommands;
