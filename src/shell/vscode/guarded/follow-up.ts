import * as raw from 'vscode';
import { Hint } from '#shell/user-error.ts';

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
  showQuickPick: choosing(asking('showQuickPick', 1)),
  showInputBox: asking('showInputBox', 0),
} as Questions;

/** Throws a `Hint` instead of a list without rows, in which a user could only guess what is missing. */
function choosing(show: Show): Show {
  return async (items, options) => {
    if (Array.isArray(items)) {
      if (items.length === 0) throw nothingToChoose(options);
      return show(items, options);
    }
    const closing = new raw.CancellationTokenSource();
    let isEmpty = false;
    const rows = (items as Thenable<readonly unknown[]>).then((all) => {
      isEmpty = all.length === 0;
      if (isEmpty) closing.cancel();
      return all;
    });
    try {
      const answer = await show(rows, options, closing.token);
      if (isEmpty) throw nothingToChoose(options);
      return answer;
    } finally {
      closing.dispose();
    }
  };
}

function nothingToChoose(options: unknown): Hint {
  const { none = 'There is nothing to choose from.' } = (options ?? {}) as { readonly none?: string };
  return new Hint(none);
}

/** `at`: the position of the options among the arguments. */
function asking(name: keyof Questions, at: number): Show {
  return async (...args) => {
    const stays = { ignoreFocusOut: true, ...(args[at] as object | undefined) };
    const answer = await (raw.window[name] as Show)(...(hasAnswered ? args.toSpliced(at, 1, stays) : args));
    hasAnswered = answer !== undefined;
    return answer;
  };
}
