import { type HostToView, type ViewToHost, parseHostToView } from '#features/chat/messages.ts';
import { firstPause, longerPause, posting, type VsCodeApi } from '#shared/page/vscode-api.ts';

/** The typed channel between this view and the extension host. */
export interface Host {
  readonly post: (message: ViewToHost) => void;
  readonly saved: () => unknown;
  readonly save: (state: unknown) => void;
  /** Calls back with each valid message; others are reported and dropped. */
  readonly listen: (onMessage: (message: HostToView) => void) => void;
}

/**
 * Connects a page with the host; messages are validated before the page sees them. The page opens again until the host replies
 * with its thread, because VS Code may lose messages while it loads the page. What is lost later shows in the numbers of patches.
 */
export function connectHost(api: VsCodeApi, window: Pick<Window, 'addEventListener' | 'setTimeout'>): Host {
  const send: Host['post'] = posting(api);
  let isOpen = false;
  const openAfter = (opening: ViewToHost, pause: number): void => {
    window.setTimeout(() => {
      if (isOpen) return;
      send(opening);
      openAfter(opening, longerPause(pause));
    }, pause);
  };
  const post: Host['post'] = (message) => {
    send(message);
    if (message.type === 'ready') openAfter(message, firstPause);
  };
  return {
    post,
    saved: () => api.getState(),
    save: (state) => api.setState(state),
    listen: (onMessage) => {
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        const message = parseHostToView(event.data);
        isOpen ||= message?.type === 'snapshot';
        if (message) onMessage(message);
        else post({ type: 'log', message: 'A message of the host was not understood.' });
      });
    },
  };
}
