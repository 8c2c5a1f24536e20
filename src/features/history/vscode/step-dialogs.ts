import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { plural } from '#base/words.ts';
import { text } from '#base/user-text.ts';
import type { StepDialogs } from '#features/history/gated-step.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';

/** The dialogs of Git steps. */
export const stepDialogs: StepDialogs = {
  askUnsent: async (count, action, { branchName }) => {
    const push = text`Push First…`;
    const anyway = text`${action} Without ${count === 1 ? 'It' : 'Them'}`;
    const answer = await vscode.window.showWarningMessage(
      text`${plural(count, 'local change is', 'local changes are')} not on the platform yet.`,
      { modal: true, detail: text`${action} uses the platform’s version of “${branchName}”.` },
      push,
      anyway,
    );
    return answer === push ? 'push' : answer === anyway ? 'without' : undefined;
  },
  push: async () => execute('modelbench.push'),
};
