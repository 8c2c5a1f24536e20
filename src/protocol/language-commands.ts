/** Commands of the language features; lenses run others, with arguments that a person could not give. */
export interface LanguageCommands {
  'modelbench.language.restart': () => void;
  'modelbench.language.checkModel': () => void;
  /** Whether JavaScript models run in the sandbox; asks without a choice. */
  'modelbench.language.chooseScripts': (choice?: 'run' | 'skip') => void;
  'modelbench.language.showJoinGraph': () => void;
  'modelbench.language.exportSchema': () => void;
  'modelbench.language.explainProblem': () => void;
}
