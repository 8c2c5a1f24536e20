import type { Connection } from 'vscode-languageserver';
import { asError } from '#base/async.ts';
import { foreignName, plainMessage } from '#model/engine/engine-refusals.ts';
import { withoutFollowing } from '#model/engine/following-errors.ts';
import { type ModelFile, parseFile } from '#model/file.ts';
import { rollupName, writeRollup } from '#model/pre-aggregations/write-rollup.ts';
import {
  notCompiled,
  type PreAggregationProposal,
  type QueryExplanation,
} from '#model/pre-aggregations/explanation.ts';
import type { ProposedRollup } from '#model/pre-aggregations/rules.ts';
import {
  explainQuery,
  type ExplainQueryParams,
  type LanguageSettings,
  proposePreAggregation,
  type SqlAtPosition,
  sqlAtPosition,
  type SqlAtPositionParams,
} from '#features/language/messages.ts';
import { consentTo, notHere, whyNotCompiled } from './engine-admission.ts';
import { engineQuery } from './engine-query.ts';
import { engineFiles } from './engine-texts.ts';
import type { QueryEngine } from '#language-server/host.ts';
import { queryAtOffset } from '#language-server/ide/queries/query-at-offset.ts';
import { signalOf } from './signal-of.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';
import type { ModelRoot, Workspace } from '#language-server/workspace/workspace.ts';

export interface EngineQueriesDeps {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly engine: QueryEngine | undefined;
  readonly settings: () => LanguageSettings;
}
type Compiled = Extract<QueryExplanation, { readonly state: 'compiled' }>;

/** Has the engine compile queries against the models of this workspace, including unsaved changes. */
export class EngineQueries {
  readonly #deps: EngineQueriesDeps;

  constructor(deps: EngineQueriesDeps) {
    this.#deps = deps;
  }

  listen(): void {
    const { connection } = this.#deps;
    connection.onRequest<QueryExplanation, void>(explainQuery, (params: ExplainQueryParams, token) =>
      this.explain(params, signalOf(token)),
    );
    connection.onRequest<PreAggregationProposal, void>(proposePreAggregation, (params: ExplainQueryParams, token) =>
      this.propose(params, signalOf(token)),
    );
    connection.onRequest<SqlAtPosition, void>(sqlAtPosition, (params: SqlAtPositionParams, token) =>
      this.sqlAt(params, signalOf(token)),
    );
  }

  /** Resolves to the SQL of a query and the pre-aggregation that serves it. */
  async explain(params: ExplainQueryParams, signal: AbortSignal): Promise<QueryExplanation> {
    const root = this.#deps.workspace.modelOf(normalizeUri(params.uri));
    return root ? this.#explain(root, params, [...root.index.files()], signal) : noModel;
  }

  /** Resolves to the file of a cube with a new pre-aggregation with which the engine serves the query. */
  async propose(params: ExplainQueryParams, signal: AbortSignal): Promise<PreAggregationProposal> {
    const root = this.#deps.workspace.modelOf(normalizeUri(params.uri));
    const before = await this.explain(params, signal);
    if (before.state !== 'compiled') return none(notCompiled(before));
    if (!root) return none('This is not part of a data model.');
    let refusal = whyNothingIsProposed(before);
    for (const rollup of before.proposed) {
      const proposal = await this.#tried(root, params, rollup, signal);
      if (proposal.state === 'proposed') return proposal;
      refusal = proposal.reason;
    }
    return none(refusal);
  }

  /** Adds a rollup to its cube's file; returns the file if the engine serves the query with that rollup. */
  async #tried(
    root: ModelRoot,
    params: ExplainQueryParams,
    rollup: ProposedRollup,
    signal: AbortSignal,
  ): Promise<PreAggregationProposal> {
    const written = rollupIn(root, rollup);
    if (!('text' in written)) return written;
    const { id, uri, text } = written;
    const files = [...root.index.files()].map((file) => (file.path === uri ? parseFile(uri, text) : file));
    const after = await this.#explain(root, params, files, signal);
    if (after.state !== 'compiled') return none(`The engine does not accept the proposed text: ${notCompiled(after)}`);
    const isUsed = after.candidates.some((candidate) => candidate.isUsed && candidate.id === id);
    return isUsed
      ? { state: 'proposed', uri, text, id }
      : none('The engine would not use the proposed pre-aggregation.');
  }

  /** Resolves to the SQL of the query, cube, view or member at a position. */
  async sqlAt({ uri, position, dialect, today }: SqlAtPositionParams, signal: AbortSignal): Promise<SqlAtPosition> {
    const { workspace } = this.#deps;
    const query = workspace.queries.get(normalizeUri(uri));
    if (query) {
      if (!query.file.query) return null;
      const explanation = await this.explain({ uri, query: query.file.query, dialect, today }, signal);
      return { name: query.file.title ?? 'Query', explanation };
    }
    const opened = workspace.get(normalizeUri(uri));
    const at = opened && queryAtOffset(opened, opened.positions.offsetAt(position));
    if (!at) return null;
    return { name: at.name, explanation: await this.explain({ uri, query: at.query, dialect, today }, signal) };
  }

  async #explain(
    root: ModelRoot,
    { query, dialect, today }: ExplainQueryParams,
    files: readonly ModelFile[],
    signal: AbortSignal,
  ): Promise<QueryExplanation> {
    const { engine, settings, connection } = this.#deps;
    const reason = whyNotCompiled(root, engine, settings(), true, files);
    if (reason !== undefined || !engine) return skipped(reason ?? '');
    const consent = settings().asksBeforeCompiling ? await consentTo(connection, root, false) : { may: true as const };
    if (!consent.may) return skipped(`The model was not compiled: ${consent.reason}`);
    const built = engineQuery(query, new Date(`${today}T00:00:00Z`));
    if (!built.ok) return { state: 'wrong', message: built.error };
    try {
      const answer = await engine.query(
        root.uri,
        { files: engineFiles(root.uri, files), query: built.value, dialect },
        signal,
      );
      switch (answer.kind) {
        case 'wrong':
          return { state: 'wrong', message: answer.message };
        case 'refused': {
          const foreign = foreignName(answer.errors);
          if (foreign !== undefined) return skipped(notHere(foreign, root));
          const errors = withoutFollowing(answer.errors, (name) => root.index.entity(name) !== undefined);
          return { state: 'refused', errors: errors.map(({ message }) => plainMessage(message)) };
        }
        default: {
          const { sql, values, preAggregations } = answer;
          return { state: 'compiled', sql, values, ...preAggregations };
        }
      }
    } catch (error) {
      if (signal.aborted) return skipped('It was cancelled.');
      connection.console.warn(`The engine could not compile a query: ${asError(error).message}`);
      return skipped(asError(error).message);
    }
  }
}

const noModel: QueryExplanation = { state: 'skipped', reason: 'This is not part of a data model.' };
const skipped = (reason: string): QueryExplanation => ({ state: 'skipped', reason });
const none = (reason: string): Extract<PreAggregationProposal, { readonly state: 'none' }> => ({
  state: 'none',
  reason,
});

function whyNothingIsProposed({ candidates }: Compiled): string {
  const used = candidates.find(({ isUsed }) => isUsed);
  return used
    ? `The pre-aggregation “${used.id}” serves this query already.`
    : 'No pre-aggregation can serve this query as it is.';
}

/** Returns the cube's file with the rollup, under a name that is not yet taken in the cube. */
function rollupIn(
  root: ModelRoot,
  rollup: ProposedRollup,
):
  | { readonly id: string; readonly uri: string; readonly text: string }
  | Extract<PreAggregationProposal, { readonly state: 'none' }> {
  const cube = root.index.entity(rollup.cube);
  const file = cube && root.index.placement(cube.chunk)?.file;
  if (!cube || !file) return none(`The cube “${rollup.cube}” is computed, so only you can edit it safely.`);
  const name = rollupName(rollup, new Set(root.index.membersOf(cube).byName.keys()));
  const written = writeRollup(file, rollup, name);
  return written.ok ? { id: `${rollup.cube}.${name}`, uri: file.path, text: written.value.text } : none(written.error);
}
