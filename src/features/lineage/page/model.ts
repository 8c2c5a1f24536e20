import { computed, signal } from '@preact/signals';
import { type GraphState, type GraphToHost, parseHostToGraph } from '#features/lineage/messages.ts';
import { receiving } from '#shared/page/host-messages.ts';
import { posting, type VsCodeApi } from '#shared/page/vscode-api.ts';

const [least, most] = [0.1, 3];

/** The zoom at which the smallest text of the picture, which is drawn in 11 px, is 10 px high. */
const LEGIBLE = 10 / 11;

/**
 * What the picture follows when its container changes: `legible` and `whole` fit it, the first only as far as its texts can be
 * read; `none` keeps the zoom that the user chose.
 */
export type Fit = 'legible' | 'whole' | 'none';

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

  fitted: Fit = 'legible';

  /** The cube to show where not all of them fit: the chosen one, else the one with most joins; empty if there is none. */
  get centre(): string {
    const { around = '', nodes = [], edges = [] } = this.state.value ?? {};
    const joins = (name: string): number => edges.filter(({ from, to }) => from === name || to === name).length;
    return around || (nodes.map(({ name }) => name).sort((one, other) => joins(other) - joins(one))[0] ?? '');
  }

  zoomBy(factor: number): void {
    this.fitted = 'none';
    this.zoom.value = Math.min(most, Math.max(least, this.zoom.value * factor));
  }

  /** Zooms so that the picture fits in a container of this size, but not beyond its own size. */
  fit(fit: Exclude<Fit, 'none'>, width: number, height: number): void {
    this.fitted = fit;
    const state = this.state.value;
    if (state && state.width > 0 && state.height > 0) {
      const floor = fit === 'legible' ? LEGIBLE : least;
      this.zoom.value = Math.max(floor, Math.min(1, width / state.width, height / state.height));
    }
  }
}
