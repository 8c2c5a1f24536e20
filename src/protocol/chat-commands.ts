/** Commands of the chat; called from the palette they act on the chat that was used last. */
export interface ChatCommands {
  'modelbench.chat.show': () => void;
  'modelbench.chat.new': () => void;
  'modelbench.chat.openInEditor': () => void;
  'modelbench.chat.openThread': () => void;
  'modelbench.chat.stop': () => void;
  'modelbench.chat.export': () => void;
  'modelbench.chat.copyLink': () => void;
  /** Of the proposed file that is shown as a change. */
  'modelbench.chat.acceptProposal': (proposal?: unknown) => void;
  'modelbench.chat.acceptProposalHunks': (proposal?: unknown) => void;
  'modelbench.chat.rejectProposal': (proposal?: unknown) => void;
  'modelbench.chat.setUp': () => void;
  'modelbench.data.setToken': () => void;
  'modelbench.data.runSql': () => void;
  'modelbench.chat.attachFile': (target?: unknown) => void;
  'modelbench.chat.attachSelection': () => void;
}
