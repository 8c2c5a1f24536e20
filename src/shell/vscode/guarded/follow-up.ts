import * as raw from 'vscode';

type Questions = Pick<typeof raw.window, 'showQuickPick' | 'showInputBox'>;
type Show = (...args: readonly unknown[]) => Thenable<unknown>;

let hasAnswered = false;

/** Marks the start of a command, whose first question closes when it loses the focus, as everywhere in VS Code. */
export function beginCommand(): void {
  hasAnswered = false;
}

/**
 * VS Code's questions. A question that follows an answer stays open when it loses the focus: after the answer, VS Code returns the
 * focus to where it was before, and a page that takes it late would close the next question.
 */
export const questions: Questions = {
  showQuickPick: asking('showQuickPick', 1),
  showInputBox: asking('showInputBox', 0),
} as Questions;

/** `at`: the position of the options among the arguments. */
function asking(name: keyof Questions, at: number): Show {
  return async (...args) => {
    const stays = { ignoreFocusOut: true, ...(args[at] as object | undefined) };
    const answer = await (raw.window[name] as Show)(...(hasAnswered ? args.toSpliced(at, 1, stays) : args));
    hasAnswered = answer !== undefined;
    return answer;
  };
}
