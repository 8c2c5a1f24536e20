import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { asError } from '#base/async.ts';
import { type Disposable, DisposableStore, toDisposable } from '#base/disposable.ts';
import { rangeIn } from '#shell/vscode/marks.ts';
import { keyOf, jsonPositionAt, rangeOf, valueRanges } from '#shell/json-text.ts';
import { type PreviewSession, previewOf } from '#features/dashboards/preview-session.ts';
import { type HostToDashboard, parseDashboardToHost, parseKeptPreview } from '#features/dashboards/messages.ts';
import { layoutPreview } from '#shell/view-ids.ts';
import type { PreviewDeps } from './deps.ts';
import { closeWith, pageIn } from '#shell/vscode/webview.ts';
import type { DashboardData } from '#features/dashboards/dashboard-data.ts';
import { type DraftDocuments, readDraft } from './draft-documents.ts';
import type { Workbook } from '#features/dashboards/workbook.ts';

/** How long to wait after the last edit before a changed query is run, in milliseconds. */
const restMs = 700;

/** The layout previews next to their documents, one per document. */
export class LayoutPreviews implements Disposable {
  readonly #services: PreviewDeps;
  readonly #drafts: DraftDocuments;
  readonly #data: DashboardData;
  readonly #open = new Map<string, { readonly accountId: string; readonly panel: vscode.WebviewPanel }>();
  readonly #owned = new DisposableStore();

  constructor(services: PreviewDeps, drafts: DraftDocuments, data: DashboardData) {
    this.#services = services;
    this.#drafts = drafts;
    this.#data = data;
  }

  /** Shows the preview of an open draft next to it. */
  async show(uri: vscode.Uri): Promise<void> {
    const known = this.#open.get(uri.toString());
    if (known) {
      known.panel.reveal(undefined, true);
      return;
    }
    const workbook = this.#drafts.workbookOf(uri);
    if (!workbook) return;
    const document = await vscode.workspace.openTextDocument(uri);
    const panel = vscode.window.createWebviewPanel(
      layoutPreview,
      text`Layout of ${workbook.name}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { retainContextWhenHidden: false },
    );
    this.#fill(panel, document, workbook);
  }

  /** Fills a preview of an earlier window, or closes it if its document cannot be opened. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { document: kept } = parseKeptPreview(state);
    const uri = kept === undefined ? undefined : vscode.Uri.parse(kept, true);
    // Opening the document creates its draft again.
    const document = uri && (await this.#documentOf(uri));
    const workbook = uri && this.#drafts.workbookOf(uri);
    if (document && workbook && !this.#open.has(uri.toString())) this.#fill(panel, document, workbook);
    else panel.dispose();
  }

  /** Closes the previews of accounts that signed out, because they show their data. */
  keepOnly(accountIds: ReadonlySet<string>): void {
    for (const { accountId, panel } of [...this.#open.values()]) if (!accountIds.has(accountId)) panel.dispose();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Opens a document of an earlier window; `undefined` if it cannot be read, which its editor reports. */
  async #documentOf(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
    try {
      return await vscode.workspace.openTextDocument(uri);
    } catch (error) {
      this.#services.logger.warn('A layout preview did not come back', { reason: asError(error).message });
      return undefined;
    }
  }

  #fill(panel: vscode.WebviewPanel, document: vscode.TextDocument, workbook: Workbook): void {
    const key = document.uri.toString();
    const { post, show } = pageIn<HostToDashboard>(panel.webview, this.#services.context.extensionUri, 'dashboard');
    this.#open.set(key, { accountId: workbook.target.accountId, panel });
    const session = previewOf(workbook, this.#data);
    const store = this.#follow(post, document, session);
    closeWith(this.#owned, panel, () => {
      this.#open.delete(key);
      store.dispose();
    });
    show(
      async (value) => {
        const message = parseDashboardToHost(value);
        if (!message) this.#services.logger.warn('A message of a layout preview was not understood');
        else if (message.type === 'ready') {
          post({ type: 'opened', document: key });
          post(session.state.value);
        } else if (message.type === 'reveal') await reveal(document.uri, message.index);
        else this.#load(session, true);
      },
      (error) => void this.#services.boundary('modelbench.dashboard.preview', error),
    );
    session.update(readDraft(document.getText()));
    this.#load(session, false);
  }

  #follow(
    post: (message: HostToDashboard) => void,
    document: vscode.TextDocument,
    session: PreviewSession,
  ): DisposableStore {
    const store = new DisposableStore();
    const same = (other: vscode.TextDocument): boolean => other.uri.toString() === document.uri.toString();
    let rest: NodeJS.Timeout | undefined;
    store.add(session);
    store.add(toDisposable(() => clearTimeout(rest)));
    store.add(session.state.onDidChange((state) => post(state)));
    store.add(
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (!same(event.document)) return;
        session.update(readDraft(event.document.getText()));
        clearTimeout(rest);
        rest = setTimeout(() => this.#load(session, false), restMs);
      }),
    );
    store.add(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        const [selection] = selections;
        if (!selection || !same(textEditor.document)) return;
        post({ type: 'select', index: widgetAt(textEditor.document, selection.active) });
      }),
    );
    return store;
  }

  #load(session: PreviewSession, ask: boolean): void {
    session.loadSamples(ask).catch((error: unknown) => {
      void this.#services.boundary('modelbench.dashboard.preview', error);
    });
  }
}

/** Returns the index of the widget at a position. */
function widgetAt(document: vscode.TextDocument, position: vscode.Position): number | undefined {
  const { path } = jsonPositionAt(document.getText(), document.offsetAt(position));
  return path[0] === 'widgets' && typeof path[1] === 'number' ? path[1] : undefined;
}

async function reveal(uri: vscode.Uri, index: number): Promise<void> {
  // The editor may have been closed meanwhile.
  const document = await vscode.workspace.openTextDocument(uri);
  const ranges = valueRanges(document.getText());
  if (!ranges.has(keyOf(['widgets', index]))) return;
  const range = rangeIn(document, rangeOf(ranges, ['widgets', index]));
  const shown = vscode.window.visibleTextEditors.find((each) => each.document === document);
  const editor = await vscode.window.showTextDocument(document, {
    preview: false,
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
  });
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
