import { changes, type CommandArea, reads, runs } from './command.ts';
import { documentTarget, scriptChoice } from '../targets.ts';

/** Commands of the language features; lenses run others, with arguments that a user could not give. */
export const languageCommands = {
  'modelbench.language.restart': reads(),
  'modelbench.language.checkModel': runs(),
  /** Whether JavaScript models run in the sandbox; asks without a choice. */
  'modelbench.language.chooseScripts': runs(scriptChoice),
  'modelbench.language.showJoinGraph': reads(),
  /** A new cube on a table of the database, in the model of the document or folder. */
  'modelbench.language.generateCube': changes(documentTarget),
  'modelbench.language.exportSchema': reads(),
  'modelbench.language.query': reads(),
  'modelbench.language.showSqlAtCursor': runs(),
  'modelbench.language.explainProblem': reads(),
} as const satisfies CommandArea;
export type LanguageCommands = typeof languageCommands;
