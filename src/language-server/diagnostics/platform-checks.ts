import { CancellationTokenSource, type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver';
import { placedRefusals } from '#model/engine/engine-refusals.ts';
import { withoutFollowing } from '#model/engine/following-errors.ts';
import {
  type PlatformReport,
  type PlatformVerdict,
  validateOnPlatform,
  type ValidateOnPlatformParams,
} from '#features/language/messages.ts';
import type { OpenDocuments } from '#language-server/documents/documents.ts';
import { compiledModel } from '#language-server/engine-requests/engine-texts.ts';
import { hasErrors } from '#language-server/ide/diagnostics.ts';
import type { ModelRoot, Workspace } from '#language-server/workspace/workspace.ts';

/** Most errors of one answer that are placed in the model: more are too many to read, and each takes a while in a large model. */
const MOST_PLACED = 500;

export interface PlatformCheckDeps {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly documents: OpenDocuments;
  /** Called when the problems and `reports` have to be published again. */
  readonly onDidCheck: () => void;
}

/**
 * Has the platform validate the branch of a model when one of its documents is saved. The client waits until the branch has the
 * saved text; a later save cancels the request. Earlier errors stay until the answer arrives, except where the user edits. Without an
 * answer they go, because they are about an earlier text; the report says why.
 */
export class PlatformChecks {
  readonly #deps: PlatformCheckDeps;
  readonly #running = new Map<ModelRoot, CancellationTokenSource>();
  /** The last report on each root that was validated; undefined while there is none. */
  readonly #reports = new Map<ModelRoot, PlatformReport | undefined>();
  /** The client does not know the request. */
  #isUnknown = false;

  constructor(deps: PlatformCheckDeps) {
    this.#deps = deps;
  }

  /** The last report on each model, in the order of the models. */
  get reports(): readonly PlatformReport[] {
    return this.#deps.workspace.roots.flatMap((root) => this.#reports.get(root) ?? []);
  }

  listen(): void {
    this.#deps.documents.onDidSave((uri) => {
      const root = this.#deps.workspace.rootOf(uri);
      if (root && !root.isStandalone && !root.mixed && !this.#isUnknown) void this.#validate(root);
    });
  }

  /**
   * Takes back what was found on the branches of before, and validates those of now: the client works on another branch of one of
   * these models, or with another account.
   */
  startOver(): void {
    const before = [...this.#reports.keys()].filter((root) => this.#isOpen(root));
    const hadAny = before.some((root) => root.deployed !== undefined || this.#reports.get(root) !== undefined);
    for (const question of this.#running.values()) question.cancel();
    this.#running.clear();
    this.#reports.clear();
    for (const root of before) root.deployed = undefined;
    if (hadAny) this.#deps.onDidCheck();
    for (const root of before) void this.#validate(root);
  }

  /** Validates a root (a URI) that could not be validated when it was saved, unless a later save does that already. */
  validateAgain(uri: string): void {
    const root = this.#deps.workspace.roots.find((each) => each.uri === uri);
    if (root && this.#reports.has(root) && !this.#running.has(root)) void this.#validate(root);
  }

  #isOpen(root: ModelRoot): boolean {
    return this.#deps.workspace.roots.includes(root);
  }

  async #validate(root: ModelRoot): Promise<void> {
    this.#running.get(root)?.cancel();
    const question = new CancellationTokenSource();
    this.#running.set(root, question);
    this.#reports.set(root, this.#reports.get(root));
    if (root.deployed) root.deployed = { ...root.deployed, isCurrent: false };
    const sent = new Set([...root.index.files()].flatMap(({ chunks }) => chunks.map(({ chunk }) => chunk)));
    const before = compiledModel(root);
    // The names of now are read now.
    before.fileNamed('');
    const verdict = await this.#ask(root, question);
    if (this.#running.get(root) !== question) return;
    this.#running.delete(root);
    if (!this.#isOpen(root)) {
      this.#reports.delete(root);
      return;
    }
    const had = root.deployed !== undefined || this.#reports.get(root) !== undefined;
    root.deployed = undefined;
    this.#reports.set(root, verdict && reportOf(verdict));
    if (verdict?.state === 'compiled') {
      const here = compiledModel(root);
      // What is wrong in a file that was removed or renamed meanwhile is no longer true of this model.
      const isGone = (name: string): boolean => before.fileNamed(name) !== undefined && !here.fileNamed(name);
      const judged = verdict.errors.slice(0, MOST_PLACED);
      const current = judged.filter(({ fileName }) => fileName === undefined || !isGone(fileName));
      const errors = withoutFollowing(current, (name) => root.index.entity(name) !== undefined);
      const found = placedRefusals(errors, here, () => hasErrors(root, this.#deps.workspace));
      root.deployed = {
        version: verdict.version,
        problems: found.filter(({ chunk }) => sent.has(chunk)),
        isCurrent: true,
        isWhole: found.length === errors.length && judged.length === verdict.errors.length,
      };
    }
    if (verdict || had) this.#deps.onDidCheck();
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
