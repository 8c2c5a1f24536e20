import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, text } from '#base/user-text.ts';
import { getWorkbookDashboard, updateWorkbookDashboard } from '#api/dashboards.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { isEqual } from '#base/equal.ts';
import { alignedTo } from '#features/dashboards/aligned.ts';
import { conflictWords } from '#features/dashboards/conflict-words.ts';
import { DraftBase } from '#features/dashboards/draft-base.ts';
import { type DraftProblem, draftProblems, problemSummary } from '#features/dashboards/draft-problems.ts';
import { rangeOf, valueRanges } from '#shell/json-text.ts';
import { type DraftPlace, type SaveOutcome, saveDraft } from '#features/dashboards/save-draft.ts';
import { UserError } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { titleOf } from '#features/platform/vscode/document-title.ts';
import type { DraftDeps } from './deps.ts';
import { parseDocument, type PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import type { Recipe } from '#shell/vscode/recipe.ts';
import type { Workbook } from './workbook.ts';

/** What a draft starts with where the workbook has no dashboard yet. */
const emptyDashboard = { title: '', layout: { cols: { lg: 12 }, rowHeight: 30 }, widgets: [] };

/** An open draft: whose it is, and what its text was made from. */
interface Draft {
  readonly workbook: Workbook;
  readonly base: DraftBase;
}

type Conflicts = Extract<SaveOutcome, { kind: 'conflicts' }>;

/** What the document says, what it is going to say, and what the platform has. */
type Sides = Pick<Conflicts, 'merged' | 'theirs'> & { readonly mine: unknown };

/** The drafts of dashboards as JSON documents, with what is wrong in them as problems. */
export class DraftDocuments implements Disposable {
  readonly #services: DraftDeps;
  readonly #drafts = new Map<string, Draft>();
  readonly #owned = new DisposableStore();
  readonly #problems = vscode.languages.createDiagnosticCollection('modelbench-dashboard');

  constructor(services: DraftDeps) {
    this.#services = services;
    this.#owned.add(this.#problems);
    // What the last save found is no longer true of an edited text; the schema goes on checking it.
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
    return this.#drafts.get(uri.toString())?.workbook.target;
  }

  workbookOf(uri: vscode.Uri): Workbook | undefined {
    return this.#drafts.get(uri.toString())?.workbook;
  }

  /** Where the draft of a workbook is, or will be: its path holds names, which may be known only later. */
  uriOf(workbook: Workbook): vscode.Uri {
    const known = [...this.#drafts].find(([, draft]) => isSame(draft.workbook, workbook));
    if (known) return vscode.Uri.parse(known[0], true);
    return this.#services.objects.uriOf(this.#pathOf(workbook, 'dashboard.json'));
  }

  /** Whether an open editor was made from another draft than the platform has. */
  isOlderThan(workbook: Workbook, draft: unknown): boolean {
    const key = this.uriOf(workbook).toString();
    const open = vscode.workspace.textDocuments.some(({ uri, isClosed }) => !isClosed && uri.toString() === key);
    const base = this.#drafts.get(key)?.base;
    return open && base !== undefined && !isEqual(base.value, draft);
  }

  /** Shows what viewers see beside the draft that the platform has. */
  async comparePublished(workbook: Workbook, draft: unknown): Promise<void> {
    const { objects } = this.#services;
    const published = this.publishedOf(workbook, this.#pathOf(workbook, 'published.json'));
    const left = await objects.hold({ ...published, read: async () => alignedTo(draft, await published.read()) });
    const right = await objects.hold(this.platformDraftOf(workbook, this.#pathOf(workbook, 'platform.json')));
    await openDiff(left, right, text`${workbook.name}: published ↔ draft`);
  }

  /** Opens the draft for editing; saving replaces the platform's (docs/platform-api.md#updateworkbookdashboard). */
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

  /** A new document of a draft; one of that path that is open is no draft any more. */
  documentOf(workbook: Workbook, path: string): PlatformDocument {
    const place = this.#placeOf(workbook);
    const uri = this.#services.objects.uriOf(path);
    const draft: Draft = { workbook, base: new DraftBase() };
    this.#drafts.set(uri.toString(), draft);
    return {
      path,
      recipe: { kind: 'draft', workbook } satisfies Recipe,
      read: async () => {
        const read = await place.read();
        const shown = read ?? emptyDashboard;
        draft.base.opened(read, shown);
        return shown;
      },
      save: (edited) => this.#save(uri, draft, place, edited),
      restoreBase: (base) => draft.base.restored(base),
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
      read: async () => {
        const { dashboardPublished } = await this.#call(workbook);
        if (!dashboardPublished) throw new UserError(`“${workbook.name}” has not been published yet.`);
        return dashboardPublished;
      },
      isReadonly: true,
      save: () => Promise.reject(new UserError('To change the published dashboard, publish its draft.')),
    };
  }

  /** What the platform has of a draft, beside the user's own in a comparison. */
  platformDraftOf(workbook: Workbook, path: string): PlatformDocument {
    return {
      path,
      read: async () => this.#placeOf(workbook).read(),
      isReadonly: true,
      save: () => Promise.reject(new UserError('This side shows the platform’s version and cannot be edited.')),
    };
  }

  dispose(): void {
    this.#owned.dispose();
    this.#drafts.clear();
  }

  /** `sent` differs from the document's text (`mine`) where conflicts were settled without showing them. */
  async #save(
    uri: vscode.Uri,
    draft: Draft,
    place: DraftPlace,
    mine: unknown,
    sent: { readonly base: unknown; readonly mine: unknown } = { base: draft.base.value, mine },
  ): Promise<unknown> {
    const outcome = await saveDraft(place, sent);
    switch (outcome.kind) {
      case 'invalid':
        this.#show(uri, outcome.problems);
        throw new UserError(`Nothing was saved: ${problemSummary(outcome.problems)}.`);
      case 'conflicts':
        return this.#decide(uri, draft, place, { ...outcome, mine });
      default: {
        const now = outcome.draft ?? mine;
        draft.base.saved(mine, now);
        const { name } = draft.workbook;
        const words = outcome.merged ? `merged with the newer one and saved` : 'saved';
        vscode.window.setStatusBarMessage(text`$(check) Draft of “${name}” ${words}; it is not published yet`, 5000);
        const warnings = draftProblems(now, now).filter(({ severity }) => severity === 'warning');
        this.#show(uri, warnings);
        // The text stays as it was written where it says the same.
        return isEqual(now, mine) ? undefined : now;
      }
    }
  }

  async #decide(
    uri: vscode.Uri,
    draft: Draft,
    place: DraftPlace,
    { conflicts, mine, merged, theirs }: Conflicts & Sides,
  ): Promise<unknown> {
    const compare = 'Compare';
    const answer = await vscode.window.showWarningMessage(
      text`Someone saved the draft of “${draft.workbook.name}” meanwhile, and you both changed the same fields.`,
      { modal: true, detail: passage(conflictWords(conflicts)) },
      compare,
      'Save with My Values',
    );
    if (answer === undefined) {
      throw new UserError('Nothing was saved: the platform has a newer draft. Your change is still in the document.');
    }
    if (answer === compare) {
      // The failed save must be over before its document can be changed.
      setImmediate(() => {
        this.#compare(uri, draft, { mine, merged, theirs }).catch((error: unknown) => {
          void this.#services.boundary('modelbench.dashboard.open', error);
        });
      });
      throw new UserError('Nothing was saved yet: choose in the comparison, then save again.');
    }
    // Someone may have been quicker a second time.
    return this.#save(uri, draft, place, mine, { base: theirs, mine: merged });
  }

  async #compare(uri: vscode.Uri, draft: Draft, sides: Sides): Promise<void> {
    const { merged, theirs } = sides;
    const document = await vscode.workspace.openTextDocument(uri);
    const whole = new vscode.Range(new vscode.Position(0, 0), document.positionAt(document.getText().length));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, whole, `${JSON.stringify(merged, undefined, 2)}\n`);
    draft.base.offered(sides);
    if (!(await vscode.workspace.applyEdit(edit))) return;
    draft.base.showing(merged);
    // What a user gives up is their own change, not what a colleague saved.
    this.#services.objects.revertTo(uri, theirs);
    await this.#services.objects.compare(
      {
        path: this.#pathOf(draft.workbook, 'platform.json'),
        value: alignedTo(merged, theirs),
        recipe: { kind: 'platformDraft', workbook: draft.workbook } satisfies Recipe,
      },
      uri,
      `${draft.workbook.name}: platform ↔ mine`,
    );
  }

  /** The text may have become an earlier one: by *Undo*, *Revert File*, or an editor that is opened again. */
  #showing(document: vscode.TextDocument): void {
    const draft = this.#drafts.get(document.uri.toString());
    const text = draft && readDraft(document.getText());
    if (text && 'value' in text) draft.base.showing(text.value);
  }

  #show(uri: vscode.Uri, problems: readonly DraftProblem[]): void {
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (!document) return;
    const ranges = valueRanges(document.getText());
    const found = problems.map(({ path, message, severity }) => {
      const { start, end } = rangeOf(ranges, path);
      const from = document.positionAt(start);
      // Of a large value its first line: a whole widget underlined says nothing.
      const to = document.positionAt(end);
      const range = new vscode.Range(from, to.line === from.line ? to : document.lineAt(from.line).range.end);
      const kind = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
      const problem = new vscode.Diagnostic(range, passage(message), kind);
      problem.source = 'Modelbench';
      return problem;
    });
    this.#problems.set(uri, found);
  }

  #placeOf(workbook: Workbook): DraftPlace {
    return {
      read: async () => (await this.#call(workbook)).dashboardDraft ?? undefined,
      write: async (draft) => {
        const { target, id } = workbook;
        const saved = await this.#services.data.client(target.accountId).call(updateWorkbookDashboard, {
          params: { deploymentId: target.deploymentId, workbookId: id },
          body: { dashboardDraft: draft as never },
        });
        return saved.dashboardDraft ?? draft;
      },
    };
  }

  async #call({ target, id }: Workbook) {
    return this.#services.data
      .client(target.accountId)
      .call(getWorkbookDashboard, { params: { deploymentId: target.deploymentId, workbookId: id } });
  }

  /** A copy of a workbook has the same name. */
  #pathOf({ target, id, name }: Workbook, ending: string): string {
    const place = `/${titleOf(this.#services, target)} ${target.deploymentId}/workbook ${id}`;
    return `${place}/${name.replaceAll('/', '-')}.${ending}`;
  }
}

function isSame({ target: a, id }: Workbook, { target: b, id: other }: Workbook): boolean {
  return id === other && a.accountId === b.accountId && a.deploymentId === b.deploymentId;
}

/** What a text holds, when it is complete JSON. */
export function readDraft(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseDocument(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
