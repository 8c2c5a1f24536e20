import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { ChatService } from '#chat-core/service.ts';
import type { ChatStoreDeps, ChatWindowDeps } from './deps.ts';
import type { ChatHost } from '#features/chat/host.ts';
import type { HostToView } from '#features/chat/messages.ts';
import { ChartFailures } from './chart-failures.ts';
import { pageIn } from '#shell/vscode/webview.ts';
import { type LastThread, lastThread } from '#features/chat/last-threads.ts';
import { UnsentAttachments } from '#features/chat/unsent-attachments.ts';
import { TextOwner } from '#features/chat/text-owner.ts';
import { ChatSurface } from '#features/chat/surface.ts';
import { focusView } from '#shell/vscode/guarded/commands.ts';

const VIEW = 'modelbench.chat';
const PANEL = 'modelbench.chatPanel';

interface ViewDeps
  extends
    Pick<ChatStoreDeps, 'extensionUri' | 'state' | 'logger' | 'report'>,
    Pick<ChatWindowDeps, 'account' | 'settings' | 'onDidChangeSettings'> {}

/** All views of the chat: the one in the side bar and any number of editors, on the same threads. */
export class ChatViews implements Disposable, vscode.WebviewViewProvider, vscode.WebviewPanelSerializer {
  readonly #deps: ViewDeps;
  readonly #service: ChatService;
  readonly #host: ChatHost;
  readonly #store = new DisposableStore();
  readonly #surfaces = new Set<ChatSurface>();
  readonly #owner: TextOwner;
  /** Updates the title of an editor to that of its thread. */
  readonly #entitle = new Map<ChatSurface, () => void>();
  #last: ChatSurface | undefined;
  #view: vscode.WebviewView | undefined;
  /** Work for the next surface, because none existed yet. */
  #waiting: ((surface: ChatSurface) => void)[] = [];

  constructor(deps: ViewDeps, service: ChatService, host: ChatHost) {
    this.#deps = deps;
    this.#service = service;
    this.#host = host;
    this.#owner = this.#store.add(new TextOwner(deps.account, deps.state));
    this.#store.add(deps.onDidChangeSettings(() => this.#surfaces.forEach((surface) => surface.refreshHeader())));
  }

  /** Registers the view and the restoring of editors. */
  register(store: DisposableStore): void {
    store.add(vscode.window.registerWebviewViewProvider(VIEW, this));
    store.add(vscode.window.registerWebviewPanelSerializer(PANEL, this));
    store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#catchUp().catch((error: unknown) => this.#deps.report('chat', error));
      }),
    );
  }

  /** The chat that was used last, if any. */
  get last(): ChatSurface | undefined {
    return this.#last;
  }

  /** Whether the user can see this thread at the moment. */
  shows(threadKey: string): boolean {
    return [...this.#surfaces].some((surface) => surface.isListening && surface.threadKey === threadKey);
  }

  /** Marks the view in the side bar for an unread answer. */
  mark(tooltip: string): void {
    if (this.#view && !this.#view.visible)
      this.#view.badge = { value: (this.#view.badge?.value ?? 0) + 1, tooltip: textOf(tooltip) };
  }

  /** Shows the chat in the side bar, unless a chat is already visible, and runs `work` on it. */
  async reveal(work: (surface: ChatSurface) => void): Promise<void> {
    if (this.#last?.isListening) {
      work(this.#last);
      return;
    }
    this.#waiting.push(work);
    await focusView(VIEW);
    if (this.#last) this.#serve(this.#last);
  }

  /** Has the pages forget the unsent texts of accounts that were erased; a page that is not shown forgets them when it is. */
  forgetErased(): void {
    this.#owner.refresh();
  }

  /** Opens the thread of the last used chat in an editor. */
  openInEditor(): void {
    const panel = vscode.window.createWebviewPanel(PANEL, 'Chat', vscode.ViewColumn.Active);
    this.#showIn(panel, this.#last?.threadKey);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const window = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
    const surface = this.#attach(view.webview, lastThread(this.#deps.state, window?.toString() ?? ''));
    this.#view = view;
    view.onDidChangeVisibility(() => {
      if (view.visible) view.badge = undefined;
      else surface.hide();
    });
    view.onDidDispose(() => {
      this.#view = undefined;
      this.#detach(surface);
    });
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    // The page stores the key of its thread in its own state and reports it when it is ready.
    this.#showIn(panel, undefined);
    return Promise.resolve();
  }

  dispose(): void {
    for (const surface of this.#surfaces) surface.dispose();
    this.#store.dispose();
  }

  /** Catches up with other windows, where threads may have continued, when this one gets the focus. */
  async #catchUp(): Promise<void> {
    this.#service.hurry();
    this.#owner.refresh();
    await this.#service.refresh();
    await Promise.all([...this.#surfaces].map((surface) => surface.catchUp()));
  }

  #showIn(panel: vscode.WebviewPanel, threadKey: string | undefined): void {
    const surface = this.#attach(panel.webview);
    const entitle = (): void => {
      panel.title = textOf(surface.thread.title === '' ? 'Chat' : surface.thread.title);
    };
    this.#entitle.set(surface, entitle);
    if (threadKey !== undefined) void surface.openThread(threadKey).then(entitle);
    panel.onDidChangeViewState(() => {
      if (!panel.visible) surface.hide();
      else if (panel.active) this.#last = surface;
    });
    panel.onDidDispose(() => {
      this.#detach(surface);
    });
  }

  #attach(webview: vscode.Webview, remembered?: LastThread): ChatSurface {
    const page = pageIn<HostToView>(webview, this.#deps.extensionUri, 'chat');
    const surface = new ChatSurface({
      service: this.#service,
      host: this.#host,
      chartFailures: new ChartFailures(this.#deps.state),
      clock: systemClock,
      logger: this.#deps.logger,
      post: page.post,
      settings: () => this.#deps.settings(),
      memory: {
        lastThread: remembered,
        attachments: new UnsentAttachments(this.#deps.state),
        owner: this.#owner.owner,
      },
    });
    this.#surfaces.add(surface);
    page.show(
      async (message) => {
        this.#last = surface;
        await surface.receive(message);
        this.#entitle.get(surface)?.();
        this.#serve(surface);
      },
      (error) => this.#deps.report('chat', error),
    );
    this.#last = surface;
    return surface;
  }

  #detach(surface: ChatSurface): void {
    this.#surfaces.delete(surface);
    this.#entitle.delete(surface);
    if (this.#last === surface) this.#last = [...this.#surfaces].at(-1);
    surface.dispose();
  }

  #serve(surface: ChatSurface): void {
    if (!surface.isListening) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const work of waiting) work(surface);
  }
}
