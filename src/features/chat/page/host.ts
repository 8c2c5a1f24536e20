import { type HostToView, type ViewToHost, parseHostToView } from '#features/chat/messages.ts';
import { posting, type VsCodeApi } from '#shared/page/vscode-api.ts';

/** The typed channel between this view and the extension host. */
export interface Host {
  readonly post: (message: ViewToHost) => void;
  readonly saved: () => unknown;
  readonly save: (state: unknown) => void;
  /** Calls back with each valid message; others are reported and dropped. */
  readonly listen: (onMessage: (message: HostToView) => void) => void;
}

/** Connects a page with the host; messages are validated before the page sees them. */
export function connectHost(api: VsCodeApi, window: Window): Host {
  const post: Host['post'] = posting(api);
  return {
    post,
    saved: () => api.getState(),
    save: (state) => api.setState(state),
    listen: (onMessage) => {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        const message = parseHostToView(event.data);
        if (message) onMessage(message);
        else post({ type: 'log', message: 'A message of the host was not understood.' });
      });
    },
  };
}
