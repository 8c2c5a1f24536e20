import { batch } from '@preact/signals';

/** What a web page gets from VS Code. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  /** VS Code gives it to every page, once. */
  function acquireVsCodeApi(): VsCodeApi;
}

/** What sends a page's messages to the host; a page gives it the type of its own messages. */
export function posting(api: Pick<VsCodeApi, 'postMessage'>): (message: unknown) => void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own postMessage takes no origin
  return (message) => api.postMessage(message);
}

/** Hands each message of the host to a page, which draws once for all that the message changes. */
export function receiving(window: Window, take: (message: unknown) => void): void {
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => batch(() => take(data)));
}
