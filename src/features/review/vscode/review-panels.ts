import { textOf } from '#base/user-text.ts';
import { type HostToReview, parseReviewToHost } from '#features/review/messages.ts';
import { ReviewSession, type ReviewSessionDeps } from '#features/review/review-session.ts';
import type { Reviews, ReviewSource } from '#features/review/source.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import { reviewView } from '#shell/view-ids.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type PageChannel, pageIn } from '#shell/vscode/webview.ts';
import type { ReviewDeps } from './deps.ts';

interface OpenReview {
  readonly panel: vscode.WebviewPanel;
  readonly page: PageChannel<HostToReview>;
  session: ReviewSession;
}

/** The open reviews of this window, one tab each. */
export class ReviewPanels implements Reviews {
  readonly #deps: ReviewDeps;
  readonly #open = new Map<string, OpenReview>();

  constructor(deps: ReviewDeps) {
    this.#deps = deps;
  }

  async open(source: ReviewSource): Promise<void> {
    await Promise.resolve();
    const { key } = source;
    const present = this.#open.get(key);
    if (present) {
      if (present.session.source !== source) this.#replace(present, source);
      present.panel.reveal();
      return;
    }
    const document = source.document.value;
    if (!document) {
      source.close();
      return;
    }
    const title = textOf(document.title);
    const panel = vscode.window.createWebviewPanel(reviewView, title, vscode.ViewColumn.Active, {
      // The source stores the ticks, but the cursor, the filter and the typed text would be lost with the page.
      retainContextWhenHidden: true,
    });
    const page = pageIn<HostToReview>(panel.webview, this.#deps.context.extensionUri, 'review');
    const review: OpenReview = { panel, page, session: this.#session({ panel, page }, source) };
    this.#open.set(key, review);
    panel.onDidDispose(() => {
      this.#open.delete(key);
      review.session.dispose();
    });
    page.show(async (raw) => {
      const message = parseReviewToHost(raw);
      if (message) await review.session.receive(message);
    }, this.#failed);
  }

  async reveal(key: string): Promise<boolean> {
    await Promise.resolve();
    const present = this.#open.get(key);
    present?.panel.reveal();
    return present !== undefined;
  }

  dispose(): void {
    for (const { panel } of this.#open.values()) panel.dispose();
  }

  #replace(review: OpenReview, source: ReviewSource): void {
    review.session.dispose();
    review.session = this.#session(review, source, review.session);
    review.session.receive({ type: 'ready' }).catch(this.#failed);
  }

  readonly #failed = (error: unknown): void => void this.#deps.boundary('Review', error);

  #session(
    { panel, page }: Pick<OpenReview, 'panel' | 'page'>,
    source: ReviewSource,
    before?: ReviewSession,
  ): ReviewSession {
    const deps: ReviewSessionDeps = {
      accounts: this.#deps.accounts.all,
      post: (message) => {
        if (message.type === 'state') panel.title = textOf(message.title);
        page.post(message);
      },
      ask: async (question) => execute('modelbench.chat.ask', question),
      end: () => panel.dispose(),
    };
    return new ReviewSession(source, deps, before);
  }
}
