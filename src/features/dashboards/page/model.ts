import { signal } from '@preact/signals';
import { unreachable } from '#base/result.ts';
import {
  type DashboardState,
  type DashboardToHost,
  type KeptPreview,
  type Layout,
  parseHostToDashboard,
  parseKeptPreview,
} from '#features/dashboards/messages.ts';
import { receiving } from '#shared/page/host-messages.ts';
import { posting, type VsCodeApi } from '#shared/page/vscode-api.ts';

/** The state of a preview: the document, the visible breakpoint and the widget at the cursor. */
export class DashboardModel {
  readonly post: (message: DashboardToHost) => void;
  readonly state = signal<DashboardState | undefined>(undefined);
  readonly breakpoint = signal<Layout['name']>('lg');
  readonly selected = signal<number | undefined>(undefined);
  readonly #api: VsCodeApi;
  #kept: KeptPreview;

  constructor(api: VsCodeApi, window: Window) {
    this.#api = api;
    this.post = posting(api);
    this.#kept = parseKeptPreview(api.getState());
    if (this.#kept.breakpoint) this.breakpoint.value = this.#kept.breakpoint;
    receiving({ api, window, opening: () => ({ type: 'ready' }), take: (data) => this.#receive(data) });
  }

  /** Shows another breakpoint; a restored preview shows it again. */
  choose(name: Layout['name']): void {
    this.breakpoint.value = name;
    this.#keep({ breakpoint: name });
  }

  /** Selects a widget and shows its JSON. */
  reveal(index: number): void {
    this.selected.value = index;
    this.post({ type: 'reveal', index });
  }

  #receive(data: unknown): void {
    const message = parseHostToDashboard(data);
    switch (message?.type) {
      case undefined:
        return;
      case 'state':
        this.state.value = message;
        return;
      case 'select':
        this.selected.value = message.index;
        return;
      case 'opened':
        this.#keep({ document: message.document });
        return;
      default:
        unreachable(message);
    }
  }

  #keep(more: KeptPreview): void {
    this.#kept = { ...this.#kept, ...more };
    this.#api.setState(this.#kept);
  }
}
