import * as vscode from 'vscode';

/** Stands in for the page of the next webview: a test cannot look into one. */
export function replacePages<Heard extends { readonly type: string }>() {
  const { createWebviewPanel } = vscode.window;
  const all: Heard[] = [];
  const changed = new vscode.EventEmitter<void>();
  let tell = async (_message: unknown): Promise<void> => undefined;
  let close = (): void => undefined;
  let isClosed = false;
  let title = '';
  const restore = (): void => void Object.assign(vscode.window, { createWebviewPanel });
  Object.assign(vscode.window, {
    createWebviewPanel: (_kind: string, name: string) => {
      title = name;
      return {
        webview: {
          html: '',
          cspSource: '',
          asWebviewUri: (uri: vscode.Uri) => uri,
          postMessage: ({ message }: { readonly message: Heard }) => {
            all.push(message);
            changed.fire();
          },
          onDidReceiveMessage: (listen: typeof tell) => {
            tell = listen;
            return { dispose: () => undefined };
          },
        },
        onDidDispose: (listen: typeof close) => (close = listen),
        reveal: () => undefined,
        dispose: () => {
          isClosed = true;
          close();
        },
      };
    },
  });
  /** Resolves once there is what is looked for among what the page has heard; it is asked again with each message. */
  const once = async <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        listening.dispose();
        resolve(found);
      };
      const listening = changed.event(look);
      look();
    });
  return {
    title: () => title,
    /** Posts what the page would: by its id, the host knows that it has opened. */
    send: async (message: object) => tell({ ...message, page: 'page' }),
    /** The last message of a kind, once it is as it should be. */
    heard: async <K extends Heard['type']>(
      kind: K,
      isIt: (message: Extract<Heard, { type: K }>) => boolean = () => true,
    ) =>
      once(() => {
        const last = all.findLast((message): message is Extract<Heard, { type: K }> => message.type === kind);
        return last && isIt(last) ? last : undefined;
      }),
    close: () => close(),
    /** Whether the extension itself has closed it. */
    isClosed: () => isClosed,
    restore,
  };
}
