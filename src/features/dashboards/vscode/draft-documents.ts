import { asError } from '#base/async.ts';
import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, text } from '#base/user-text.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { alignedTo } from '#features/dashboards/aligned.ts';
import { conflictText } from '#features/dashboards/conflict-text.ts';
import type { ConflictDecision, Sides } from '#features/dashboards/decide-draft.ts';
import type { DocumentProblem } from '#shell/env-vars.ts';
import type { DraftEditor, OpenDraft } from '#features/dashboards/open-draft.ts';
import { draftPath, OpenDrafts } from '#features/dashboards/open-drafts.ts';
import { rangeOf, valueRanges } from '#shell/json-text.ts';
import type { MergeConflict } from '#features/dashboards/merge-json.ts';
import { UserError } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { titleOf } from '#features/platform/index.ts';
import type { DraftDeps } from './deps.ts';
import { documentText, parseDocument, type PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import { problemAt, rangeIn } from '#shell/vscode/marks.ts';
import type { Recipe } from '#shell/recipe.ts';
import { draftPlaceOf, readPublished, type Workbook } from '#features/dashboards/workbook.ts';

/** The drafts of dashboards as JSON documents, with problems at their positions. */
export class DraftDocuments implements Disposable {
  readonly #services: DraftDeps;
  readonly #drafts: OpenDrafts;
  readonly #owned = new DisposableStore();
  readonly #problems = vscode.languages.createDiagnosticCollection('modelbench-dashboard');

  constructor(services: DraftDeps) {
    this.#services = services;
    this.#drafts = new OpenDrafts((workbook) => draftPlaceOf(services.data, workbook));
    this.#owned.add(this.#problems);
    // An edit makes the problems of the last save stale; the schema still checks the text.
    this.#owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0) return;
        this.#problems.delete(document.uri);
        this.#showing(document);
      }),
    );
    this.#owned.add(vscode.workspace.onDidOpenTextDocument((document) => this.#showing(document)));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#problems.delete(uri)));
  }

  targetOf(uri: vscode.Uri): DeploymentTarget | undefined {
    return this.workbookOf(uri)?.target;
  }

  workbookOf(uri: vscode.Uri): Workbook | undefined {
    return this.#drafts.at(uri.toString())?.workbook;
  }

  /**
   * Returns the URI of a workbook's draft, open or not. Its path contains names that may be loaded only later, so an open draft
   * keeps its URI.
   */
  uriOf(workbook: Workbook): vscode.Uri {
    const known = this.#drafts.addressOf(workbook);
    if (known !== undefined) return vscode.Uri.parse(known, true);
    return this.#services.objects.uriOf(this.#pathOf(workbook, 'dashboard.json'));
  }

  /** Whether an open editor was made from a different draft than the platform's. */
  isOlderThan(workbook: Workbook, draft: unknown): boolean {
    const address = this.uriOf(workbook).toString();
    const isOpen = vscode.workspace.textDocuments.some(({ uri, isClosed }) => !isClosed && uri.toString() === address);
    return isOpen && this.#drafts.at(address)?.isOlderThan(draft) === true;
  }

  /** Compares the published version with the platform's draft. */
  async comparePublished(workbook: Workbook, draft: unknown): Promise<void> {
    const { objects } = this.#services;
    const published = this.publishedOf(workbook, this.#pathOf(workbook, 'published.json'));
    const left = await objects.hold({ ...published, read: async () => alignedTo(draft, await published.read()) });
    const right = await objects.hold(this.platformDraftOf(workbook, this.#pathOf(workbook, 'platform.json')));
    await openDiff(left, right, text`${workbook.name}: published ↔ draft`);
  }

  /** Opens the draft for editing; saving replaces the platform's. */
  async open(workbook: Workbook): Promise<vscode.Uri> {
    const { objects } = this.#services;
    const uri = this.uriOf(workbook);
    // Unsaved edits stay, with the draft that they were made from.
    if (await objects.hasChanges(uri)) {
      await vscode.window.showTextDocument(uri, { preview: false });
      return uri;
    }
    await objects.open(this.documentOf(workbook, uri.path));
    return uri;
  }

  /** Creates the document of a draft, replacing one that is open at that path. */
  documentOf(workbook: Workbook, path: string): PlatformDocument {
    const uri = this.#services.objects.uriOf(path);
    const draft = this.#drafts.begin(uri.toString(), workbook);
    return {
      path,
      recipe: { kind: 'draft', workbook } satisfies Recipe,
      read: async () => draft.read(),
      save: async (edited) => draft.save(edited, this.#editorOf(uri, draft)),
      restoreBase: (base) => draft.restored(base),
    };
  }

  /** Opens the published version, read-only. */
  async openPublished(workbook: Workbook): Promise<void> {
    await this.#services.objects.open(this.publishedOf(workbook, this.#pathOf(workbook, 'published.json')));
  }

  /** Returns a document of the published version. */
  publishedOf(workbook: Workbook, path: string): PlatformDocument {
    return {
      path,
      recipe: { kind: 'published', workbook } satisfies Recipe,
      read: async () => readPublished(this.#services.data, workbook),
      isReadonly: true,
      save: () => Promise.reject(new UserError('To change the published dashboard, publish its draft.')),
    };
  }

  /** Returns a document of the platform's draft, for comparison with the user's own. */
  platformDraftOf(workbook: Workbook, path: string): PlatformDocument {
    return {
      path,
      accountId: workbook.target.accountId,
      read: async () => draftPlaceOf(this.#services.data, workbook).read(),
      isReadonly: true,
      save: () => Promise.reject(new UserError('This side shows the platform’s version and cannot be edited.')),
    };
  }

  dispose(): void {
    this.#owned.dispose();
    this.#drafts.clear();
  }

  #editorOf(uri: vscode.Uri, draft: OpenDraft): DraftEditor {
    return {
      decide,
      mark: (problems) => this.#show(uri, problems),
      compare: (sides) => {
        // The document can change only after the failed save has ended.
        setImmediate(() => {
          this.#compare(uri, draft, sides).catch((error: unknown) => {
            void this.#services.boundary('modelbench.dashboard.open', error);
          });
        });
      },
      report: (message) => void vscode.window.setStatusBarMessage(message, 5000),
    };
  }

  async #compare(uri: vscode.Uri, draft: OpenDraft, sides: Sides): Promise<void> {
    if (!(await draft.offer(sides, async (merged) => replaceText(uri, merged)))) return;
    // *Revert File* should drop the user's own change, not what a colleague saved.
    this.#services.objects.revertTo(uri, sides.theirs);
    await this.#services.objects.compare(
      {
        path: this.#pathOf(draft.workbook, 'platform.json'),
        value: alignedTo(sides.merged, sides.theirs),
        recipe: { kind: 'platformDraft', workbook: draft.workbook } satisfies Recipe,
      },
      uri,
      `${draft.workbook.name}: platform ↔ mine`,
    );
  }

  /** Records the text of a document, which may be an earlier one (*Undo*, *Revert File*, a reopened editor). */
  #showing(document: vscode.TextDocument): void {
    const draft = this.#drafts.at(document.uri.toString());
    const read = draft && readDraft(document.getText());
    if (read && 'value' in read) draft.showing(read.value);
  }

  #show(uri: vscode.Uri, problems: readonly DocumentProblem[]): void {
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (!document) return;
    const ranges = valueRanges(document.getText());
    const found = problems.map(({ path, message, severity }) => {
      const whole = rangeIn(document, rangeOf(ranges, path));
      // Underline only the first line of a large value, not a whole widget.
      const range = whole.isSingleLine ? whole : whole.with({ end: document.lineAt(whole.start.line).range.end });
      return problemAt(range, message, severity);
    });
    this.#problems.set(uri, found);
  }

  #pathOf(workbook: Workbook, ending: string): string {
    return draftPath(workbook, titleOf(this.#services, workbook.target), ending);
  }
}

/** Replaces the text of a document; resolves to whether VS Code applied the edit. */
async function replaceText(uri: vscode.Uri, value: unknown): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(uri);
  const whole = new vscode.Range(new vscode.Position(0, 0), document.positionAt(document.getText().length));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, whole, documentText(value));
  return vscode.workspace.applyEdit(edit);
}

/** Asks what to do if the user and someone else changed the same fields of a draft. */
async function decide(name: string, conflicts: readonly MergeConflict[]): Promise<ConflictDecision> {
  const compare = 'Compare';
  const answer = await vscode.window.showWarningMessage(
    text`Someone saved the draft of “${name}” meanwhile, and you both changed the same fields.`,
    { modal: true, detail: passage(conflictText(conflicts)) },
    compare,
    'Save with My Values',
  );
  if (answer === undefined) return undefined;
  return answer === compare ? 'compare' : 'saveMine';
}

/** Parses the text of a draft. */
export function readDraft(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseDocument(text) };
  } catch (error) {
    return { problem: asError(error).message };
  }
}
