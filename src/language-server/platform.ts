import type { Connection } from 'vscode-languageserver';
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
 * client is asked when a document of the root is opened, and again when it says that something changed; nobody waits for an
 * answer, and without one everything works from the files alone.
 */
export class PlatformTruth {
  readonly #parts: PlatformDeps;
  readonly #asked = new Set<ModelRoot>();
  /** Names that the workspace was asked for last. */
  readonly #gone = new WeakMap<ModelRoot, readonly string[]>();

  constructor(parts: PlatformDeps) {
    this.#parts = parts;
  }

  listen(): void {
    const { documents, connection, workspace } = this.#parts;
    documents.onDidOpen(({ uri }) => this.#ask(uri));
    documents.onDidSave((uri) => {
      const root = workspace.rootOf(uri);
      if (root) void this.#askUses(root);
    });
    connection.onNotification(platformChanged, () => this.askAgain());
  }

  /** Asks for every root of which a document is open. */
  askAgain(): void {
    this.#asked.clear();
    for (const { uri } of this.#parts.documents.all()) this.#ask(uri);
  }

  #ask(uri: string): void {
    const root = this.#parts.workspace.rootOf(uri);
    if (!root || root.loose || root.mixed || this.#asked.has(root)) return;
    this.#asked.add(root);
    void this.#askModel(root);
    void this.#askBranch(root);
  }

  async #askModel(root: ModelRoot): Promise<void> {
    const params: PlatformModelParams = { root: root.uri };
    root.platform = (await this.#request<PlatformModel>(platformModel, params)) ?? undefined;
  }

  async #askBranch(root: ModelRoot): Promise<void> {
    const params: DeployBranchParams = { root: root.uri };
    const before = root.deployBranch;
    const answer = await this.#request<DeployBranchModel>(deployBranch, params);
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
    const uses = names.length === 0 ? [] : await this.#request<readonly WorkspaceUse[]>(workspaceUses, params);
    root.workspaceUses = uses ?? [];
    this.#parts.onDidLearn();
  }

  /** A client that does not know the request has no platform. */
  async #request<T>(method: string, params: object): Promise<T | null> {
    return this.#parts.connection.sendRequest<T | null>(method, params).catch(() => null);
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
