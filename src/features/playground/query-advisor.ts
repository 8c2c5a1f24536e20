import type { DataClient, DataQuery } from '#api/data/data.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { buildQuery } from './build-query.ts';
import { QueryCompiler } from './query-compiler.ts';
import type { Draft } from './draft.ts';
import { type DraftMember, failedMember } from './failed-member.ts';
import type { PlaygroundPorts } from './ports.ts';
import { PreAggregationAdvice } from './pre-aggregation-advice.ts';

/** Finds facts about a query besides its rows: its SQL, its pre-aggregations, and the member that caused its error. */
export class QueryAdvisor implements Disposable {
  readonly #ports: Pick<PlaygroundPorts, 'advice' | 'post'>;
  readonly #store = new DisposableStore();
  readonly #sql: QueryCompiler;
  readonly #preAggregations: PreAggregationAdvice;
  #asking = new AbortController();

  constructor(ports: Pick<PlaygroundPorts, 'advice' | 'post'>) {
    this.#ports = ports;
    this.#sql = this.#store.add(new QueryCompiler(ports.post));
    this.#preAggregations = this.#store.add(new PreAggregationAdvice(ports));
  }

  /** Shows the SQL of a draft’s query, or the error at the member that caused it. */
  async compile(client: Pick<DataClient, 'sql'>, draft: Draft): Promise<void> {
    this.began();
    const failure = await this.#sql.compile(client, buildQuery(draft));
    if (failure !== undefined) await this.failed(draft, failure);
  }

  /** Ends a compilation that the server has not answered yet. */
  cancelCompile(): void {
    this.#sql.forget();
  }

  explain(query: DataQuery): Promise<void> {
    return this.#preAggregations.explain(query);
  }

  propose(query: DataQuery): Promise<void> {
    return this.#preAggregations.propose(query);
  }

  /** Clears everything, because the query has changed. */
  forget(): void {
    this.#sql.forget();
    this.#preAggregations.forget();
    this.began();
  }

  /** Clears the last error, because the query runs or compiles again. */
  began(): void {
    this.#asking.abort();
    this.#ports.post({ type: 'failure', field: '', text: '' });
  }

  /** Shows an error of a run or a compilation at the member that caused it, unless the query changes or runs again meanwhile. */
  async failed(draft: Draft, message: string): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const sqlOf = async ({ field, name }: DraftMember): Promise<string | undefined> => {
      const query = field === 'measures' ? { measures: [name] } : { dimensions: [name] };
      const explanation = await this.#ports.advice.explain(query, signal).catch(() => undefined);
      return explanation?.state === 'compiled' ? explanation.sql : undefined;
    };
    const member = await failedMember(message, draft, sqlOf);
    if (!member || signal.aborted) return;
    this.#ports.post({ type: 'failure', field: member.field, text: `“${member.name}”: ${message}` });
  }

  dispose(): void {
    this.#asking.abort();
    this.#store.dispose();
  }
}
