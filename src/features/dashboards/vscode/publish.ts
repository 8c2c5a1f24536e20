import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import { draftChanges } from '#features/dashboards/draft-changes.ts';
import { Hint } from '#shell/user-error.ts';
import type { DraftDeps } from './deps.ts';
import type { DraftDocuments } from './draft-documents.ts';
import { publishDraft, readDashboard, type Workbook } from '#features/dashboards/workbook.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

interface Choice extends vscode.QuickPickItem {
  /** Of `PublishDashboardInput` (docs/platform-api.md#publishdashboard); nothing leaves it as it is. */
  readonly allowEmbed?: boolean | undefined;
  readonly isDifference?: boolean | undefined;
}

/**
 * Publishes the draft: everybody who may see the dashboard sees it then. Says first what changes for them, and asks
 * about what is not saved and about a draft that is newer than the editor's.
 */
export async function publish(
  services: Pick<DraftDeps, 'data' | 'objects'>,
  drafts: DraftDocuments,
  workbook: Workbook,
): Promise<void> {
  if (!(await isResolved(services, drafts, workbook))) return;
  const { name } = workbook;
  const { dashboardDraft, dashboardPublished } = await readDashboard(services.data, workbook);
  if (!dashboardDraft) {
    throw new Hint(`“${name}” has no draft to publish. Edit its dashboard and save it first.`);
  }
  const isNewer = drafts.isOlderThan(workbook, dashboardDraft);
  const picked = await choose(drafts, workbook, {
    question: isNewer
      ? `Someone saved a newer draft of “${name}” than your editor shows. Publish theirs?`
      : `Publish the draft of “${name}”?`,
    detail: textOf(dashboardPublished ? changesIn(dashboardPublished, dashboardDraft) : 'for the first time'),
    draft: dashboardPublished ? dashboardDraft : undefined,
  });
  if (!picked) return;
  await publishDraft(services.data, workbook, picked.allowEmbed);
  vscode.window.setStatusBarMessage(text`$(check) “${name}” is published`, 5000);
}

/** Whether what the editor shows is saved, or the user wants to publish without it. */
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
  // VS Code takes a save for done that comes while auto save, which sends nothing, is writing the same.
  if (!(await savesByHand(uri))) await savesByHand(uri);
  return !(await objects.hasChanges(uri));
}

/** Saves the active editor, also one that auto save left clean; whether it was a user's save. */
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

/** `draft`: what can be compared with what is published; nothing where nothing is. */
async function choose(
  drafts: DraftDocuments,
  workbook: Workbook,
  { question, detail, draft }: { readonly question: string; readonly detail: string; readonly draft: unknown },
): Promise<Choice | undefined> {
  const items: readonly Choice[] = [
    { label: text`Publish`, detail: textOf(detail) },
    { label: text`Publish and allow embedding`, allowEmbed: true },
    { label: text`Publish and forbid embedding`, allowEmbed: false },
    ...(draft === undefined ? [] : [{ label: text`$(diff) Show Difference`, isDifference: true }]),
  ];
  const options = { title: text`Publish Dashboard`, placeHolder: textOf(question) };
  const picked = await vscode.window.showQuickPick(items, options);
  if (picked?.isDifference !== true) return picked;
  await drafts.comparePublished(workbook, draft);
  // The same question again, above the page that was asked for.
  const again = items.filter(({ isDifference }) => isDifference !== true);
  return vscode.window.showQuickPick(again, { ...options, ignoreFocusOut: true });
}

const mostChanges = 4;

function changesIn(published: unknown, draft: unknown): string {
  const changes = draftChanges(published, draft);
  if (changes.length === 0) return 'no difference from the published version';
  const more = changes.length - mostChanges;
  const shown = changes.slice(0, mostChanges).join(' · ');
  return `${plural(changes.length, 'change')}: ${shown}${more > 0 ? ` · and ${more} more` : ''}`;
}
