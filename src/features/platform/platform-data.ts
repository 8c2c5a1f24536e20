import type { Client } from '#api/client.ts';
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
import { UserError } from '#shell/user-error.ts';
import type { WorkspaceFolder, WorkspaceItem } from './workspace-items.ts';
import { folderPage, type ReportOrder, reportPage, workbookPage } from './workspace-lists.ts';

/** What is loaded of one deployment. */
export interface DeploymentData {
  readonly environments: Resource<readonly Environment[]>;
  readonly versions: Resource<readonly VersionEntry[]>;
  readonly branches: Resource<readonly Branch[]>;
  /** The branch that the account's key is in dev mode on, as the platform says; the deploy branch when on none. */
  readonly keyBranch: Resource<string>;
  readonly folders: PagedList<WorkspaceFolder>;
  readonly reports: PagedList<WorkspaceItem>;
  /** Only asked for where the platform's description lists it. */
  readonly workbooks: PagedList<WorkspaceItem>;
  /** Reports and workbooks of one folder, by folder id; there from the first time it is opened. */
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

/** Everything that views show of the platform, kept per account; signing out drops it. */
export class PlatformData implements Disposable {
  readonly #accounts: Pick<Accounts, 'all' | 'get'>;
  readonly #connect: (account: Account) => Client;
  readonly #reportOrder: () => ReportOrder | undefined;
  readonly #data = new Map<string, AccountData>();
  readonly #changed = new Emitter<void>();
  /** What is held, or what it is shown with, is another; what a held resource says is in its own store. */
  readonly #held = new Emitter<void>();
  readonly #owned = new DisposableStore();

  constructor(options: {
    readonly accounts: Pick<Accounts, 'all' | 'get'>;
    readonly connect: (account: Account) => Client;
    /** How lists of reports are ordered when they are loaded. */
    readonly reportOrder?: () => ReportOrder | undefined;
  }) {
    this.#accounts = options.accounts;
    this.#connect = options.connect;
    this.#reportOrder = options.reportOrder ?? (() => undefined);
    this.#owned.add(this.#accounts.all.onDidChange((accounts) => this.#prune(accounts)));
  }

  /** Anything that a view may show has changed. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Something beside the data that views show has changed, for example what the platform offers. */
  touch(): void {
    this.#held.fire();
    this.#changed.fire();
  }

  /** The client of a signed-in account. */
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

  /** What is there of a deployment without asking for it. */
  known(target: DeploymentTarget): DeploymentData | undefined {
    this.#held.track();
    return this.#data.get(target.accountId)?.byDeployment.get(target.deploymentId);
  }

  /** The deployments of an account as far as they are loaded. */
  knownDeployments(accountId: string): readonly Deployment[] | undefined {
    this.#held.track();
    return this.#data.get(accountId)?.deployments.value;
  }

  /** The deployment's name; its id until the list is there. */
  nameOf(target: DeploymentTarget): string {
    return (
      this.knownDeployments(target.accountId)?.find((deployment) => deployment.id === target.deploymentId)?.name ??
      target.deploymentId
    );
  }

  /** The same for a title: an id alone would be read as a number of something. */
  titleOf(target: DeploymentTarget): string {
    const name = this.nameOf(target);
    return name === target.deploymentId ? `#${name}` : name;
  }

  /** Drops what is known of an account, so that the next read uses its new key. */
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
      throw new UserError('That account is signed out.', { title: 'Sign In', command: 'modelbench.signIn' });
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
