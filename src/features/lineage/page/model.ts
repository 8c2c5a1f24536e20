import { computed, signal } from '@preact/signals';
import { type GraphState, type GraphToHost, parseHostToGraph } from '#features/lineage/messages.ts';
import { receiving } from '#shared/page/host-messages.ts';
import { posting, type VsCodeApi } from '#shared/page/vscode-api.ts';

const [least, most] = [0.1, 3];

/** The state of the picture of joins: the host's data, and the user's zoom and search text. */
export class GraphModel {
  readonly post: (message: GraphToHost) => void;
  readonly state = signal<GraphState | undefined>(undefined);
  readonly zoom = signal(1);
  readonly search = signal('');
  /** The cubes whose name contains the search text, in the order of the picture. */
  readonly found = computed(() => {
    const wanted = this.search.value.trim().toLowerCase();
    const nodes = this.state.value?.nodes ?? [];
    return wanted === '' ? [] : nodes.map(({ name }) => name).filter((name) => name.toLowerCase().includes(wanted));
  });

  constructor(api: VsCodeApi, window: Window) {
    this.post = posting(api);
    receiving({
      api,
      window,
      opening: () => ({ type: 'ready' }),
      take: (data) => (this.state.value = parseHostToGraph(data) ?? this.state.value),
    });
  }

  /** Whether the picture is as large as its container, so that it follows its size. */
  isFitted = true;

  zoomBy(factor: number): void {
    this.isFitted = false;
    this.zoom.value = Math.min(most, Math.max(least, this.zoom.value * factor));
  }

  /** Zooms so that the whole picture fits, but not beyond its own size. */
  fit(width: number, height: number): void {
    this.isFitted = true;
    const state = this.state.value;
    if (state && state.width > 0 && state.height > 0) {
      this.zoom.value = Math.max(least, Math.min(1, width / state.width, height / state.height));
    }
  }
}
