import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { LanguageClient } from 'vscode-languageclient/node';
import { asError } from '#base/async.ts';
import { systemClock } from '#base/clock.ts';
import type { PreAggregationProposal, QueryExplanation } from '#model/pre-aggregations/explanation.ts';
import type { TemplateAnswer } from '#model/templates/model-templates.ts';
import type { WrittenMember } from '#model/written-member.ts';
import { defaultDialect } from '#features/language/databases.ts';
import {
  checkProposal,
  type CheckProposalParams,
  explainQuery,
  type ExplainQueryParams,
  membersAsWritten,
  type MembersAsWrittenParams,
  type ProposalVerdict,
  proposePreAggregation,
  renderTemplates,
  type RenderTemplatesParams,
  type SqlAtPosition,
  sqlAtPosition,
  type SqlAtPositionParams,
} from '#features/language/messages.ts';

type Query = ExplainQueryParams['query'];

/**
 * Sends the extension's requests to the engine through the language server. A failure becomes an answer, and a signal ends the
 * engine's work.
 */
export class EngineRequests {
  readonly #client: () => LanguageClient | undefined;

  constructor(client: () => LanguageClient | undefined) {
    this.#client = client;
  }

  async checkProposal(files: CheckProposalParams['files'], signal: AbortSignal): Promise<ProposalVerdict> {
    const params: CheckProposalParams = { files };
    const skipped = (reason: string): ProposalVerdict => ({ state: 'skipped', reason });
    return this.#ask(checkProposal, params, signal, skipped, 'The check was cancelled.');
  }

  async explainQuery(uri: string, query: Query, signal: AbortSignal): Promise<QueryExplanation> {
    const skipped = (reason: string): QueryExplanation => ({ state: 'skipped', reason });
    return this.#ask(explainQuery, { uri, query, ...anyDatabase() }, signal, skipped);
  }

  async proposePreAggregation(uri: string, query: Query, signal: AbortSignal): Promise<PreAggregationProposal> {
    const none = (reason: string): PreAggregationProposal => ({ state: 'none', reason });
    return this.#ask(proposePreAggregation, { uri, query, ...anyDatabase() }, signal, none);
  }

  /** Resolves to the public members of a model as it is written; none if the server does not run. */
  async membersAsWritten(uri: string): Promise<readonly WrittenMember[]> {
    const params: MembersAsWrittenParams = { uri };
    return this.#ask<readonly WrittenMember[]>(membersAsWritten, params, new AbortController().signal, () => []);
  }

  async sqlAt(params: SqlAtPositionParams, signal: AbortSignal): Promise<SqlAtPosition> {
    const skipped = (reason: string): SqlAtPosition => ({ name: '', explanation: { state: 'skipped', reason } });
    return this.#ask(sqlAtPosition, params, signal, skipped);
  }

  /** Renders templates of another branch; resolves to `null` if they cannot be rendered. */
  async renderTemplates(questions: RenderTemplatesParams['questions']): Promise<TemplateAnswer | null> {
    const params: RenderTemplatesParams = { questions };
    return this.#ask<TemplateAnswer | null>(renderTemplates, params, new AbortController().signal, () => null);
  }

  async #ask<T>(
    request: string,
    params: object,
    signal: AbortSignal,
    failed: (reason: string) => T,
    cancelled = 'It was cancelled.',
  ): Promise<T> {
    const client = this.#client();
    if (!client) return failed('The language server is not running.');
    const cancel = new vscode.CancellationTokenSource();
    const onAbort = (): void => cancel.cancel();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (signal.aborted) cancel.cancel();
      return await client.sendRequest<T>(request, params, cancel.token);
    } catch (error) {
      return failed(signal.aborted ? cancelled : asError(error).message);
    } finally {
      signal.removeEventListener('abort', onAbort);
      cancel.dispose();
    }
  }
}

/** Returns parameters for any database: which pre-aggregations serve a query does not depend on it. */
function anyDatabase(): Pick<ExplainQueryParams, 'dialect' | 'today'> {
  return { dialect: defaultDialect, today: new Date(systemClock.now()).toISOString().slice(0, 10) };
}
