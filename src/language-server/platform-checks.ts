import { CancellationTokenSource, type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver';
import { placedRefusals } from '#model/engine-refusals.ts';
import { withoutFollowing } from '#model/following-errors.ts';
import {
  type PlatformReport,
  type PlatformVerdict,
  validateOnPlatform,
  type ValidateOnPlatformParams,
} from '#features/language/messages.ts';
import type { OpenDocuments } from './documents.ts';
import { compiledModel } from './engine-texts.ts';
import { hasErrors } from './ide/diagnostics.ts';
import type { ModelRoot, Workspace } from './workspace.ts';

export interface PlatformCheckDeps {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly documents: OpenDocuments;
  /** Called when the problems have to be published again; the report is for the status item. */
  readonly onDidCheck: (report: PlatformReport | undefined) => void;
}

/**
 * Has the platform validate the branch of a model when one of its documents is saved. The client waits until the branch has the
 * saved text; a later save cancels the request. Earlier errors stay until the answer arrives, except where the user edits.
 */
export class PlatformChecks {
  readonly #deps: PlatformCheckDeps;
  readonly #running = new Map<ModelRoot, CancellationTokenSource>();
  /** The client does not know the request. */
  #isUnknown = false;

  constructor(deps: PlatformCheckDeps) {
    this.#deps = deps;
  }

  listen(): void {
    this.#deps.documents.onDidSave((uri) => {
      const root = this.#deps.workspace.rootOf(uri);
      if (root && !root.isStandalone && !root.mixed && !this.#isUnknown) void this.#validate(root);
    });
  }

  /** Takes back what was found on the branches of before: the client works on other ones now. */
  forget(): void {
    for (const question of this.#running.values()) question.cancel();
    this.#running.clear();
    let hadAny = false;
    for (const root of this.#deps.workspace.roots) {
      hadAny ||= root.deployed !== undefined;
      root.deployed = undefined;
    }
    if (hadAny) this.#deps.onDidCheck(undefined);
  }

  async #validate(root: ModelRoot): Promise<void> {
    this.#running.get(root)?.cancel();
    const question = new CancellationTokenSource();
    this.#running.set(root, question);
    if (root.deployed) root.deployed = { ...root.deployed, isCurrent: false };
    const sent = new Set([...root.index.files()].flatMap(({ chunks }) => chunks.map(({ chunk }) => chunk)));
    const before = compiledModel(root);
    // The names of now are read now.
    before.fileNamed('');
    const verdict = await this.#ask(root, question);
    if (this.#running.get(root) !== question) return;
    this.#running.delete(root);
    const had = root.deployed !== undefined;
    root.deployed = undefined;
    if (verdict?.state === 'compiled') {
      const here = compiledModel(root);
      // What is wrong in a file that was removed or renamed meanwhile is no longer true of this model.
      const isGone = (name: string): boolean => before.fileNamed(name) !== undefined && !here.fileNamed(name);
      const current = verdict.errors.filter(({ fileName }) => fileName === undefined || !isGone(fileName));
      const errors = withoutFollowing(current, (name) => root.index.entity(name) !== undefined);
      const found = placedRefusals(errors, here, () => hasErrors(root, this.#deps.workspace));
      root.deployed = {
        version: verdict.version,
        problems: found.filter(({ chunk }) => sent.has(chunk)),
        isCurrent: true,
        isWhole: found.length === errors.length,
      };
    }
    if (verdict || had) this.#deps.onDidCheck(verdict && reportOf(verdict));
  }

  /** Resolves to `undefined` if the platform cannot be reached, or if there is nothing to validate. */
  async #ask(root: ModelRoot, { token }: CancellationTokenSource): Promise<PlatformVerdict | undefined> {
    const params: ValidateOnPlatformParams = { root: root.uri };
    try {
      const verdict = await this.#deps.connection.sendRequest<PlatformVerdict | null>(
        validateOnPlatform,
        params,
        token,
      );
      return verdict ?? undefined;
    } catch (error) {
      this.#isUnknown = error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound;
      return undefined;
    }
  }
}

function reportOf(given: PlatformVerdict): PlatformReport {
  const { branch, version } = given;
  if (given.state === 'skipped') return { branch, version, verdict: { state: 'skipped', reason: given.reason } };
  const errors = given.errors.length;
  return { branch, version, verdict: errors === 0 ? { state: 'accepted' } : { state: 'refused', errors } };
}
