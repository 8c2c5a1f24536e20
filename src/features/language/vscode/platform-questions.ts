import type { RenderTemplates } from '#model/templates/render-model.ts';
import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { LanguageClient } from 'vscode-languageclient/node';
import { asError, isCancelled } from '#base/async.ts';
import {
  deployBranch,
  type DeployBranchParams,
  platformModel,
  type PlatformModelParams,
  type PlatformVerdict,
  renderTemplates,
  type RenderTemplatesParams,
  validateOnPlatform,
  type ValidateOnPlatformParams,
  workspaceUses,
  type WorkspaceUsesParams,
} from '#features/language/messages.ts';
import type { LanguageDependencies, PlatformPort } from './dependencies.ts';
import type { TemplateAnswer } from '#model/templates/model-templates.ts';
import { comparesWithDeployBranch, validatesOnSave } from './settings.ts';
import { VersionNote } from './version-note.ts';

/**
 * Answers the platform requests of the language server and its client. When offline, signed out or refused, they continue without
 * an answer.
 */
export class PlatformQuestions {
  readonly #deps: Pick<LanguageDependencies, 'platform' | 'logger'>;
  readonly #note: VersionNote;

  constructor(deps: Pick<LanguageDependencies, 'platform' | 'logger' | 'notes'>) {
    this.#deps = deps;
    this.#note = new VersionNote(deps.notes);
  }

  /** Registers handlers for the requests of a server. */
  serve(client: LanguageClient): void {
    client.onRequest(platformModel, ({ root }: PlatformModelParams) => this.#ask(({ model }) => model(root)));
    client.onRequest<PlatformVerdict | null, void>(validateOnPlatform, (params: ValidateOnPlatformParams, token) =>
      validatesOnSave() ? this.#validate(params.root, token) : null,
    );
    client.onRequest(deployBranch, ({ root }: DeployBranchParams) =>
      comparesWithDeployBranch() ? this.#ask((platform) => platform.deployBranch(root, rendering(client))) : null,
    );
    client.onRequest(workspaceUses, (params: WorkspaceUsesParams) =>
      this.#ask((platform) => platform.workspaceUses(params)),
    );
  }

  /** Resolves to the version that the deployment of a document or model runs; to `undefined` if it is unknown. */
  async engineVersion(uri: string): Promise<string | undefined> {
    return this.#known((platform) => platform.engineVersion(uri));
  }

  /** Resolves to the database type of a document's deployment, a value of `CUBEJS_DB_TYPE`; to `undefined` if it is unknown. */
  async databaseType(uri: string): Promise<string | undefined> {
    return this.#known((platform) => platform.databaseType(uri));
  }

  async #validate(root: string, token: vscode.CancellationToken): Promise<PlatformVerdict | null> {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    if (token.isCancellationRequested) controller.abort();
    const verdict = await this.#ask((platform) => platform.validate(root, controller.signal));
    if (verdict) this.#note.show(verdict.version);
    return verdict;
  }

  async #known(question: (platform: PlatformPort) => Promise<string | undefined>): Promise<string | undefined> {
    const answer = await this.#ask(question).catch(() => undefined);
    return answer ?? undefined;
  }

  async #ask<T>(question: (platform: PlatformPort) => Promise<T>): Promise<T | null> {
    const { platform, logger } = this.#deps;
    try {
      return platform ? await question(platform) : null;
    } catch (error) {
      if (!isCancelled(error))
        logger.info('The platform could not be queried about the model.', { reason: asError(error).message });
      throw error;
    }
  }
}

/** Returns the template engine, which runs beside the server. */
function rendering(client: LanguageClient): RenderTemplates {
  return async (questions) => {
    const params: RenderTemplatesParams = { questions };
    return client.sendRequest<TemplateAnswer | null>(renderTemplates, params);
  };
}
