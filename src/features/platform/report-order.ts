import { own } from '#base/own.ts';
import * as v from 'valibot';
import { listReports, reportSorts } from '#api/resources/reports.ts';
import type { Disposable } from '#base/disposable.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { offeredValues } from '#shell/offered-values.ts';
import type { StateStore } from '#shell/ports.ts';
import type { ReportOrder } from './workspace-lists.ts';

const stateKey = 'reportOrder';
const orderSchema = v.pipe(v.string(), v.nonEmpty());

/** The label of each order; an order of a newer platform keeps its own name. */
const labels: Readonly<Record<string, string>> = {
  name: 'by name',
  lastViewedAt: 'recently viewed',
  updatedAt: 'recently changed',
  createdAt: 'recently created',
};

interface NamedOrder {
  readonly order: ReportOrder | undefined;
  readonly label: string;
}

/** Returns the orders that can be chosen; the first is the server’s own. */
export function reportOrders(description: Readonly<Record<string, unknown>> | undefined): readonly NamedOrder[] {
  const orders = offeredValues(description, listReports, { query: 'sortBy' }, reportSorts);
  const first = Object.keys(labels).filter((order) => orders.includes(order));
  const named = [...first, ...orders.filter((order) => !first.includes(order))];
  return [
    { order: undefined, label: 'the platform’s order' },
    ...named.map((order) => ({ order, label: own(labels, order) ?? order })),
  ];
}

/** The chosen order of reports, in the state store. */
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

  /** The label of the chosen order for the view; `undefined` for the server's own order. */
  get label(): string | undefined {
    const { value } = this.#order;
    return value === undefined ? undefined : (own(labels, value) ?? value);
  }

  async choose(order: ReportOrder | undefined): Promise<void> {
    await this.#state.set(stateKey, order);
    this.#order.set(order);
  }

  dispose(): void {
    this.#order.dispose();
  }
}
