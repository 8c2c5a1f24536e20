import { signal } from '@preact/signals';
import { type ResultState, type ResultsToHost, parseHostToResults } from '#features/data/messages.ts';
import { ArrangedRows } from '#shared/page/grid/arranged-rows.ts';
import { receiving } from '#shared/page/host-messages.ts';
import { posting, type VsCodeApi } from '#shared/page/vscode-api.ts';

/** The state of a result view: the query, the pages of rows that were loaded, and their order and filter. */
export class ResultsModel extends ArrangedRows {
  readonly post: (message: ResultsToHost) => void;
  readonly state = signal<ResultState | undefined>(undefined);

  constructor(api: Pick<VsCodeApi, 'postMessage'>, window: Window) {
    super();
    this.post = posting(api);
    receiving({ api, window, opening: () => ({ type: 'ready' }), take: (data) => this.#receive(data) });
  }

  #receive(data: unknown): void {
    const message = parseHostToResults(data);
    if (message?.type === 'state') {
      this.state.value = message;
      this.adopt(message);
      this.rows.follow(message);
    } else if (message) this.rows.take(message);
  }
}
