import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { changedQuestion, type PublishQuestion, publishQuestion } from '#features/dashboards/publish-question.ts';
import type { DraftDeps } from './deps.ts';
import type { DraftDocuments } from './draft-documents.ts';
import { publishDraft, type Workbook } from '#features/dashboards/workbook.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

interface Choice extends vscode.QuickPickItem {
  /** As in `PublishDashboardInput` (docs/platform-api.md#publishdashboard); `undefined` leaves the setting unchanged. */
  readonly allowEmbed?: boolean | undefined;
  readonly isDifference?: boolean | undefined;
}

/**
 * Publishes the draft, which everyone with access to the dashboard then sees. First shows what changes for them, and asks about
 * unsaved changes and about a draft that is newer than the editor's.
 */
export async function publish(
  services: Pick<DraftDeps, 'data' | 'objects'>,
  drafts: DraftDocuments,
  workbook: Workbook,
): Promise<void> {
  if (!(await isResolved(services, drafts, workbook))) return;
  const read = async (): Promise<PublishQuestion> =>
    publishQuestion(services.data, workbook, (draft) => drafts.isOlderThan(workbook, draft));
  let question: PublishQuestion | undefined = await read();
  let picked: Choice | undefined;
  while (question) {
    picked = await choose(drafts, workbook, question);
    if (!picked) return;
    // A colleague may have saved another draft while the question was open.
    question = changedQuestion(question, await read());
  }
  await publishDraft(services.data, workbook, picked?.allowEmbed);
  vscode.window.setStatusBarMessage(text`$(check) “${workbook.name}” is published`, 5000);
}

/** Whether the editor's changes are saved, or the user wants to publish without them. */
async function isResolved(
  { objects }: Pick<DraftDeps, 'objects'>,
  drafts: DraftDocuments,
  workbook: Workbook,
): Promise<boolean> {
  const uri = drafts.uriOf(workbook);
  if (!(await objects.hasChanges(uri))) return true;
  const save = 'Save and Publish…';
  const without = 'Publish Without Them…';
  const answer = await vscode.window.showWarningMessage(
    text`Your changes to the draft of “${workbook.name}” are not saved.`,
    { modal: true, detail: text`Only what is saved on the platform is published.` },
    save,
    without,
  );
  if (answer !== save) return answer === without;
  await vscode.window.showTextDocument(uri, { preview: false });
  // VS Code ignores a save that coincides with an auto save of the same text, which sends nothing to the platform.
  if (!(await savesByHand(uri))) await savesByHand(uri);
  return !(await objects.hasChanges(uri));
}

/** Saves the active editor, even if auto save left it clean; resolves to whether VS Code reported a manual save. */
async function savesByHand(uri: vscode.Uri): Promise<boolean> {
  let isByHand = false;
  const listening = vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
    isByHand ||= document.uri.toString() === uri.toString() && reason === vscode.TextDocumentSaveReason.Manual;
  });
  try {
    await executeBuiltIn('workbench.action.files.save');
  } finally {
    listening.dispose();
  }
  return isByHand;
}

async function choose(
  drafts: DraftDocuments,
  workbook: Workbook,
  question: PublishQuestion,
): Promise<Choice | undefined> {
  const items: readonly Choice[] = [
    { label: text`Publish`, detail: textOf(question.detail) },
    { label: text`Publish and Allow Embedding`, allowEmbed: true },
    { label: text`Publish and Forbid Embedding`, allowEmbed: false },
    ...(question.draft === undefined ? [] : [{ label: text`$(diff) Show Difference`, isDifference: true }]),
  ];
  const options = { title: text`Publish Dashboard`, placeHolder: textOf(question.text) };
  const picked = await vscode.window.showQuickPick(items, options);
  if (picked?.isDifference !== true) return picked;
  await drafts.comparePublished(workbook, question.draft);
  // Ask again while the comparison is open.
  const again = items.filter(({ isDifference }) => isDifference !== true);
  return vscode.window.showQuickPick(again, { ...options, ignoreFocusOut: true });
}
