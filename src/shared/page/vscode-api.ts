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
