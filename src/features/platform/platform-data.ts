import type { Client } from '#api/client/client.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { Account, Accounts } from '#features/accounts/index.ts';
import type { Branch } from './branches.ts';
import type { Deployment, Environment, VersionEntry } from './deployments.ts';
import { fetchBranches, fetchDeployments, fetchEnvironments, fetchKeyBranch, fetchVersions } from './gateway.ts';
import { PagedList } from './paged-list.ts';
import { type Loadable, Resource } from './resource.ts';
import { Hint } from '#shell/user-error.ts';
import type { WorkspaceFolder, WorkspaceItem } from './workspace-items.ts';
import { folderPage, type ReportOrder, reportPage, workbookPage } from './workspace-lists.ts';

/** The data of one deployment. */
export interface DeploymentData {
  readonly environments: Resource<readonly Environment[]>;
  readonly versions: Resource<readonly VersionEntry[]>;
  readonly branches: Resource<readonly Branch[]>;
  /** The branch on which the account's key is in dev mode according to the platform; the deploy branch if there is none. */
  readonly keyBranch: Resource<string>;
  readonly folders: PagedList<WorkspaceFolder>;
  readonly reports: PagedList<WorkspaceItem>;
  /** Requested only if the platform's description lists the operation. */
  readonly workbooks: PagedList<WorkspaceItem>;
  /** The reports and workbooks of each folder, by folder id; a folder is added when it is first opened. */
  readonly contents: ReadonlyMap<string, FolderContents>;
  openFolder(folderId: string): FolderContents;
}

export interface FolderContents {
  readonly reports: PagedList<WorkspaceItem>;
  readonly workbooks: PagedList<WorkspaceItem>;
}

interface AccountData {
  readonly account: Account;
  readonly client: Client;
  readonly deployments: Resource<readonly Deployment[]>;
  readonly byDeployment: Map<string, DeploymentData>;
  readonly owned: DisposableStore;
}

/** The platform's data that views show, cached per account until it signs out. */
export class PlatformData implements Disposable {
  readonly #accounts: Pick<Accounts, 'all' | 'get'>;
  readonly #connect: (account: Account) => Client;
  readonly #reportOrder: () => ReportOrder | undefined;
  readonly #data = new Map<string, AccountData>();
  readonly #changed = new Emitter<void>();
  /**
   * Fires when a resource is added or dropped, or when other inputs of the views change. Each resource has a store for its own
   * state.
   */
  readonly #held = new Emitter<void>();
  readonly #owned = new DisposableStore();

  constructor(options: {
    readonly accounts: Pick<Accounts, 'all' | 'get'>;
    readonly connect: (account: Account) => Client;
    /** Returns the order in which reports are loaded. */
    readonly reportOrder?: () => ReportOrder | undefined;
  }) {
    this.#accounts = options.accounts;
    this.#connect = options.connect;
    this.#reportOrder = options.reportOrder ?? (() => undefined);
    this.#owned.add(this.#accounts.all.onDidChange((accounts) => this.#prune(accounts)));
  }

  /** Fires when anything that a view may show has changed. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Reports a change outside the data that affects views, for example in the operations that the platform offers. */
  touch(): void {
    this.#held.fire();
    this.#changed.fire();
  }

  /** Returns the client of a signed-in account; throws `UserError` if it is signed out. */
  client(accountId: string): Client {
    return this.#of(accountId).client;
  }

  deployments(accountId: string): Resource<readonly Deployment[]> {
    return this.#of(accountId).deployments;
  }

  of(target: DeploymentTarget): DeploymentData {
    const data = this.#of(target.accountId);
    let found = data.byDeployment.get(target.deploymentId);
    if (!found) {
      found = this.#deploymentData(data, target.deploymentId);
      data.byDeployment.set(target.deploymentId, found);
      this.#held.fire();
    }
    return found;
  }

  /** Returns the data of a deployment if it was used before, without requesting it. */
  known(target: DeploymentTarget): DeploymentData | undefined {
    this.#held.track();
    return this.#data.get(target.accountId)?.byDeployment.get(target.deploymentId);
  }

  /** Returns the deployments of an account if they are loaded. */
  knownDeployments(accountId: string): readonly Deployment[] | undefined {
    this.#held.track();
    return this.#data.get(accountId)?.deployments.value;
  }

  /** Returns the deployment's name, or its id until the list is loaded. */
  nameOf(target: DeploymentTarget): string {
    return (
      this.knownDeployments(target.accountId)?.find((deployment) => deployment.id === target.deploymentId)?.name ??
      target.deploymentId
    );
  }

  /** Returns the same for a title, with `#` before an id, which would otherwise look like a count. */
  titleOf(target: DeploymentTarget): string {
    const name = this.nameOf(target);
    return name === target.deploymentId ? `#${name}` : name;
  }

  /** Drops the data of an account, so that the next read uses its new key. */
  forget(accountId: string): void {
    this.#data.get(accountId)?.owned.dispose();
    if (this.#data.delete(accountId)) this.touch();
  }

  dispose(): void {
    for (const { owned } of this.#data.values()) owned.dispose();
    this.#data.clear();
    this.#owned.dispose();
    this.#changed.dispose();
  }

  #of(accountId: string): AccountData {
    this.#held.track();
    const known = this.#data.get(accountId);
    if (known) return known;
    const account = this.#accounts.get(accountId);
    if (!account) {
      throw new Hint('That account is signed out.', { title: 'Sign In', command: 'modelbench.signIn' });
    }
    const client = this.#connect(account);
    const owned = new DisposableStore();
    const deployments = this.#watched(owned, new Resource((signal) => fetchDeployments(client, signal)));
    const data: AccountData = { account, client, deployments, byDeployment: new Map(), owned };
    this.#data.set(accountId, data);
    this.#held.fire();
    return data;
  }

  #deploymentData({ client, owned }: AccountData, id: string): DeploymentData {
    const watched = <T extends Watchable>(part: T): T => this.#watched(owned, part);
    const items = (folderId?: string): FolderContents => ({
      reports: watched(
        new PagedList((after, signal) =>
          reportPage(client, id, { after, folderId, sortBy: this.#reportOrder() }, signal),
        ),
      ),
      workbooks: watched(new PagedList((after, signal) => workbookPage(client, id, { after, folderId }, signal))),
    });
    const contents = new Map<string, FolderContents>();
    return {
      environments: watched(new Resource((signal) => fetchEnvironments(client, id, signal))),
      versions: watched(new Resource((signal) => fetchVersions(client, id, signal))),
      branches: watched(new Resource((signal) => fetchBranches(client, id, signal))),
      keyBranch: watched(new Resource((signal) => fetchKeyBranch(client, id, signal))),
      folders: watched(new PagedList((after, signal) => folderPage(client, id, { after }, signal))),
      ...items(),
      contents,
      openFolder: (folderId) => {
        const opened = contents.get(folderId) ?? items(folderId);
        contents.set(folderId, opened);
        this.#held.fire();
        return opened;
      },
    };
  }

  #watched<T extends Watchable>(owned: DisposableStore, part: T): T {
    owned.add(part);
    owned.add(part.state.onDidChange(() => this.#changed.fire()));
    return part;
  }

  #prune(accounts: readonly Account[]): void {
    const here = new Set(accounts.map((account) => account.id));
    for (const id of this.#data.keys()) if (!here.has(id)) this.forget(id);
  }
}

interface Watchable extends Disposable {
  readonly state: ReadonlyStore<Loadable<unknown>>;
}
