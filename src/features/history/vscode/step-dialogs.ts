import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { StepDialogs } from '#features/history/gated-step.ts';
import { chosenOptions, mergeOptions } from '#features/history/merge.ts';
import { stepButton } from '#features/platform/index.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';

/** What Git steps ask the user. */
export const stepDialogs: StepDialogs = {
  askUnsent: async (count, action, { branchName }) => {
    const push = text`Push First…`;
    const anyway = text`${action} Without ${count === 1 ? 'It' : 'Them'}`;
    const answer = await vscode.window.showWarningMessage(
      text`${count} local ${count === 1 ? 'change is' : 'changes are'} not on the platform yet.`,
      { modal: true, detail: text`${action} uses the platform’s version of “${branchName}”.` },
      push,
      anyway,
    );
    return answer === push ? 'push' : answer === anyway ? 'without' : undefined;
  },
  push: async () => execute('modelbench.push'),
  askMessage: async (situation, suggested) => {
    const parent = situation.to === undefined ? 'the parent branch' : `“${situation.to}”`;
    const production = situation.isDeploy === true ? ', the deploy branch: production is rebuilt' : '';
    return vscode.window.showInputBox({
      value: suggested,
      title: textOf(stepButton(situation)),
      prompt: text`Commit message. The commit is pushed to ${parent} right away${production}.`,
      placeHolder: text`What changed and why`,
      ignoreFocusOut: true,
      validateInput: (value) => (value.trim() === '' ? text`A commit needs a message.` : undefined),
    });
  },
  askMergeOptions: async ({ branchName }, into) => {
    const items = mergeOptions.map(({ key, label, description }) => ({
      label: textOf(label),
      description: textOf(description),
      key,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: text`Merge ${branchName} into ${into}`,
      placeHolder: text`Tick what you want and press Enter to merge; Esc to cancel`,
      canPickMany: true,
      ignoreFocusOut: true,
    });
    return picked && chosenOptions(picked.map(({ key }) => key));
  },
};
