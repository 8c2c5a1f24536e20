import { type CommandArea, looks, runs } from './command.ts';
import { scriptChoice } from '../targets.ts';

/** Commands of the language features; lenses run others, with arguments that a user could not give. */
export const languageCommands = {
  'modelbench.language.restart': looks(),
  'modelbench.language.checkModel': runs(),
  /** Whether JavaScript models run in the sandbox; asks without a choice. */
  'modelbench.language.chooseScripts': runs(scriptChoice),
  'modelbench.language.showJoinGraph': looks(),
  'modelbench.language.exportSchema': looks(),
  'modelbench.language.query': looks(),
  'modelbench.language.explainProblem': looks(),
} as const satisfies CommandArea;
export type LanguageCommands = typeof languageCommands;
