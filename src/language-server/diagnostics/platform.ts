import { type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver';
import { isEqual } from '#base/equal.ts';
import {
  deployBranch,
  type DeployBranchModel,
  type DeployBranchParams,
  type PlatformChange,
  platformChanged,
  type PlatformModel,
  platformModel,
  type PlatformModelParams,
  type WorkspaceUse,
  workspaceUses,
  type WorkspaceUsesParams,
} from '#features/language/messages.ts';
import type { OpenDocuments } from '#language-server/documents/documents.ts';
import type { PlatformChecks } from './platform-checks.ts';
import { goneNames } from '#language-server/ide/branch-changes.ts';
import type { DeployedModel, ModelRoot, Workspace } from '#language-server/workspace/workspace.ts';

export interface PlatformDeps {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly documents: OpenDocuments;
  /** Called when the data about the deploy branch or the workspace has changed: problems have to be published again. */
  readonly onDidLearn: () => void;
  /** Validates models; absent where nothing does. */
  readonly validation?: (() => Pick<PlatformChecks, 'startOver' | 'validateAgain'>) | undefined;
}

/**
 * Gives each root the model that its environment runs, the members of the deploy branch, and the workspace's uses of deleted
 * members. It asks the client when a document of the root is opened, and again when the client reports a change; no request waits
 * for the answer. If there is none, the previous data stays, and the next document that is opened or saved asks again.
 */
export class PlatformState {
  readonly #parts: PlatformDeps;
  readonly #requested = new Set<ModelRoot>();
  /** The names in the last request for uses in the workspace. */
  readonly #gone = new WeakMap<ModelRoot, readonly string[]>();
  /** The last request of each kind about a root: an answer to an earlier one is outdated. */
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
    connection.onNotification(platformChanged, (params?: PlatformChange) => {
      if (params?.validate !== undefined) {
        this.#parts.validation?.().validateAgain(params.validate);
        return;
      }
      if (params?.isOtherBranch === true) this.#parts.validation?.().startOver();
      this.askAgain();
    });
  }

  /** Asks again for every root that was asked for before, or that has an open document. */
  askAgain(): void {
    const { documents, workspace } = this.#parts;
    const before = [...this.#requested].filter((root) => workspace.roots.includes(root));
    this.#requested.clear();
    for (const root of before) this.#ask(root);
    for (const { uri } of documents.all()) this.#ask(workspace.rootOf(uri));
  }

  #ask(root: ModelRoot | undefined): void {
    if (!root || root.isStandalone || root.mixed || this.#requested.has(root)) return;
    this.#requested.add(root);
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

  /** Asks for uses of deleted members in reports and dashboards, if those members have changed since the last time. */
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
   * Resolves to the answer; to `null` if there is nothing. Resolves to `undefined` if the platform could not be asked, so that
   * the next occasion asks again, or if a newer request was sent meanwhile.
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
        this.#requested.delete(root);
        this.#gone.delete(root);
      }
      return undefined;
    }
  }
}

function branchOf({ branch, cubes }: DeployBranchModel): DeployedModel {
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
