import { batch, signal } from '@preact/signals';
import { type ResultState, type ResultsToHost, parseHostToResults } from '#features/data/messages.ts';
import { posting, type VsCodeApi } from '#shared/page/vscode-api.ts';

export type Cells = readonly (string | null)[];

/** Rows that are asked for at a time. */
const PAGE = 200;

/** What a result view knows: the state of the query, and the pages of rows that were looked at. */
export class ResultsModel {
  readonly post: (message: ResultsToHost) => void;
  readonly state = signal<ResultState | undefined>(undefined);
  /** Pages by their number, of the present version. */
  readonly pages = signal<ReadonlyMap<number, readonly Cells[]>>(new Map());
  readonly #asked = new Set<number>();

  constructor(api: Pick<VsCodeApi, 'postMessage'>, window: Window) {
    this.post = posting(api);
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => batch(() => this.#receive(data)));
    this.post({ type: 'ready' });
  }

  /** A row, when its page is here; asks for the page otherwise. */
  row(index: number): Cells | undefined {
    const page = Math.floor(index / PAGE);
    const rows = this.pages.value.get(page);
    const row = rows?.[index - page * PAGE];
    if (!row) this.#ask(page);
    return row;
  }

  #ask(page: number): void {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    this.post({ type: 'rows', offset: page * PAGE, count: PAGE });
  }

  #receive(data: unknown): void {
    const message = parseHostToResults(data);
    if (message?.type === 'state') {
      const before = this.state.value;
      this.state.value = message;
      if (before?.version !== message.version) this.pages.value = new Map();
      // A page at the end may have been cut short when it was asked for.
      if (before?.version !== message.version || before.count !== message.count) this.#asked.clear();
    } else if (message && message.version === this.state.value?.version) {
      this.pages.value = new Map(this.pages.value).set(Math.floor(message.offset / PAGE), message.rows);
    }
  }
}
