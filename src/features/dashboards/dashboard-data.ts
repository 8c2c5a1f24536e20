import type { DataClient } from '#api/data.ts';
import type { MetaCube } from '#api/data-operations.ts';
import type { Result } from '#base/result.ts';
import { type Member, membersOf } from '#features/dashboards/members.ts';
import type { EnvironmentTarget, LazyQueries, QueryEnvironment } from '#features/data/index.ts';

/** The data API of the active branch's environment, for the dashboards and the model of a deployment. */
export class DashboardData {
  readonly #queries: LazyQueries;

  constructor(queries: LazyQueries) {
    this.#queries = queries;
  }

  /** The members that widgets of a deployment may name; throws when the metadata cannot be read. */
  async members(target: EnvironmentTarget): Promise<readonly Member[]> {
    return membersOf(await this.cubes(target));
  }

  /** The metadata of the environment; empty where there is none, throws when it cannot be read. Kept for minutes. */
  async cubes(target: EnvironmentTarget): Promise<readonly MetaCube[]> {
    const queries = await this.#queries();
    const found = await queries.environment(target);
    return found.ok ? queries.meta({ kind: 'environment', ...target }) : [];
  }

  /** The next use of the metadata reads it again: a build has ended. */
  async forgetCubes(): Promise<void> {
    (await this.#queries()).forgetMeta();
  }

  /** A client that may query; the error says why there is none. The user is asked for a token only when `ask` is set. */
  async client(target: EnvironmentTarget, ask: boolean): Promise<Result<DataClient, string>> {
    const queries = await this.#queries();
    const found = await queries.environment(target);
    return found.ok ? { ok: true, value: queries.client({ kind: 'environment', ...target }, { mayAsk: ask }) } : found;
  }

  /** The environment of the branch that is named or active, else production; the error says what to do. */
  async environment(target: EnvironmentTarget): Promise<Result<QueryEnvironment, string>> {
    return (await this.#queries()).environment(target);
  }
}
