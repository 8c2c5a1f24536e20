import { batch } from '@preact/signals';

/** VS Code's API for a web page. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  /** VS Code provides this function to every page; it may be called once. */
  function acquireVsCodeApi(): VsCodeApi;
}

/** Returns a function that posts a page's messages to the host; each page narrows it to its own message type. */
export function posting(api: Pick<VsCodeApi, 'postMessage'>): (message: unknown) => void {
  return (message) => api.postMessage(message);
}

/** Passes each message of the host to a page, which draws once for all changes of the message. */
export function receiving(window: Window, take: (message: unknown) => void): void {
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => batch(() => take(data)));
}
