import type { Connection } from 'vscode-languageserver';
import { platformChanged, type PlatformModel, platformModel, type PlatformModelParams } from '#protocol/lsp.ts';
import type { OpenDocuments } from './documents.ts';
import type { ModelRoot, Workspace } from './workspace.ts';

/**
 * Gives each root what its environment runs. The client is asked when a document of the root is opened, and again when it
 * says that something changed; nobody waits for the answer, and without one everything works from the files alone.
 */
export class PlatformModels {
  readonly #connection: Connection;
  readonly #workspace: Workspace;
  readonly #documents: OpenDocuments;
  readonly #asked = new Set<ModelRoot>();

  constructor(connection: Connection, workspace: Workspace, documents: OpenDocuments) {
    this.#connection = connection;
    this.#workspace = workspace;
    this.#documents = documents;
  }

  /** Starts to listen; only for clients that say that they can answer. */
  listen(): void {
    this.#documents.onDidOpen(({ uri }) => this.#ask(uri));
    this.#connection.onNotification(platformChanged, () => this.askAgain());
    this.askAgain();
  }

  /** Asks for every root of which a document is open. */
  askAgain(): void {
    this.#asked.clear();
    for (const { uri } of this.#documents.all()) this.#ask(uri);
  }

  #ask(uri: string): void {
    const root = this.#workspace.rootOf(uri);
    if (!root || root.loose || this.#asked.has(root)) return;
    this.#asked.add(root);
    this.#connection
      .sendRequest<PlatformModel | null>(platformModel, { root: root.uri } satisfies PlatformModelParams)
      .then((model) => {
        root.platform = model ?? undefined;
      })
      // A client that does not know the request has no platform.
      .catch(() => undefined);
  }
}
