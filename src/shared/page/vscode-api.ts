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

/** How long a page waits before it asks its host again, in milliseconds. */
export const firstPause = 2_000;
const longestPause = 16_000;

/** Returns how long to wait after a pause in which nothing arrived, in milliseconds. */
export function longerPause(pause: number): number {
  return Math.min(2 * pause, longestPause);
}
