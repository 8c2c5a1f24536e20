import * as v from 'valibot';
import { reportSorts } from '#api/reports.ts';
import type { Disposable } from '#base/disposable.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { StateStore } from './ports.ts';
import type { ReportOrder } from './workspace-lists.ts';

const stateKey = 'reportOrder';
const orderSchema = v.picklist(reportSorts);

/** How a person reads each order; the first is the server's own. */
export const reportOrders: readonly { readonly order: ReportOrder | undefined; readonly words: string }[] = [
  { order: undefined, words: 'the platform’s order' },
  { order: 'name', words: 'by name' },
  { order: 'lastViewedAt', words: 'recently viewed' },
  { order: 'updatedAt', words: 'recently changed' },
  { order: 'createdAt', words: 'recently created' },
];

/** The chosen order of reports; outlives the window. */
export class ReportOrderSetting implements Disposable {
  readonly #state: StateStore;
  readonly #order: Store<ReportOrder | undefined>;

  constructor(state: StateStore) {
    this.#state = state;
    const parsed = v.safeParse(orderSchema, state.get(stateKey));
    this.#order = new Store(parsed.success ? parsed.output : undefined);
  }

  get order(): ReadonlyStore<ReportOrder | undefined> {
    return this.#order;
  }

  /** For the view; nothing for the server's own order. */
  get words(): string | undefined {
    const { value } = this.#order;
    return value === undefined ? undefined : reportOrders.find(({ order }) => order === value)?.words;
  }

  async choose(order: ReportOrder | undefined): Promise<void> {
    await this.#state.set(stateKey, order);
    this.#order.set(order);
  }

  dispose(): void {
    this.#order.dispose();
  }
}
