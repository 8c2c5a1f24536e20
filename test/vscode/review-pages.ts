import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { HostToReview, ReviewState, ReviewToHost } from '#features/review/messages.ts';
import type { Answer } from './answers.ts';

/** What the user will do next, and what they are shown. */
interface Reader {
  readonly next: () => Answer | undefined;
  readonly take: () => void;
  readonly say: (text: string) => void;
}

/**
 * Stands in for the review pages that are opened meanwhile: each is answered once nothing of it is loading any more, and closed where
 * the next answer is none for a page. Answers what puts VS Code's own pages back.
 */
export function reviewPages(reader: Reader): () => void {
  const { createWebviewPanel } = vscode.window;
  const replaced = (kind: string, ...rest: readonly unknown[]): unknown =>
    kind === 'modelbench.review' && isForPage(reader.next())
      ? reviewPage(reader)
      : (createWebviewPanel as (...all: readonly unknown[]) => unknown)(kind, ...rest);
  Object.assign(vscode.window, { createWebviewPanel: replaced });
  return () => void Object.assign(vscode.window, { createWebviewPanel });
}

/** A page that is not approved counts as closed. */
function isForPage(answer: Answer | undefined): boolean {
  return answer !== undefined && ('approve' in answer || 'escape' in answer);
}

function reviewPage({ next, take, say }: Reader): unknown {
  let listen = (_message: ReviewToHost & { readonly page?: string }): void => undefined;
  let whenClosed = (): void => undefined;
  let version = 0;
  let isSaid = false;
  let isWaiting = false;
  let isWorking = false;
  let isClosed = false;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    whenClosed();
  };
  const act = (state: ReviewState): void => {
    if (!isSaid) say(textOf(state));
    isSaid = true;
    const answer = next();
    if (!isForPage(answer)) {
      close();
      return;
    }
    take();
    if (!answer || !('approve' in answer)) {
      close();
      return;
    }
    assert.equal(state.action.label, answer.approve);
    isWaiting = true;
    const { message = state.message?.value ?? '', typed = '', options = [] } = answer.fills;
    listen({ type: 'apply', version, input: { message, typed, options: [...options] } });
  };
  let shown: ReviewState | undefined;
  const hear = (message: HostToReview): void => {
    if (message.type === 'rows') version = message.version;
    if (message.type === 'notice') {
      say(message.text);
      isWaiting = false;
      if (shown) act(shown);
    }
    if (message.type !== 'state' || isClosed) return;
    // A page that stays open after its button was pressed was refused: the next answer is for it as well.
    if (isWaiting && message.busy !== '') isWorking = true;
    else if (isWaiting && isWorking) isWaiting = false;
    if (isWaiting) return;
    isWorking = false;
    shown = message;
    if (message.busy === '' && message.sections.every(({ state }) => state !== 'loading')) act(message);
  };
  return {
    title: '',
    webview: {
      html: '',
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      postMessage: async ({ message }: { readonly message: HostToReview }) => {
        // The host is in the middle of something: a page hears later.
        await Promise.resolve();
        hear(message);
        return true;
      },
      onDidReceiveMessage: (heard: typeof listen) => {
        listen = heard;
        queueMicrotask(() => heard({ type: 'ready', page: 'page' }));
        return { dispose: () => undefined };
      },
    },
    onDidDispose: (heard: typeof whenClosed) => {
      whenClosed = heard;
      return { dispose: () => undefined };
    },
    reveal: () => undefined,
    dispose: close,
  };
}

/** What the page says, as one text. */
function textOf({ title, warnings, sections, action }: ReviewState): string {
  const summaries = sections.map(({ title: name, summary }) => `${name}: ${summary}`);
  return [title, ...warnings.map(({ text }) => text), ...summaries, action.whyNot].filter(Boolean).join('\n');
}
