import * as raw from 'vscode';

type Questions = Pick<typeof raw.window, 'showQuickPick' | 'showInputBox'>;
type Show = (...args: readonly unknown[]) => Thenable<unknown>;

let hasAnswered = false;

/** A command begins: its first question closes when the user turns to something else, as everywhere in VS Code. */
export function beginCommand(): void {
  hasAnswered = false;
}

/**
 * VS Code's questions, of which one that follows an answer stays open when it loses the focus: VS Code gives the focus back
 * to where it was before the answer, and a page that takes it late would close the next question.
 */
export const questions: Questions = {
  showQuickPick: asking('showQuickPick', 1),
  showInputBox: asking('showInputBox', 0),
} as Questions;

/** `at` is the place of the options among the arguments. */
function asking(name: keyof Questions, at: number): Show {
  return async (...args) => {
    const stays = { ignoreFocusOut: true, ...(args[at] as object | undefined) };
    const answer = await (raw.window[name] as Show)(...(hasAnswered ? args.toSpliced(at, 1, stays) : args));
    hasAnswered = answer !== undefined;
    return answer;
  };
}
