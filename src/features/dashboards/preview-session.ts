import type { DataClient } from '#api/data/data.ts';
import { isPlatformError } from '#api/errors.ts';
import { isObject } from '#api/schema.ts';
import { asError, CancelledError, isCancelled, mapLimited } from '#base/async.ts';
import type { Disposable } from '#base/disposable.ts';
import type { Result } from '#base/result.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { loadRows } from '#features/data/index.ts';
import type { DashboardData } from './dashboard-data.ts';
import type { DashboardState, Sample } from './messages.ts';
import { draftProblems } from './draft-problems.ts';
import { layoutsOf } from './layout.ts';
import { chartOf } from './sample-chart.ts';
import { faceOf, sampleQuery } from './widget-face.ts';
import type { Workbook } from './workbook.ts';

/** The dependencies of a preview on the host. */
export interface PreviewPorts {
  /** Resolves to the data API of the dashboard's deployment; `ask`: the user may be asked for a token. */
  client(ask: boolean): Promise<Result<DataClient, string>>;
}

/** A parsed document, or why it is not valid JSON at the moment. */
export type ReadDocument = { readonly value: unknown } | { readonly problem: string };

const atOnce = 2;
const notLoaded = 'Data was not loaded, because no token was entered.';

/** Creates the preview of a workbook's dashboard, with data of its deployment. */
export function previewOf({ name, target }: Workbook, data: DashboardData): PreviewSession {
  return new PreviewSession(name, { client: async (ask) => data.client(target, ask) });
}

/** The preview of one document: its layouts as they change, and sample data for its charts. */
export class PreviewSession implements Disposable {
  readonly #ports: PreviewPorts;
  readonly #state: Store<DashboardState>;
  readonly #ended = new AbortController();
  /** By query. */
  readonly #samples = new Map<string, Sample>();
  /** The queries that run, by key. */
  readonly #running = new Map<string, AbortController>();
  #dashboard: unknown;

  constructor(name: string, ports: PreviewPorts) {
    this.#ports = ports;
    const nothing = { title: '', stale: '', problems: [], noSamples: '', layouts: [], widgets: [], samples: {} };
    this.#state = new Store<DashboardState>({ type: 'state', name, ...nothing });
  }

  get state(): ReadonlyStore<DashboardState> {
    return this.#state;
  }

  /** Shows a changed document. While it is not valid JSON, the previous version stays visible. */
  update(document: ReadDocument): void {
    if ('problem' in document) {
      this.#state.set({ ...this.#state.value, stale: document.problem });
      return;
    }
    this.#dashboard = document.value;
    this.#endUnused();
    const { title } = isObject(document.value) ? document.value : {};
    this.#state.set({
      ...this.#state.value,
      title: typeof title === 'string' ? title : '',
      stale: '',
      problems: draftProblems(document.value).map(({ message }) => message),
      layouts: layoutsOf(document.value),
      widgets: this.#widgets().map((widget) => faceOf(widget)),
      samples: this.#shown(),
    });
  }

  /** Loads the missing sample data of charts. `ask`: the user requested it and may be asked for a token. */
  async loadSamples(ask: boolean): Promise<void> {
    if (ask) this.#dropFailed();
    const missing = [...this.#queries()].filter(([key]) => !this.#samples.has(key));
    if (missing.length === 0) return;
    const client = await this.#ports.client(ask);
    if (!client.ok) {
      this.#state.set({ ...this.#state.value, noSamples: client.error });
      return;
    }
    for (const [key] of missing) this.#samples.set(key, { kind: 'loading' });
    this.#state.set({ ...this.#state.value, noSamples: '', samples: this.#shown() });
    await mapLimited(missing, atOnce, async ([key, query]) => {
      await this.#load(client.value, key, query);
    });
  }

  dispose(): void {
    this.#ended.abort();
    this.#state.dispose();
  }

  async #load(client: DataClient, key: string, query: Readonly<Record<string, unknown>>): Promise<void> {
    // It waited for its turn, and the document has another query by now.
    if (!this.#queries().has(key)) {
      this.#samples.delete(key);
      return;
    }
    const running = new AbortController();
    this.#running.set(key, running);
    try {
      const signal = AbortSignal.any([this.#ended.signal, running.signal]);
      const answer = await loadRows(client, query, { signal });
      if (running.signal.aborted) return;
      this.#samples.set(key, { kind: 'chart', chart: chartOf(query, answer) });
    } catch (error) {
      if (running.signal.aborted) return;
      this.#fail(key, error);
    }
    this.#running.delete(key);
    if (this.#ended.signal.aborted) return;
    this.#state.set({ ...this.#state.value, samples: this.#shown() });
  }

  /** Ends the queries that the document does not have any more: with each edit of a slow query, another one would run. */
  #endUnused(): void {
    const queries = this.#queries();
    for (const [key, running] of this.#running) {
      if (queries.has(key)) continue;
      this.#running.delete(key);
      this.#samples.delete(key);
      running.abort(new CancelledError());
    }
  }

  #fail(key: string, error: unknown): void {
    if (this.#ended.signal.aborted) return;
    const { message } = asError(error);
    if (isCancelled(error)) this.#withhold(key, notLoaded);
    else if (isPlatformError(error, 'auth') && error.status === undefined) this.#withhold(key, message);
    else {
      this.#samples.set(key, { kind: 'failed', message });
      if (isPlatformError(error, 'auth') || isPlatformError(error, 'forbidden')) this.#offer(message);
    }
  }

  /** Handles a missing token: no query was run, so none failed. */
  #withhold(key: string, reason: string): void {
    this.#samples.delete(key);
    this.#offer(reason);
  }

  /** Shows why there is no data, with the button that loads it. */
  #offer(reason: string): void {
    this.#state.set({ ...this.#state.value, noSamples: reason });
  }

  #widgets(): readonly unknown[] {
    const widgets = isObject(this.#dashboard) ? this.#dashboard['widgets'] : undefined;
    return Array.isArray(widgets) ? widgets : [];
  }

  /** Returns the queries of charts, by key. */
  #queries(): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
    const found = this.#widgets().flatMap((widget) => {
      const query = isChart(widget) ? sampleQuery(widget) : undefined;
      return query ? [[JSON.stringify(query), query] as const] : [];
    });
    return new Map(found);
  }

  #shown(): Record<string, Sample> {
    const found = this.#widgets().flatMap((widget, index) => {
      const query = isChart(widget) ? sampleQuery(widget) : undefined;
      const sample = query && this.#samples.get(JSON.stringify(query));
      return sample ? [[String(index), sample] as const] : [];
    });
    return Object.fromEntries(found);
  }

  #dropFailed(): void {
    for (const [key, { kind }] of this.#samples) if (kind === 'failed') this.#samples.delete(key);
  }
}

const isChart = (widget: unknown): boolean => isObject(widget) && widget['type'] === 'CHART';
