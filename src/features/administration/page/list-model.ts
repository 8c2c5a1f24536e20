import { computed, signal } from '@preact/signals';
import { parseHostToTable, type TableState, type TableToHost } from '#features/administration/messages.ts';
import { ArrangedRows } from '#shared/page/grid/arranged-rows.ts';
import { receiving } from '#shared/page/host-messages.ts';
import { posting, type VsCodeApi } from '#shared/page/vscode-api.ts';

/** The state of a list as a table: what the host sent, and the pages of rows that were shown. */
export class ListModel extends ArrangedRows {
  readonly post: (message: TableToHost) => void;
  readonly state = signal<TableState | undefined>(undefined);
  readonly selected = computed<ReadonlySet<number>>(() => new Set(this.state.value?.selected));

  constructor(api: Pick<VsCodeApi, 'postMessage'>, window: Window) {
    super();
    this.post = posting(api);
    receiving({ api, window, opening: () => ({ type: 'ready' }), take: (data) => this.#receive(data) });
  }

  /** Selects or deselects a range of rows in the shown version. */
  select(from: number, to: number, isSelected: boolean): void {
    const { value } = this.state;
    if (value) this.post({ type: 'select', version: value.version, from, to, isSelected });
  }

  #receive(data: unknown): void {
    const message = parseHostToTable(data);
    if (message?.type === 'state') {
      this.state.value = message;
      this.rows.follow(message);
    } else if (message) this.rows.take(message);
  }
}
