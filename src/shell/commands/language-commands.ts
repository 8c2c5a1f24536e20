import { changes, type CommandArea, reads, runs } from './command.ts';
import { documentTarget, scriptChoice } from '../targets.ts';

/** Commands of the language features; code lenses run others, with arguments that a user could not supply. */
export const languageCommands = {
  'modelbench.language.restart': reads(),
  'modelbench.language.checkModel': runs(),
  /** Sets whether JavaScript models run in the sandbox; asks if no choice is passed. */
  'modelbench.language.chooseScripts': runs(scriptChoice),
  'modelbench.language.showJoinGraph': reads(),
  /** Generates a cube for a database table, in the model of the document or folder. */
  'modelbench.language.generateCube': changes(documentTarget),
  'modelbench.language.exportSchema': reads(),
  'modelbench.language.query': reads(),
  'modelbench.language.showSqlAtCursor': runs(),
  'modelbench.language.explainProblem': reads(),
} as const satisfies CommandArea;
export type LanguageCommands = typeof languageCommands;
