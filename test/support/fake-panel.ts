/** Returns VS Code's function that creates panels; the title of each is added to `closed` once, when it closes. */
export function panelsNotedIn(closed: string[]) {
  return (_: string, title: string) => {
    let close = (): void => undefined;
    return {
      webview: {
        options: {},
        html: '',
        cspSource: '',
        asWebviewUri: String,
        postMessage: () => Promise.resolve(true),
        onDidReceiveMessage: () => undefined,
      },
      reveal: () => undefined,
      onDidDispose: (listener: typeof close) => (close = listener),
      dispose: () => {
        if (closed.includes(title)) return;
        closed.push(title);
        close();
      },
    };
  };
}
