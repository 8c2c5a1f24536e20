import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { pushQuestion } from '#features/folders/push-question.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { views } from '#shell/view-ids.ts';
import { pushSetting } from '#features/folders/vscode/sync-settings.ts';
import { mayUpload } from '#features/folders/vscode/upload-consent.ts';
import { executeBuiltIn, focusView } from '#shell/vscode/guarded/commands.ts';
import type { PushQuestionDeps } from './deps.ts';
import type { UploadDeps } from '#features/folders/vscode/deps.ts';

/** Asks how saved files of a folder are pushed, with the risk of it, and remembers the answer; closing it answers nothing. */
export async function choosePush(deps: PushQuestionDeps, session: SyncSession): Promise<void> {
  const automatically = await askForPush(deps, session);
  if (automatically === undefined) return;
  const { folderId } = session.folder;
  await deps.saveChoices.choose(folderId, automatically);
  const setting = pushSetting(folderId);
  const isHeld = !automatically && deps.consent.missing(session.target) !== undefined;
  if (setting === !automatically && !isHeld) await tellSetting(setting);
  else if (!automatically) await focusView(views.changes);
}

async function askForPush(
  { data, consent }: UploadDeps,
  { folder, target }: SyncSession,
): Promise<boolean | undefined> {
  const risk = consent.missing(target);
  const place = { folder: folder.name, branch: target.branchName, deployment: data.nameOf(target) };
  const question = pushQuestion(place, risk);
  const [send, push] = [textOf(question.automatically), textOf(question.manually)];
  const show = question.isWarning ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const answer = await show(textOf(question.message), send, push);
  if (answer === undefined) return undefined;
  if (answer === push) return false;
  if (risk?.kind === 'unknown') await consent.accept(target);
  return (await mayUpload({ data, consent }, target)) ? true : undefined;
}

/** A setting overrules what was chosen for a folder. */
async function tellSetting(pushes: boolean): Promise<void> {
  const open = 'Open Setting';
  const message = pushes
    ? text`Saved files are still pushed automatically: your setting “Sync: On Save” is on.`
    : text`Saved files are still not pushed automatically: your setting “Sync: On Save” is off.`;
  const answer = await vscode.window.showInformationMessage(message, open);
  if (answer === open) await executeBuiltIn('workbench.action.openSettings', 'modelbench.sync.onSave');
}
