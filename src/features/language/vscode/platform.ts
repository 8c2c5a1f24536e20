import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { isPlatformError } from '#api/errors.ts';
import type { DataClient } from '#api/data.ts';
import type { MetaCube } from '#api/data-operations.ts';
import { deployBranchOf } from '#features/platform/branches.ts';
import { workspaceUsage } from '#features/language/usage.ts';
import { platformModelOf } from '#features/language/platform-model.ts';
import { compiledQuery, compiledText, previewSql } from '#features/language/queries.ts';
import { UserError } from '#shell/user-error.ts';
import type { Result } from '#base/result.ts';
import type {
  DeployBranchModel,
  MemberTarget,
  PlatformModel,
  WorkspaceUse,
  WorkspaceUsesParams,
} from '#features/language/messages.ts';
import { DashboardData, type DataTarget } from '#features/dashboards/vscode/dashboard-data.ts';
import type { PlatformModelDeps } from './model-deps.ts';
import { CompiledSqlDocuments } from './compiled-sql.ts';
import { modelPathOf, placeOf } from './model-place.ts';

/** The entry of a bundle of its own. */
export function openPlatform(services: PlatformModelDeps): LanguagePlatform {
  return new LanguagePlatform(services);
}

/** What the platform knows of a model, for the language server and its lenses. */
export class LanguagePlatform implements vscode.Disposable {
  readonly #services: PlatformModelDeps;
  readonly #data: DashboardData;
  readonly #documents = new CompiledSqlDocuments();

  constructor(services: PlatformModelDeps) {
    this.#services = services;
    this.#data = new DashboardData(services);
  }

  /** Runs a query for rows of a cube, view or member on its branch and shows them. */
  async preview(target: MemberTarget): Promise<void> {
    const { place, cubes } = await this.#model(target);
    const sql = value(previewSql(target, cubes));
    const client = value(await this.#data.client(place, true));
    const words = await this.#words(place);
    await this.#services.showResults({ sql, title: target.name, place: words, client });
  }

  /** Compiles a query on the branch without running it and shows its SQL. */
  async compiledSql(target: MemberTarget): Promise<void> {
    const { place, cubes } = await this.#model(target);
    const query = value(compiledQuery(target, cubes));
    const compiled = await this.#withToken(place, async (client) => client.sql(query));
    const title = `${target.name} on ${await this.#words(place)}`;
    await this.#documents.show(target.name, compiledText(title, compiled));
  }

  /** What a root's environment runs; `null` where nobody is signed in or nothing was built. Throws when offline. */
  async model(root: string): Promise<PlatformModel | null> {
    const place = placeOf(root, this.#services);
    if (!place) return null;
    const environment = await this.#data.environment(place);
    return environment.ok ? platformModelOf(environment.value.name, await this.#data.cubes(place)) : null;
  }

  /** The vocabulary of a root's deploy branch; `null` where nothing is linked or there is none. Throws when offline. */
  async deployBranch(root: string): Promise<DeployBranchModel | null> {
    const place = placeOf(root, this.#services);
    if (!place) return null;
    const { data, branchFiles, remote } = this.#services;
    const deploy = deployBranchOf(await data.of(place).branches.get());
    if (!deploy || deploy.name === place.branchName) return null;
    const target = { accountId: place.accountId, deploymentId: place.deploymentId, branchName: deploy.name };
    await remote.refresh(target);
    const { deployBranchModel } = await import('#features/language/deploy-branch.ts');
    return deployBranchModel(deploy.name, await branchFiles.tree(target), modelPathOf(root, this.#services));
  }

  /** Reports and dashboards that name members which are gone. Throws when offline. */
  async workspaceUses({ root, names }: WorkspaceUsesParams): Promise<readonly WorkspaceUse[]> {
    const place = placeOf(root, this.#services);
    if (!place) return [];
    const { data, offers } = this.#services;
    const { accountId, deploymentId } = place;
    const dashboards = offers(accountId, 'getWorkbookDashboard') && offers(accountId, 'listWorkbooks');
    return workspaceUsage(data.client(accountId), deploymentId, names, { dashboards });
  }

  /** The next question asks the platform again. */
  forget(): void {
    this.#data.forgetCubes();
  }

  dispose(): void {
    this.#documents.dispose();
  }

  async #model({ uri }: MemberTarget): Promise<{ readonly place: DataTarget; readonly cubes: readonly MetaCube[] }> {
    const place = placeOf(uri, this.#services) ?? this.#services.session.active.value;
    if (!place) {
      throw new UserError('Sign in and link this folder to a deployment first: queries run in its environment.', {
        title: 'Sign In',
        command: 'modelbench.signIn',
      });
    }
    value(await this.#data.environment(place));
    return { place, cubes: await this.#data.cubes(place) };
  }

  /** Asks again, with another token, when the kept one is refused. */
  async #withToken<T>(place: DataTarget, ask: (client: DataClient) => Promise<T>): Promise<T> {
    try {
      return await ask(value(await this.#data.client(place, true)));
    } catch (error) {
      if (!isPlatformError(error, 'auth') && !isPlatformError(error, 'forbidden')) throw error;
      await this.#data.forget(place);
      return ask(value(await this.#data.client(place, true)));
    }
  }

  async #words(place: DataTarget): Promise<string> {
    return `${this.#services.data.nameOf(place)} · ${value(await this.#data.environment(place)).name}`;
  }
}

/** An outcome that a user must read becomes the message that they see. */
function value<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw new UserError(result.error);
}
