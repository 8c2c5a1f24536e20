import { DisposableStore } from '#base/disposable.ts';
import { textOf } from '#base/user-text.ts';
import { parseReviewToHost, type ReviewToHost } from '#features/review/messages.ts';
import { ReviewSession } from '#features/review/review-session.ts';
import type { Reviews, ReviewSource } from '#features/review/source.ts';
import { reviewView } from '#shell/view-ids.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { pageFolder, showPage } from '#shell/vscode/webview.ts';
import type { ReviewDeps } from './deps.ts';

interface OpenReview {
  readonly panel: vscode.WebviewPanel;
  session: ReviewSession;
}

/** The open reviews of this window, a tab each. */
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
    const { extensionUri } = this.#deps.context;
    const panel = vscode.window.createWebviewPanel(reviewView, title, vscode.ViewColumn.Active, {
      // Ticks are the source's, but the cursor, the filter and what was typed are lost with the page.
      retainContextWhenHidden: true,
      enableScripts: true,
      localResourceRoots: [pageFolder(extensionUri)],
    });
    const review: OpenReview = { panel, session: this.#session(panel, source) };
    this.#open.set(key, review);
    const store = new DisposableStore();
    store.add(
      panel.webview.onDidReceiveMessage(async (raw: unknown) => {
        const message = parseReviewToHost(raw);
        if (message) await this.#receive(review.session, message);
      }),
    );
    panel.onDidDispose(() => {
      this.#open.delete(key);
      store.dispose();
      review.session.dispose();
    });
    showPage(panel.webview, extensionUri, 'review');
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
    review.session = this.#session(review.panel, source);
    void this.#receive(review.session, { type: 'ready' });
  }

  async #receive(session: ReviewSession, message: ReviewToHost): Promise<void> {
    try {
      await session.receive(message);
    } catch (error) {
      void this.#deps.boundary('Review', error);
    }
  }

  #session(panel: vscode.WebviewPanel, source: ReviewSource): ReviewSession {
    return new ReviewSession(source, {
      post: (message) => {
        if (message.type === 'state') panel.title = textOf(message.title);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own postMessage takes no origin
        void panel.webview.postMessage(message);
      },
      end: () => panel.dispose(),
    });
  }
}
