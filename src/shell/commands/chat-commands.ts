import { changes, type CommandArea, reads } from './command.ts';
import { askTarget, branchTarget, documentTarget, fileTarget, modelNameTarget } from '../targets.ts';

/** Commands of the chat; from the palette they act on the chat that was used last. */
export const chatCommands = {
  'modelbench.chat.show': reads(),
  'modelbench.chat.new': reads(),
  'modelbench.chat.openInEditor': reads(),
  'modelbench.chat.openThread': reads(),
  'modelbench.chat.stop': reads(),
  'modelbench.chat.export': reads(),
  'modelbench.chat.copyLink': reads(),
  /** Exports the saved questions as evaluation questions of the platform. */
  'modelbench.chat.exportQuestions': changes(),
  /** Acts on the proposed file whose change is shown. */
  'modelbench.chat.acceptProposal': changes(documentTarget),
  'modelbench.chat.acceptProposalHunks': changes(documentTarget),
  'modelbench.chat.rejectProposal': reads(documentTarget),
  'modelbench.chat.setUp': reads(),
  'modelbench.data.chooseTarget': reads(),
  'modelbench.data.setToken': reads(),
  'modelbench.data.runSql': reads(),
  'modelbench.chat.attachFile': reads(documentTarget),
  'modelbench.chat.attachSelection': reads(),
  /** Puts a question into the composer, where the user can send it. */
  'modelbench.chat.ask': reads(askTarget),
  'modelbench.chat.askAboutBuild': reads(branchTarget),
  'modelbench.chat.askAboutChange': reads(fileTarget),
  /** Acts on the cube, view or member of a page's menu, else on the one at the cursor. */
  'modelbench.chat.askAboutMember': reads(modelNameTarget),
} as const satisfies CommandArea;
export type ChatCommands = typeof chatCommands;
