import { type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver';
import { isEqual } from '#base/equal.ts';
import {
  deployBranch,
  type DeployBranchModel,
  type DeployBranchParams,
  platformChanged,
  type PlatformModel,
  platformModel,
  type PlatformModelParams,
  type WorkspaceUse,
  workspaceUses,
  type WorkspaceUsesParams,
} from '#features/language/messages.ts';
import type { OpenDocuments } from './documents.ts';
import { goneNames } from './ide/branch-changes.ts';
import type { DeployBranch, ModelRoot, Workspace } from './workspace.ts';

export interface PlatformDeps {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly documents: OpenDocuments;
  /** What the deploy branch or the workspace says has changed: problems are to be shown again. */
  readonly onDidLearn: () => void;
}

/**
 * Gives each root what its environment runs, what the deploy branch holds, and what of the workspace uses what is gone. The
 * client is asked when a document of the root is opened, and again when it says that something changed; no request waits for
 * the answer. Without one what was known before stays, and the next document that is opened or saved asks again.
 */
export class PlatformTruth {
  readonly #parts: PlatformDeps;
  readonly #asked = new Set<ModelRoot>();
  /** Names that the workspace was asked for last. */
  readonly #gone = new WeakMap<ModelRoot, readonly string[]>();
  /** The last question of each kind about a root: an answer that comes after a later question is outdated. */
  readonly #last = new WeakMap<ModelRoot, Map<string, symbol>>();

  constructor(parts: PlatformDeps) {
    this.#parts = parts;
  }

  listen(): void {
    const { documents, connection, workspace } = this.#parts;
    documents.onDidOpen(({ uri }) => this.#ask(workspace.rootOf(uri)));
    documents.onDidSave((uri) => {
      const root = workspace.rootOf(uri);
      this.#ask(root);
      if (root) void this.#askUses(root);
    });
    connection.onNotification(platformChanged, () => this.askAgain());
  }

  /** Asks for every root that was asked for before, or of which a document is open. */
  askAgain(): void {
    const { documents, workspace } = this.#parts;
    const before = [...this.#asked].filter((root) => workspace.roots.includes(root));
    this.#asked.clear();
    for (const root of before) this.#ask(root);
    for (const { uri } of documents.all()) this.#ask(workspace.rootOf(uri));
  }

  #ask(root: ModelRoot | undefined): void {
    if (!root || root.loose || root.mixed || this.#asked.has(root)) return;
    this.#asked.add(root);
    void this.#askModel(root);
    void this.#askBranch(root);
  }

  async #askModel(root: ModelRoot): Promise<void> {
    const params: PlatformModelParams = { root: root.uri };
    const answer = await this.#request<PlatformModel>(root, platformModel, params);
    if (answer !== undefined) root.platform = answer ?? undefined;
  }

  async #askBranch(root: ModelRoot): Promise<void> {
    const params: DeployBranchParams = { root: root.uri };
    const answer = await this.#request<DeployBranchModel>(root, deployBranch, params);
    if (answer === undefined) return;
    const before = root.deployBranch;
    root.deployBranch = answer ? branchOf(answer) : undefined;
    if (!before && !root.deployBranch) return;
    this.#gone.delete(root);
    this.#parts.onDidLearn();
    await this.#askUses(root);
  }

  /** Reports and dashboards are asked for what is gone, when that is something else than before. */
  async #askUses(root: ModelRoot): Promise<void> {
    if (!root.deployBranch) return;
    const names = goneNames(root);
    if (isEqual(names, this.#gone.get(root) ?? [])) return;
    this.#gone.set(root, names);
    const params: WorkspaceUsesParams = { root: root.uri, names };
    const uses = await this.#request<readonly WorkspaceUse[]>(root, workspaceUses, params);
    if (uses === undefined) return;
    root.workspaceUses = uses ?? [];
    this.#parts.onDidLearn();
  }

  /**
   * The answer; `null` where there is nothing, `undefined` where nothing was learned: the platform could not be asked, so that
   * the next occasion asks again, or something newer was asked meanwhile.
   */
  async #request<T>(root: ModelRoot, method: string, params: object): Promise<T | null | undefined> {
    const question = Symbol(method);
    const last = this.#last.get(root) ?? new Map<string, symbol>();
    this.#last.set(root, last.set(method, question));
    const isLast = (): boolean => last.get(method) === question;
    try {
      const answer = await this.#parts.connection.sendRequest<T | null>(method, params);
      return isLast() ? answer : undefined;
    } catch (error) {
      // A client that does not know the request has no platform.
      if (error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound) return null;
      if (isLast()) {
        this.#asked.delete(root);
        this.#gone.delete(root);
      }
      return undefined;
    }
  }
}

function branchOf({ branch, cubes }: DeployBranchModel): DeployBranch {
  return {
    branch,
    cubes: new Map(
      cubes.map(({ name, kind, fingerprint, members }) => [
        name,
        { name, kind, fingerprint, members: new Map(members.map((member) => [member.name, member])) },
      ]),
    ),
  };
}
