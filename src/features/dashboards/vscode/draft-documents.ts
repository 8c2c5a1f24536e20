import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, text } from '#base/user-text.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { alignedTo } from '#features/dashboards/aligned.ts';
import { conflictText } from '#features/dashboards/conflict-text.ts';
import type { Decision, Sides } from '#features/dashboards/decide-draft.ts';
import type { DraftProblem } from '#features/dashboards/draft-problems.ts';
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

/** The drafts of dashboards as JSON documents, with what is wrong in them as problems. */
export class DraftDocuments implements Disposable {
  readonly #services: DraftDeps;
  readonly #drafts: OpenDrafts;
  readonly #owned = new DisposableStore();
  readonly #problems = vscode.languages.createDiagnosticCollection('modelbench-dashboard');

  constructor(services: DraftDeps) {
    this.#services = services;
    this.#drafts = new OpenDrafts((workbook) => draftPlaceOf(services.data, workbook));
    this.#owned.add(this.#problems);
    // What the last save found is no longer true of an edited text; the schema continues checking it.
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

  /** Where the draft of a workbook is, or will be: its path holds names, which may be known only later. */
  uriOf(workbook: Workbook): vscode.Uri {
    const known = this.#drafts.addressOf(workbook);
    if (known !== undefined) return vscode.Uri.parse(known, true);
    return this.#services.objects.uriOf(this.#pathOf(workbook, 'dashboard.json'));
  }

  /** Whether an open editor was made from another draft than the platform has. */
  isOlderThan(workbook: Workbook, draft: unknown): boolean {
    const address = this.uriOf(workbook).toString();
    const isOpen = vscode.workspace.textDocuments.some(({ uri, isClosed }) => !isClosed && uri.toString() === address);
    return isOpen && this.#drafts.at(address)?.isOlderThan(draft) === true;
  }

  /** Shows what viewers see beside the draft that the platform has. */
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
    // What was edited and not sent stays, with the draft that it was made from.
    if (await objects.hasChanges(uri)) {
      await vscode.window.showTextDocument(uri, { preview: false });
      return uri;
    }
    await objects.open(this.documentOf(workbook, uri.path));
    return uri;
  }

  /** A new document of a draft; one of that path that is open is not a draft any more. */
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

  /** Opens what viewers see now, for reading. */
  async openPublished(workbook: Workbook): Promise<void> {
    await this.#services.objects.open(this.publishedOf(workbook, this.#pathOf(workbook, 'published.json')));
  }

  /** A document of what viewers see. */
  publishedOf(workbook: Workbook, path: string): PlatformDocument {
    return {
      path,
      recipe: { kind: 'published', workbook } satisfies Recipe,
      read: async () => readPublished(this.#services.data, workbook),
      isReadonly: true,
      save: () => Promise.reject(new UserError('To change the published dashboard, publish its draft.')),
    };
  }

  /** What the platform has of a draft, beside the user's own in a comparison. */
  platformDraftOf(workbook: Workbook, path: string): PlatformDocument {
    return {
      path,
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
        // The failed save must be over before its document can be changed.
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
    // What a user gives up is their own change, not what a colleague saved.
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

  /** The text may have become an earlier one: by *Undo*, *Revert File*, or an editor that is opened again. */
  #showing(document: vscode.TextDocument): void {
    const draft = this.#drafts.at(document.uri.toString());
    const read = draft && readDraft(document.getText());
    if (read && 'value' in read) draft.showing(read.value);
  }

  #show(uri: vscode.Uri, problems: readonly DraftProblem[]): void {
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (!document) return;
    const ranges = valueRanges(document.getText());
    const found = problems.map(({ path, message, severity }) => {
      const whole = rangeIn(document, rangeOf(ranges, path));
      // Of a large value its first line: a whole widget underlined says nothing.
      const range = whole.isSingleLine ? whole : whole.with({ end: document.lineAt(whole.start.line).range.end });
      return problemAt(range, message, severity);
    });
    this.#problems.set(uri, found);
  }

  #pathOf(workbook: Workbook, ending: string): string {
    return draftPath(workbook, titleOf(this.#services, workbook.target), ending);
  }
}

/** Replaces the text of a document; answers whether VS Code did it. */
async function replaceText(uri: vscode.Uri, value: unknown): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(uri);
  const whole = new vscode.Range(new vscode.Position(0, 0), document.positionAt(document.getText().length));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, whole, documentText(value));
  return vscode.workspace.applyEdit(edit);
}

/** Asks what to do where a user and someone else changed the same fields of a draft. */
async function decide(name: string, conflicts: readonly MergeConflict[]): Promise<Decision> {
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

/** What a text holds, when it is complete JSON. */
export function readDraft(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseDocument(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
