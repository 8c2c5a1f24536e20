import { computed, signal } from '@preact/signals';
import { type GraphState, type GraphToHost, parseHostToGraph } from '#features/lineage/messages.ts';
import { posting, receiving, type VsCodeApi } from '#shared/page/vscode-api.ts';

const [least, most] = [0.1, 3];

/** The state of the picture of joins: what the host sent, and what the user zoomed to and searches for. */
export class GraphModel {
  readonly post: (message: GraphToHost) => void;
  readonly state = signal<GraphState | undefined>(undefined);
  readonly zoom = signal(1);
  readonly search = signal('');
  /** The cubes whose name holds what is searched for, in the order of the picture. */
  readonly found = computed(() => {
    const wanted = this.search.value.trim().toLowerCase();
    const nodes = this.state.value?.nodes ?? [];
    return wanted === '' ? [] : nodes.map(({ name }) => name).filter((name) => name.toLowerCase().includes(wanted));
  });

  constructor(api: VsCodeApi, window: Window) {
    this.post = posting(api);
    receiving(window, (data) => (this.state.value = parseHostToGraph(data) ?? this.state.value));
    this.post({ type: 'ready' });
  }

  zoomBy(factor: number): void {
    this.zoom.value = Math.min(most, Math.max(least, this.zoom.value * factor));
  }

  /** Makes the whole picture as large as its place allows, but not larger than it is. */
  fit(width: number, height: number): void {
    const state = this.state.value;
    if (state && state.width > 0 && state.height > 0) {
      this.zoom.value = Math.max(least, Math.min(1, width / state.width, height / state.height));
    }
  }
}
