import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { isEqual } from '#base/equal.ts';
import { type ModelVerdict, validateModel, verdictText } from '#features/builds/model-validation.ts';
import { branchOnly } from '#features/folders/index.ts';
import { Hint } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { ValidationDeps } from './deps.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/**
 * Validates the model of a branch on the platform (docs/platform-api.md#validatedatamodel, optional); the errors of the active
 * branch become problems of its files.
 */
export async function validateOnPlatform(services: ValidationDeps, given: BranchTarget | undefined): Promise<void> {
  const target = given ?? services.session.activeTarget();
  if (!target) {
    throw new Hint('Choose a branch in the Branches view, or start dev mode.', {
      title: 'Start Dev Mode',
      command: 'modelbench.devMode.start',
    });
  }
  await services.learnOffers(target.accountId);
  if (!services.offers(target.accountId, 'validateDataModel')) {
    throw new Hint('This platform’s API cannot validate data models.');
  }
  // The platform validates what it has, so pending uploads of saved files come first.
  for (const { sync } of services.syncs.ofBranch(target)) await sync.flush();
  const verdict = await services.operations.run({
    label: text`Validating ${target.branchName}`,
    key: `validate ${target.accountId} ${target.deploymentId} ${target.branchName}`,
    cancellable: true,
    run: async ({ signal }) => validateModel(services, target, signal),
  });
  const isActive = isEqual(services.session.activeTarget(), branchOnly(target));
  if (isActive) services.builds.validated(target, verdict.valid ? undefined : verdict.errorText);
  await show(target, verdict, isActive);
}

async function show(target: BranchTarget, verdict: ModelVerdict, isActive: boolean): Promise<void> {
  const message = verdictText(verdict, target.branchName);
  if (verdict.valid) {
    vscode.window.setStatusBarMessage(text`$(check) ${message}`, 8000);
    return;
  }
  const button = isActive ? text`Show Problems` : text`Show Errors`;
  const answer = await vscode.window.showErrorMessage(textOf(`${message}.`), button);
  if (answer !== button) return;
  if (isActive) {
    await executeBuiltIn('workbench.actions.view.problems');
    return;
  }
  const document = await vscode.workspace.openTextDocument({ language: 'log', content: `${verdict.errorText}\n` });
  await vscode.window.showTextDocument(document, { preview: true });
}
