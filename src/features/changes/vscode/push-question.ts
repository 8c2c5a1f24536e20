import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { pushQuestion, type SyncSession } from '#features/folders/index.ts';
import { views } from '#shell/view-ids.ts';
import { mayUpload, type UploadDeps } from '#features/folders/vscode/index.ts';
import { executeBuiltIn, focusView } from '#shell/vscode/guarded/commands.ts';
import type { PushQuestionDeps } from './deps.ts';

/**
 * Sets whether saved files are pushed automatically. Without `wanted` it asks and warns about the risk, and closing the question
 * changes nothing. `wanted: true` asks only about the risk.
 */
export async function choosePush(deps: PushQuestionDeps, session: SyncSession, wanted?: boolean): Promise<void> {
  const automatically = await (wanted === undefined ? askForPush(deps, session) : agreed(deps, session, wanted));
  if (automatically === undefined) return;
  const { folderId } = session.folder;
  await deps.saveChoices.choose(automatically);
  if (automatically && deps.saveChoices.of(folderId) === false) await reportRefusal();
  else if (wanted === undefined && !automatically) await focusView(views.changes);
}

/** Resolves to `wanted` if the user consents; turning it off needs no consent. */
async function agreed(deps: UploadDeps, { target }: SyncSession, wanted: boolean): Promise<boolean | undefined> {
  return !wanted || (await mayUpload(deps, target)) ? wanted : undefined;
}

async function askForPush({ data, consent }: UploadDeps, { target }: SyncSession): Promise<boolean | undefined> {
  const risk = consent.missing(target);
  const destination = { branch: target.branchName, deployment: data.nameOf(target) };
  const question = pushQuestion(destination, risk);
  const [send, push] = [textOf(question.automatically), textOf(question.manually)];
  const show = question.isWarning ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const answer = await show(textOf(question.message), send, push);
  if (answer === undefined) return undefined;
  if (answer === push) return false;
  if (risk?.kind === 'unknown') await consent.accept(target);
  return (await mayUpload({ data, consent }, target)) ? true : undefined;
}

/** Reports that the setting of a folder's own repository turns it off. */
async function reportRefusal(): Promise<void> {
  const open = 'Open Setting';
  const message = text`Saved files are still not pushed automatically: the settings of this folder turn it off.`;
  const answer = await vscode.window.showInformationMessage(message, open);
  if (answer === open) await executeBuiltIn('workbench.action.openSettings', 'modelbench.sync.onSave');
}
