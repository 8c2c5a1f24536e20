import type { RenderTemplates } from '#model/templates/render-model.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { isEqual } from '#base/equal.ts';
import type { MetaCube } from '#api/data/data-operations.ts';
import { databaseTypeOf } from '#features/language/database-type.ts';
import { deployBranchOf } from '#features/platform/index.ts';
import { Validations } from '#features/language/validations.ts';
import { workspaceUsage } from '#features/language/usage.ts';
import { platformModelOf } from '#features/language/platform-model.ts';
import { compiledQuery, compiledText, previewSql } from '#features/language/queries.ts';
import { text } from '#base/user-text.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import type { Result } from '#base/result.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type {
  DeployBranchModel,
  MemberTarget,
  PlatformModel,
  PlatformVerdict,
  QueryToRun as FileQuery,
  WorkspaceUse,
  WorkspaceUsesParams,
} from '#features/language/messages.ts';
import { DashboardData } from '#features/dashboards/index.ts';
import { type EnvironmentChoice, noTarget, type Queries, type QueryTarget } from '#features/data/index.ts';
import { folderOf, subjectOf } from '#features/data/vscode/index.ts';
import { fileTargetOf } from '#features/folders/vscode/index.ts';
import type { PlatformModelDeps } from './model-deps.ts';
import { CompiledSqlDocuments } from './compiled-sql.ts';
import { modelPathOf, environmentOfModel } from './model-environment.ts';

/** Creates the platform's side; the entry of a bundle of its own. */
export function createLanguagePlatform(services: PlatformModelDeps, later: LaterValidation): LanguagePlatform {
  return new LanguagePlatform(services, later);
}

/** When models can be validated that could not be when they were saved. */
interface LaterValidation {
  /** The accounts whose key the platform refuses. */
  readonly refusedKeys: ReadonlyStore<ReadonlySet<string>>;
  /** Called when a root can be validated that could not be before. */
  readonly onCanValidate: (root: string) => void;
}

/** Provides the platform's data about a model to the language server and its lenses. */
export class LanguagePlatform implements vscode.Disposable {
  readonly #services: PlatformModelDeps;
  readonly #data: DashboardData;
  readonly #documents = new CompiledSqlDocuments();
  /** Types of databases, by account and deployment. */
  readonly #databases = new Map<string, Promise<string | undefined>>();
  readonly #validations: Validations;

  constructor(services: PlatformModelDeps, { refusedKeys, onCanValidate: onDidBecomePossible }: LaterValidation) {
    this.#services = services;
    this.#data = new DashboardData(services.queries);
    this.#validations = new Validations({ ...services, clock: systemClock, refusedKeys, onDidBecomePossible });
  }

  /** Runs a query for rows of a cube, view or member in the environment of its folder’s queries, and shows them. */
  async preview(target: MemberTarget): Promise<void> {
    const { queries, where, cubes } = await reading(target, () => this.#model(target));
    const sql = value(previewSql(target, cubes));
    await this.#services.editors.showResults(await queries.shown(where, { sql, title: target.name }));
  }

  /** Opens the playground there, with the cube, view or member in its query. */
  async query({ uri, name }: Pick<MemberTarget, 'uri' | 'name'>): Promise<void> {
    const folder = folderOf(vscode.Uri.parse(uri, true));
    await this.#services.editors.showPlayground({ folder, branch: this.#branchOf(uri), name });
  }

  /** Opens the playground there with a query, and runs it. */
  async runQuery({ uri, query }: FileQuery): Promise<void> {
    const about = subjectOf(vscode.Uri.parse(uri, true));
    const branch = this.#branchOf(about.toString());
    await this.#services.editors.showPlayground({ folder: folderOf(about), branch, query });
  }

  /** Compiles a query there without running it and shows its SQL. */
  async compiledSql(target: MemberTarget): Promise<void> {
    const { queries, where, compiled } = await reading(target, async () => {
      const model = await this.#model(target);
      const query = value(compiledQuery(target, model.cubes));
      return { ...model, compiled: await model.queries.compiled(model.where, query) };
    });
    const title = `${target.name} on ${await queries.nameOf(where)}`;
    await this.#documents.show(target.name, compiledText(title, compiled));
  }

  /**
   * Resolves to the model that a root's environment runs; to `null` if the user is not signed in or nothing was built. Rejects
   * when offline.
   */
  async model(root: string): Promise<PlatformModel | null> {
    const modelTarget = environmentOfModel(root, this.#services);
    if (!modelTarget) return null;
    const environment = await this.#data.environment(modelTarget);
    return environment.ok ? platformModelOf(environment.value.name, await this.#data.cubes(modelTarget)) : null;
  }

  /**
   * Has the platform validate a root after a save; resolves to `null` if there is no branch to validate. Reports through
   * `onCanValidate` when a root that could not be validated can be.
   */
  async validate(root: string, signal: AbortSignal): Promise<PlatformVerdict | null> {
    const { session, files } = this.#services;
    this.#validations.forget(root);
    const target = this.#validated(root);
    if (!target) return null;
    const model = { target, modelPath: modelPathOf(root, this.#services) };
    const folder = fileTargetOf(vscode.Uri.parse(root, true), session.links.value)?.folderId;
    const opened = folder === undefined ? undefined : await files.syncs.opened(folder);
    // Without the folder's sync, it is unknown whether the branch has the same files.
    if (folder !== undefined && !opened) return null;
    const verdict = await this.#validations.validate(root, { ...model, sync: opened?.sync }, signal);
    if (isEqual(target, this.#validated(root))) return verdict;
    // A verdict on a branch that the user has left meanwhile would stay until the next save.
    this.#validations.forget(root);
    return null;
  }

  /** Returns the branch that has a root's model. */
  #validated(root: string): BranchTarget | undefined {
    const modelTarget = environmentOfModel(root, this.#services);
    const branchName = modelTarget && (modelTarget.branchName ?? this.#services.session.activeBranch(modelTarget));
    if (!modelTarget || branchName === undefined) return undefined;
    const { accountId, deploymentId } = modelTarget;
    return { accountId, deploymentId, branchName };
  }

  /**
   * Resolves to the version that the deployment of a document or root runs; to `undefined` if nothing is linked. Rejects when
   * offline.
   */
  async engineVersion(uri: string): Promise<string | undefined> {
    const modelTarget = environmentOfModel(uri, this.#services);
    const versions = modelTarget && (await this.#services.data.of(modelTarget).versions.get());
    return versions?.find(({ isCurrent }) => isCurrent)?.version;
  }

  /**
   * Resolves to the database type of a document's deployment; to `undefined` if nothing is linked or the type is not set. Rejects
   * when offline.
   */
  async databaseType(uri: string): Promise<string | undefined> {
    const modelTarget = environmentOfModel(uri, this.#services);
    if (!modelTarget) return undefined;
    const { accountId, deploymentId } = modelTarget;
    const key = JSON.stringify([accountId, deploymentId]);
    const known = this.#databases.get(key) ?? databaseTypeOf(this.#services.data, modelTarget);
    this.#databases.set(key, known);
    return known;
  }

  /**
   * Resolves to the names on a root's deploy branch; to `null` if nothing is linked or there is no such branch. Rejects when
   * offline.
   */
  async deployBranch(root: string, render: RenderTemplates): Promise<DeployBranchModel | null> {
    const modelTarget = environmentOfModel(root, this.#services);
    if (!modelTarget) return null;
    const { data, files, remote } = this.#services;
    const deploy = deployBranchOf(await data.of(modelTarget).branches.get());
    if (!deploy || deploy.name === modelTarget.branchName) return null;
    const target = {
      accountId: modelTarget.accountId,
      deploymentId: modelTarget.deploymentId,
      branchName: deploy.name,
    };
    await remote.refresh(target);
    const { deployBranchModel } = await import('#features/language/deploy-branch.ts');
    const tree = await files.branchFiles.tree(target);
    return deployBranchModel({ branch: deploy.name, tree, modelPath: modelPathOf(root, this.#services) }, render);
  }

  /** Resolves to the reports and dashboards that name deleted members. Rejects when offline. */
  async workspaceUses({ root, names }: WorkspaceUsesParams): Promise<readonly WorkspaceUse[]> {
    const modelTarget = environmentOfModel(root, this.#services);
    if (!modelTarget) return [];
    const { data, offers, learnOffers } = this.#services;
    const { accountId } = modelTarget;
    await learnOffers(accountId);
    const dashboards = offers(accountId, 'getWorkbookDashboard') && offers(accountId, 'listWorkbooks');
    return workspaceUsage(data, modelTarget, names, { dashboards });
  }

  /** Clears the caches, so that the next request asks the platform again. */
  forget(): void {
    void this.#data.forgetCubes();
    this.#databases.clear();
  }

  dispose(): void {
    this.#validations.dispose();
    this.#documents.dispose();
  }

  async #model({ uri }: MemberTarget): Promise<Asked> {
    const queries = await this.#services.queries();
    const where = await this.#whereOf(uri, queries);
    return { queries, where, cubes: await queries.meta(where, { mayAsk: true }) };
  }

  #branchOf(uri: string): EnvironmentChoice | undefined {
    return environmentOfModel(uri, this.#services) ?? this.#services.session.active.value;
  }

  async #whereOf(uri: string, { choices }: Queries): Promise<QueryTarget> {
    const branch = this.#branchOf(uri);
    const where = await choices.whereFor(folderOf(vscode.Uri.parse(uri, true)), branch);
    if (where) return where;
    throw noTarget();
  }
}

/** Shows progress in the status bar for a click. */
function reading<T>({ name }: MemberTarget, work: () => Promise<T>): Promise<T> {
  const where = { location: vscode.ProgressLocation.Window, title: text`Querying ${name}…` };
  return Promise.resolve(vscode.window.withProgress(where, work));
}

/** The environment in which a query runs, and the model there. */
interface Asked {
  readonly queries: Queries;
  readonly where: QueryTarget;
  readonly cubes: readonly MetaCube[];
}

/** Returns the value of a result; throws its error as a `Hint`: the branch has no environment, or the name no query. */
function value<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw new Hint(result.error);
}
