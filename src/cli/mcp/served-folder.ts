import type { McpServer } from '@modelcontextprotocol/server';
import type { ToolPorts } from '#tools/ports.ts';
import { isToolError } from '#tools/tool.ts';

/** A folder that a server can work on. */
export interface Folder {
  readonly ports: ToolPorts;
  /** Calls back when something below the folder of the model changes, until the returned function is called. */
  readonly watch?: ((onChange: () => void) => () => void) | undefined;
}

/** How long a client may take to list its roots, in milliseconds; after that it counts as having none. */
const ROOTS_TIMEOUT = 5000;

/**
 * The folder that a session works on. Where a client has roots, they choose it, and calls wait for them. A client that has listed the
 * files of the model is notified when there are others.
 */
export class ServedFolder {
  readonly #server: McpServer['server'];
  readonly #start: Folder;
  readonly #inRoots: ((roots: readonly string[]) => Folder) | undefined;
  #current: Folder;
  #rooted: Promise<void> = Promise.resolve();
  /** The paths that the client knows, as one text; `undefined` until it lists them. */
  #known: string | undefined;
  #unwatch: (() => void) | undefined;
  /** How often a comparison was asked for since the one that is under way began. */
  #checks = 0;

  /** `inRoots` returns the folder for the URIs of a client's roots; absent if no root changes the folder. */
  constructor({ server }: McpServer, start: Folder, inRoots: ((roots: readonly string[]) => Folder) | undefined) {
    this.#server = server;
    this.#start = start;
    this.#current = start;
    this.#inRoots = inRoots;
    if (inRoots) {
      server.oninitialized = () => this.#readRoots();
      server.setNotificationHandler('notifications/roots/list_changed', () => this.#readRoots());
    }
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library has no other way
    server.onclose = () => this.#unwatch?.();
  }

  /** Resolves to what tools can use of the folder. */
  async ports(): Promise<ToolPorts> {
    await this.#rooted;
    return this.#current.ports;
  }

  /** Resolves to the files of the model, for a client that wants to know of others from now on. */
  async list(signal: AbortSignal): Promise<readonly string[]> {
    const paths = await this.#paths(signal);
    this.#known = idOf(paths);
    this.#unwatch ??= this.#current.watch?.(() => void this.notifyOfChanges());
    return paths;
  }

  /** Notifies the client if there are other files than those that it knows. Never rejects. */
  async notifyOfChanges(): Promise<void> {
    // Hundreds of files can change at once, as in a checkout.
    this.#checks += 1;
    if (this.#checks > 1) return;
    for (let asked = 0; asked !== this.#checks;) {
      asked = this.#checks;
      await this.#compare();
    }
    this.#checks = 0;
  }

  async #compare(): Promise<void> {
    if (this.#known === undefined) return;
    const now = await this.#paths(new AbortController().signal).then(idOf, () => undefined);
    if (now === undefined || now === this.#known) return;
    this.#known = now;
    // A client that has disconnected needs no notice.
    await this.#server.sendResourceListChanged().catch(() => undefined);
  }

  async #paths(signal: AbortSignal): Promise<readonly string[]> {
    try {
      return [...(await (await this.ports()).model(signal)).files.keys()];
    } catch (error) {
      // A folder without a model has no files.
      if (isToolError(error)) return [];
      throw error;
    }
  }

  #readRoots(): void {
    this.#rooted = this.#rooted.then(async () => {
      const roots = await this.#roots();
      this.#current = roots.length === 0 ? this.#start : (this.#inRoots?.(roots) ?? this.#start);
      this.#unwatch?.();
      this.#unwatch = this.#known === undefined ? undefined : this.#current.watch?.(() => void this.notifyOfChanges());
    });
    void this.#rooted.then(async () => this.notifyOfChanges());
  }

  async #roots(): Promise<readonly string[]> {
    if (!this.#server.getClientCapabilities()?.roots) return [];
    try {
      // Newer versions of the protocol have no such request, and their clients no such capability.
      return (await this.#server.listRoots({}, { timeout: ROOTS_TIMEOUT })).roots.map(({ uri }) => uri);
    } catch {
      return [];
    }
  }
}

function idOf(paths: readonly string[]): string {
  return JSON.stringify(paths);
}
