import { batch, signal } from '@preact/signals';
import { type DashboardState, type DashboardToHost, type Layout, parseHostToDashboard } from '#protocol/dashboard.ts';

/** What a webview gets from VS Code. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** What a preview knows: the state of the document, the breakpoint in sight, the widget at the cursor. */
export class DashboardModel {
  readonly post: (message: DashboardToHost) => void;
  readonly state = signal<DashboardState | undefined>(undefined);
  readonly breakpoint = signal<Layout['name']>('lg');
  readonly selected = signal<number | undefined>(undefined);
  readonly #api: VsCodeApi;

  constructor(api: VsCodeApi, window: Window) {
    this.#api = api;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own postMessage takes no origin
    this.post = (message) => api.postMessage(message);
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => batch(() => this.#receive(data)));
    const kept = api.getState();
    if (typeof kept === 'string' && isBreakpoint(kept)) this.breakpoint.value = kept;
    this.post({ type: 'ready' });
  }

  /** Shows another breakpoint; a preview that comes back shows it again. */
  choose(name: Layout['name']): void {
    this.breakpoint.value = name;
    this.#api.setState(name);
  }

  /** A person chose a widget: its JSON is shown. */
  reveal(index: number): void {
    this.selected.value = index;
    this.post({ type: 'reveal', index });
  }

  #receive(data: unknown): void {
    const message = parseHostToDashboard(data);
    if (message?.type === 'state') this.state.value = message;
    else if (message) this.selected.value = message.index;
  }
}

const isBreakpoint = (name: string): name is Layout['name'] => ['lg', 'md', 'sm', 'xs', 'xxs'].includes(name);
