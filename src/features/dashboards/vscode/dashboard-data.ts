import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { originOf } from '#base/origin.ts';
import { text } from '#base/user-text.ts';
import { hostOf } from '#features/accounts/accounts.ts';
import { dataTokenName } from '#features/data/data-token.ts';
import { createDataClient, type DataClient } from '#api/data.ts';
import { createMetadataToken } from '#api/environments.ts';
import { err, ok, type Result } from '#base/result.ts';
import { deployBranchOf } from '#features/platform/branches.ts';
import type { MetaCube } from '#api/data-operations.ts';
import { type Member, membersOf } from '#features/dashboards/members.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { type QueryEnvironment, environmentOf } from '#features/data/vscode/environments.ts';
import type { DataDeps } from './deps.ts';

/** What queries need of the other services. */
/** A deployment; with a branch that is not the active one, that branch. */
export type DataTarget = DeploymentTarget & { readonly branchName?: string | undefined };

/** How long metadata is good for completion, and the token that reads it, in milliseconds. */
const metaLifeMs = 5 * 60_000;

/** The data API of the active branch's environment, for the dashboards and the model of a deployment. */
export class DashboardData {
  readonly #services: DataDeps;
  readonly #cubes = new Map<string, { readonly at: number; readonly value: Promise<readonly MetaCube[]> }>();

  constructor(services: DataDeps) {
    this.#services = services;
  }

  /** The members that widgets of a deployment may name; throws when the metadata cannot be read. */
  async members(target: DataTarget): Promise<readonly Member[]> {
    return membersOf(await this.cubes(target));
  }

  /** The metadata of the environment; empty where there is none, throws when it cannot be read. Kept for minutes. */
  async cubes(target: DataTarget): Promise<readonly MetaCube[]> {
    const found = await this.environment(target);
    if (!found.ok) return [];
    const key = JSON.stringify([target.accountId, target.deploymentId, found.value.id]);
    const known = this.#cubes.get(key);
    if (known && Date.now() - known.at < metaLifeMs) return known.value;
    const value = this.#load(target, found.value);
    this.#cubes.set(key, { at: Date.now(), value });
    // A failure is not kept: the next completion asks again.
    value.catch(() => this.#cubes.delete(key));
    return value;
  }

  /** The next look at the metadata asks the platform: a build has ended. */
  forgetCubes(): void {
    this.#cubes.clear();
  }

  /** A client that may query; the error says why there is none. Asks for the data token only when `ask` is set. */
  async client(target: DataTarget, ask: boolean): Promise<Result<DataClient, string>> {
    const found = await this.environment(target);
    if (!found.ok) return found;
    const token = (await this.#kept(target, found.value)) ?? (ask ? await this.#ask(target, found.value) : undefined);
    if (token === undefined) return err(`Data needs a data token of the environment “${found.value.name}”.`);
    return ok(this.#clientWith(found.value, token));
  }

  /** The token was refused: the next `client` that may ask does. */
  async forget(target: DataTarget): Promise<void> {
    const found = await this.environment(target);
    if (found.ok) await this.#services.secrets.delete(dataTokenName(target, found.value));
  }

  /** The environment of the branch that is named or active, else production; the error says what to do. */
  async environment(target: DataTarget): Promise<Result<QueryEnvironment, string>> {
    const { data, session } = this.#services;
    const dev = target.branchName ?? session.activeBranch(target);
    const environments = await data.of(target).environments.get();
    if (dev !== undefined) {
      const own = environmentOf(environments, { name: dev, isDefault: false });
      if (own.ok) return own;
    }
    const deploy = deployBranchOf(data.known(target)?.branches.value ?? []);
    return environmentOf(environments, deploy && { name: deploy.name, isDefault: true });
  }

  async #load(target: DeploymentTarget, environment: QueryEnvironment): Promise<readonly MetaCube[]> {
    const token = (await this.#kept(target, environment)) ?? (await this.#metadataToken(target, environment));
    return this.#clientWith(environment, token).meta({ maxWaitMs: 60_000 });
  }

  /** docs/platform-api.md#createmetadatatoken: opens metadata and nothing else, so that completion needs no data token. */
  async #metadataToken(target: DeploymentTarget, { id }: QueryEnvironment): Promise<string> {
    const { data } = await this.#services.data.client(target.accountId).call(createMetadataToken, {
      params: { deploymentId: target.deploymentId, environmentId: id },
      body: { security_context: {}, expires_in: metaLifeMs / 1000 },
    });
    return data.token;
  }

  #clientWith({ restUrl }: QueryEnvironment, token: string): DataClient {
    return createDataClient({
      restUrl,
      credential: () => (token === '' ? undefined : { kind: 'plain', token, origin: originOf(restUrl) }),
      logger: this.#services.logger,
    });
  }

  async #kept(target: DeploymentTarget, environment: QueryEnvironment): Promise<string | undefined> {
    return this.#services.secrets.get(dataTokenName(target, environment));
  }

  async #ask(target: DeploymentTarget, environment: QueryEnvironment): Promise<string | undefined> {
    const typed = await vscode.window.showInputBox({
      title: text`Data Token for ${environment.name}`,
      prompt: text`A JWT signed with the deployment’s API secret. It is sent only to ${hostOf(environment.restUrl)} and stored in VS Code’s secret storage. Leave empty if none is needed.`,
      password: true,
      ignoreFocusOut: true,
    });
    const token = typed?.trim();
    if (token !== undefined) await this.#services.secrets.set(dataTokenName(target, environment), token);
    return token;
  }
}
