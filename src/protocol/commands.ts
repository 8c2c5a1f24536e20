/**
 * Every command id and the arguments it takes when called from a tree, a menu or a link; called from the palette it gets
 * none and asks. The handler table in `vscode/commands` must have exactly these keys: a missing one is a compile error.
 * Each area keeps its own interface beside this one and is listed here.
 */
export interface CommandSignatures {
  'modelbench.signIn': () => void;
  'modelbench.signOut': () => void;
}

export type CommandId = keyof CommandSignatures;
