import type { DataClient } from '#api/data/data.ts';
import type { MetaCube } from '#api/data/data-operations.ts';
import type { Result } from '#base/result.ts';
import { type Member, membersOf } from '#features/dashboards/members.ts';
import type { EnvironmentChoice, LazyQueries, QueryEnvironment } from '#features/data/index.ts';

/** The data API of the active branch's environment, for the dashboards and the model of a deployment. */
export class DashboardData {
  readonly #queries: LazyQueries;

  constructor(queries: LazyQueries) {
    this.#queries = queries;
  }

  /** Resolves to the members that a deployment's widgets can use; throws if the metadata cannot be read. */
  async members(target: EnvironmentChoice): Promise<readonly Member[]> {
    return membersOf(await this.cubes(target));
  }

  /**
   * Resolves to the metadata of the environment, which is cached for minutes; empty if there is no environment. Throws if the
   * metadata cannot be read.
   */
  async cubes(target: EnvironmentChoice): Promise<readonly MetaCube[]> {
    const queries = await this.#queries();
    const found = await queries.environment(target);
    return found.ok ? queries.meta({ kind: 'environment', ...target }) : [];
  }

  /** Drops the cached metadata, because a build has ended. */
  async forgetCubes(): Promise<void> {
    (await this.#queries()).forgetMeta();
  }

  /** Resolves to a client for queries, or the reason why there is none. Asks the user for a token only if `ask` is set. */
  async client(target: EnvironmentChoice, ask: boolean): Promise<Result<DataClient, string>> {
    const queries = await this.#queries();
    const found = await queries.environment(target);
    return found.ok ? { ok: true, value: queries.client({ kind: 'environment', ...target }, { mayAsk: ask }) } : found;
  }

  /** Resolves to the environment of the given or active branch, or else production; the error explains what to do. */
  async environment(target: EnvironmentChoice): Promise<Result<QueryEnvironment, string>> {
    return (await this.#queries()).environment(target);
  }
}
