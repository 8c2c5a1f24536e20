import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, text, textOf } from '#base/user-text.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import { setting } from './settings.ts';

/** Provides the names of deployments. */
interface NamesOfDeployments {
  readonly data: { nameOf(target: DeploymentTarget): string };
}

/** Whether changes to this branch require a typed confirmation: the settings contain its name or its deployment's. */
export function isProtected({ data }: NamesOfDeployments, target: BranchTarget): boolean {
  const deployments = setting('protected.deployments');
  return (
    setting('protected.branches').includes(target.branchName) ||
    deployments.includes(target.deploymentId) ||
    deployments.includes(data.nameOf(target))
  );
}

/**
 * Asks the user whether to continue with an action that affects others: with a button for ordinary targets, by typing the name
 * for protected ones.
 */
export async function confirm(question: {
  readonly title: string;
  readonly detail: string;
  readonly button: string;
  /** The text that must be typed; without it a button suffices. */
  readonly typed?: string | undefined;
  /** A page with details: opened by a second button, or at once if the confirmation is typed. */
  readonly more?: { readonly button: string; readonly show: () => Promise<void> } | undefined;
}): Promise<boolean> {
  const { title, detail, button, typed, more } = question;
  if (typed === undefined) {
    const buttons = (more ? [button, more.button] : [button]).map((title) => textOf(title));
    const answer = await vscode.window.showWarningMessage(
      textOf(title),
      { modal: true, detail: passage(detail) },
      ...buttons,
    );
    if (!more || answer !== buttons[1]) return answer === buttons[0];
    await more.show();
    // Ask again above the page that was requested instead of over it; the question stays open until the user answers.
    const items = [
      { label: textOf(button), isYes: true },
      { label: text`Cancel`, isYes: false },
    ];
    const again = await vscode.window.showQuickPick(items, {
      title: textOf(title),
      placeHolder: textOf(detail),
      ignoreFocusOut: true,
    });
    return again?.isYes === true;
  }
  // The page stays visible behind the question.
  if (more) await more.show();
  const answer = await vscode.window.showInputBox({
    title: textOf(title),
    prompt: textOf(`${detail} Type “${typed}” to confirm.`),
    placeHolder: textOf(typed),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value === '' || value === typed ? undefined : text`Type “${typed}” exactly, or press Esc.`,
  });
  return answer === typed;
}
