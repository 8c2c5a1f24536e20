import type { Connection } from 'vscode-languageserver';
import { asError } from '#base/async.ts';
import { compiledHere, foreignName, placedRefusals, withoutOmitted } from '#model/engine/engine-refusals.ts';
import { withoutFollowing } from '#model/engine/following-errors.ts';
import {
  checkProposal,
  type CheckProposalParams,
  checkWithEngine,
  type CheckWithEngineParams,
  type EngineReport,
  type LanguageSettings,
  type ProposalVerdict,
} from '#features/language/messages.ts';
import type { OpenDocuments } from '#language-server/documents/documents.ts';
import { consentTo, notHere, whyNotCompiled } from './engine-admission.ts';
import { compiledModel, engineFiles } from './engine-texts.ts';
import { hasErrors } from '#language-server/ide/diagnostics.ts';
import type { Engine } from '#language-server/host.ts';
import { type ProposedFile, ProposedModel } from './proposed-model.ts';
import { signalOf } from './signal-of.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';
import type { ModelRoot, Workspace } from '#language-server/workspace/workspace.ts';

export interface EngineCheckDeps {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly documents: OpenDocuments;
  readonly engine: Engine | undefined;
  readonly settings: () => LanguageSettings;
  /** Called when the problems have to be published again; the report is for the status item. */
  readonly onDidCheck: (report: EngineReport, root: ModelRoot) => void;
}

/**
 * Has the engine compile a model when one of its documents is saved. An error is stored with the item that it concerns and
 * disappears when the user edits that item: until the next save, it is unknown whether it still applies. One check runs at a
 * time; saves during a check lead to one more.
 */
export class EngineChecks {
  readonly #parts: EngineCheckDeps;
  readonly #running = new Map<ModelRoot, Promise<EngineReport>>();
  readonly #again = new Set<ModelRoot>();

  constructor(parts: EngineCheckDeps) {
    this.#parts = parts;
  }

  listen(): void {
    const { connection } = this.#parts;
    connection.onRequest<EngineReport, void>(checkWithEngine, (params: CheckWithEngineParams) =>
      this.check(normalizeUri(params.uri)),
    );
    connection.onRequest<ProposalVerdict, void>(checkProposal, (params: CheckProposalParams, token) =>
      this.checkProposal(
        params.files.map(({ uri, text }) => ({ uri: normalizeUri(uri), text })),
        signalOf(token),
      ),
    );
    this.#parts.documents.onDidSave((uri) => {
      const root = this.#parts.workspace.rootOf(uri);
      if (root && this.#parts.settings().engineCheck === 'onSave') void this.#saved(root);
    });
  }

  /** Compiles the model of a document or folder now, regardless of its size. */
  async check(uri: string): Promise<EngineReport> {
    const root = this.#parts.workspace.modelOf(uri);
    if (!root) return { state: 'skipped', reason: 'This is not part of a data model.' };
    await this.#running.get(root);
    return this.#start(root, { anySize: true });
  }

  /**
   * Has the engine check a model with the proposed texts of some files. If the engine refuses it, the engine also checks the
   * current model: only new errors count against the proposal.
   */
  async checkProposal(proposed: readonly ProposedFile[], signal: AbortSignal): Promise<ProposalVerdict> {
    const root = this.#parts.workspace.rootOf(proposed[0]?.uri ?? '');
    const { engine, settings, connection } = this.#parts;
    if (!root) return { state: 'skipped', reason: 'The file is not part of a data model.' };
    const model = new ProposedModel(root, proposed);
    const reason = whyNotCompiled(root, engine, settings(), false, model.files);
    if (reason !== undefined || !engine) return { state: 'skipped', reason: reason ?? '' };
    const consent = settings().asksBeforeCompiling
      ? await consentTo(connection, root, false, model.hasScripts)
      : { may: true as const };
    if (!consent.may) return { state: 'skipped', reason: upperFirst(consent.reason) };
    try {
      const found = await engine.check(root.uri, model.engineFiles, signal);
      if (found.length === 0) return { state: 'accepted' };
      const foreign = foreignName(found);
      if (foreign !== undefined) return { state: 'skipped', reason: notHere(foreign, root) };
      const known = new Set(
        (await engine.check(root.uri, engineFiles(root.uri, root.index.files()), signal)).map(({ message }) => message),
      );
      const fresh = found.filter(({ message }) => !known.has(message));
      if (fresh.length === 0)
        return { state: 'skipped', reason: 'The engine already refuses the model without this change.' };
      return { state: 'refused', errors: model.placed(fresh) };
    } catch (error) {
      if (signal.aborted) return { state: 'skipped', reason: 'The check was cancelled.' };
      connection.console.warn(`The engine could not check a proposal: ${asError(error).message}`);
      return { state: 'skipped', reason: asError(error).message };
    }
  }

  async #saved(root: ModelRoot): Promise<void> {
    const running = this.#running.get(root);
    if (!running) {
      await this.#start(root, { anySize: false });
      return;
    }
    if (this.#again.has(root)) return;
    this.#again.add(root);
    await running;
    this.#again.delete(root);
    await this.#saved(root);
  }

  async #start(root: ModelRoot, { anySize }: { readonly anySize: boolean }): Promise<EngineReport> {
    const run = this.#run(root, anySize);
    this.#running.set(root, run);
    const report = await run;
    this.#running.delete(root);
    this.#parts.onDidCheck(report, root);
    return report;
  }

  async #run(root: ModelRoot, anySize: boolean): Promise<EngineReport> {
    const { engine, settings, connection } = this.#parts;
    const compiled = compiledHere(root.index);
    const reason = whyNotCompiled(root, engine, settings(), anySize, compiled.files);
    root.compiled = undefined;
    if (reason !== undefined || !engine) return { state: 'skipped', reason: reason ?? '' };
    const consent = settings().asksBeforeCompiling
      ? await consentTo(connection, root, anySize)
      : { may: true as const };
    if (!consent.may) return { state: 'skipped', reason: consent.reason };
    try {
      const sent = new Set([...root.index.files()].flatMap(({ chunks }) => chunks.map(({ chunk }) => chunk)));
      const answer = await engine.check(root.uri, engineFiles(root.uri, compiled.files));
      const foreign = foreignName(answer);
      if (foreign !== undefined) return { state: 'skipped', reason: notHere(foreign, root) };
      const refusals = withoutOmitted(answer, root.index, compiled);
      const errors = withoutFollowing(refusals, (name) => root.index.entity(name) !== undefined);
      // Items that were edited while the engine worked are not the ones that it read.
      const found = placedRefusals(errors, compiledModel(root), () => hasErrors(root, this.#parts.workspace));
      root.compiled = { problems: found.filter(({ chunk }) => sent.has(chunk)), isCurrent: true };
      const omitted = compiled.omitted === 0 ? {} : { omitted: compiled.omitted };
      return errors.length === 0
        ? { state: 'accepted', ...omitted }
        : { state: 'refused', errors: errors.length, ...omitted };
    } catch (error) {
      connection.console.warn(`The engine could not check the model: ${asError(error).message}`);
      return { state: 'skipped', reason: 'The engine failed; see the log for the reason.' };
    }
  }
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
