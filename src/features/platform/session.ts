import * as v from 'valibot';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import { isEqual } from '#base/equal.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { type BranchTarget, deploymentKey, type DeploymentTarget } from '#shell/targets.ts';
import { type Account, type Accounts, comparableUrl } from '#features/accounts/index.ts';
import type { LinkedFolder } from './link.ts';
import type { StateStore } from '#shell/ports.ts';

const selectionKey = 'selection';
const selectionSchema = v.object({ accountId: v.string(), deploymentId: v.string() });
const lastFolderKey = 'lastFolder';
const bindingsKey = 'folderAccounts';
const bindingsSchema = v.array(v.object({ folderId: v.string(), accountId: v.string() }));
const devModeSchema = v.object({ active: v.optional(v.string()), mine: v.array(v.string()) });

interface DevModeState {
  /** The dev branch that saved files are uploaded to. */
  readonly active?: string | undefined;
  /** The dev branches that this user started. */
  readonly mine: readonly string[];
}

/**
 * The context of this window: its linked folders, the deployment whose branches and workspace are shown, and the dev branch of
 * each deployment. Dev mode belongs to a key (docs/platform-api.md#branches-and-dev-mode), so it is stored per account and shared
 * by all windows of the user; the shown deployment belongs to the window.
 */
export class Session implements Disposable {
  readonly #accounts: Accounts;
  readonly #window: StateStore;
  readonly #userState: StateStore;
  readonly #links = new Store<readonly LinkedFolder[]>([], isEqual);
  readonly #active = new Store<DeploymentTarget | undefined>(undefined, isEqual);
  readonly #used = new Store<DeploymentTarget | undefined>(undefined, isEqual);
  /** The linked folder of the active editor. */
  readonly #editing = new Store<string | undefined>(undefined);
  /** Whether the user has worked in a folder since a deployment was selected. */
  #isFolderLater = false;
  /** The folder that was used last, until it is stored. */
  #lastFolder: string | undefined;
  readonly #devModeChanged = new Emitter<DeploymentTarget>();
  readonly #bound = new Emitter<void>();
  readonly #found = Promise.withResolvers<void>();
  /** The last known dev mode of each deployment; another window of this user may have changed it since. */
  readonly #reported = new Map<string, DevModeState>();
  readonly #owned = new DisposableStore();

  constructor(options: { readonly accounts: Accounts; readonly window: StateStore; readonly userState: StateStore }) {
    this.#accounts = options.accounts;
    this.#window = options.window;
    this.#userState = options.userState;
    this.#owned.add(this.#accounts.all.onDidChange(() => this.#update()));
    this.#update();
  }

  get links(): ReadonlyStore<readonly LinkedFolder[]> {
    return this.#links;
  }

  /** The deployment that the Branches and Workspace views show. */
  get active(): ReadonlyStore<DeploymentTarget | undefined> {
    return this.#active;
  }

  /**
   * The deployment that the user works on, which the status bar shows: that of the folder whose file was edited last, or the shown
   * one if it was selected since.
   */
  get used(): ReadonlyStore<DeploymentTarget | undefined> {
    return this.#used;
  }

  /** The id of the linked folder whose file is in the active editor; `undefined` if there is none. */
  get editing(): ReadonlyStore<string | undefined> {
    return this.#editing;
  }

  /** Fires when the active dev branch of a deployment or the list of the user's own ones has changed. */
  get onDidChangeDevMode(): Event<DeploymentTarget> {
    return this.#devModeChanged.event;
  }

  /** Resolves when the window's folders were read for the first time. */
  get whenLinksFound(): Promise<void> {
    return this.#found.promise;
  }

  setLinks(links: readonly LinkedFolder[]): void {
    this.#links.set(links);
    this.#update();
    this.#found.resolve();
  }

  /** Returns the account and deployment that a folder is linked to; `undefined` if this user is not signed in there. */
  targetOf(folder: LinkedFolder): DeploymentTarget | undefined {
    this.#bound.track();
    const account = folder.link && this.#accountOf(folder.folderId, folder.link.tenantUrl);
    return account && folder.link && { accountId: account.id, deploymentId: folder.link.deploymentId };
  }

  /** Chooses the account of a folder if the user has several at its tenant. The choice is personal and not stored in the link. */
  async bind(folderId: string, accountId: string): Promise<void> {
    const others = this.#bindings().filter((binding) => binding.folderId !== folderId);
    await this.#userState.set(bindingsKey, [...others, { folderId, accountId }]);
    this.#bound.fire();
    this.#update();
  }

  /** Fires when a folder has another account. */
  get onDidBind(): Event<void> {
    return this.#bound.event;
  }

  folder(folderId: string): LinkedFolder | undefined {
    return this.#links.value.find((folder) => folder.folderId === folderId);
  }

  /** Returns the folders of this window that are linked to a deployment. */
  foldersOf(target: DeploymentTarget): readonly LinkedFolder[] {
    return this.#links.value.filter((folder) => isEqual(this.targetOf(folder), deploymentOnly(target)));
  }

  /**
   * Records that the user works in a folder. Unless the user selected a deployment, the one that the folder is linked to is
   * shown. A folder that is not linked changes nothing.
   */
  async use(folderId: string): Promise<void> {
    if (!this.folder(folderId)?.link) return;
    this.#isFolderLater = true;
    const isOther = this.#last() !== folderId;
    this.#lastFolder = folderId;
    this.#update();
    // What is shown does not wait for the store, nor depend on whether it can be written.
    if (isOther) await this.#window.set(lastFolderKey, folderId);
  }

  /** Records which linked folder the file in the active editor belongs to. */
  edit(folderId: string | undefined): void {
    this.#editing.set(folderId);
  }

  async select(target: DeploymentTarget): Promise<void> {
    await this.#window.set(selectionKey, deploymentOnly(target));
    this.#isFolderLater = false;
    this.#update();
  }

  /** Drops a selection, so that the window shows the deployment of its folders again. */
  async deselect(target: DeploymentTarget): Promise<void> {
    if (!isEqual(this.#window.get(selectionKey), deploymentOnly(target))) return;
    await this.#window.set(selectionKey, undefined);
    this.#update();
  }

  /** Returns the dev branch that saved files of this deployment are uploaded to. */
  activeBranch(target: DeploymentTarget): string | undefined {
    const state = this.#devMode(target);
    const key = devModeKey(target);
    if (!this.#reported.has(key)) this.#reported.set(key, state);
    return state.active;
  }

  myBranches(target: DeploymentTarget): ReadonlySet<string> {
    return new Set(this.#devMode(target).mine);
  }

  /** Returns the active dev branch of the shown deployment. */
  activeTarget(target = this.#active.value): BranchTarget | undefined {
    const branchName = target && this.activeBranch(target);
    return target && branchName !== undefined ? { ...target, branchName } : undefined;
  }

  /** Records that dev mode was started on a branch, which becomes active and the user's own. */
  enter(target: BranchTarget): Promise<void> {
    const { mine } = this.#devMode(target);
    return this.#setDevMode(target, {
      active: target.branchName,
      mine: [...new Set([...mine, target.branchName])],
    });
  }

  /** Records that no dev branch is active any more. */
  leave(target: DeploymentTarget): Promise<void> {
    return this.#setDevMode(target, { mine: this.#devMode(target).mine });
  }

  /** Reads the dev mode of the window's deployments again, and reports changes by other windows. */
  recheck(): void {
    const linked = this.#links.value.flatMap((folder) => this.targetOf(folder) ?? []);
    for (const target of [...linked, ...(this.#active.value ? [this.#active.value] : [])]) {
      const known = this.#reported.get(devModeKey(target));
      if (known && !isEqual(known, this.#devMode(target))) this.#report(target);
    }
  }

  /** Drops branches that no longer exist on the platform; resolves to whether the active one was among them. */
  async keepOnly(target: DeploymentTarget, existing: ReadonlySet<string>): Promise<boolean> {
    const { active, mine } = this.#devMode(target);
    const kept = mine.filter((name) => existing.has(name));
    const lost = active !== undefined && !existing.has(active);
    if (!lost && kept.length === mine.length) return false;
    await this.#setDevMode(target, { active: lost ? undefined : active, mine: kept });
    return lost;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#links.dispose();
    this.#active.dispose();
    this.#used.dispose();
    this.#editing.dispose();
    this.#devModeChanged.dispose();
    this.#bound.dispose();
  }

  #bindings(): v.InferOutput<typeof bindingsSchema> {
    const parsed = v.safeParse(bindingsSchema, this.#userState.get(bindingsKey));
    return parsed.success ? parsed.output : [];
  }

  /** Returns the chosen account of a folder if it is signed in at the link's tenant, or else the first account of that tenant. */
  #accountOf(folderId: string, tenantUrl: string): Account | undefined {
    const bound = this.#bindings().find((binding) => binding.folderId === folderId);
    const account = bound && this.#accounts.get(bound.accountId);
    return account && comparableUrl(account.tenantUrl) === comparableUrl(tenantUrl)
      ? account
      : this.#accounts.ofTenant(tenantUrl);
  }

  #devMode(target: DeploymentTarget): DevModeState {
    this.#devModeChanged.track();
    const parsed = v.safeParse(devModeSchema, this.#userState.get(devModeKey(target)));
    return parsed.success ? parsed.output : { mine: [] };
  }

  async #setDevMode(target: DeploymentTarget, state: DevModeState): Promise<void> {
    await this.#userState.set(devModeKey(target), state);
    this.#report(target);
  }

  #report(target: DeploymentTarget): void {
    this.#reported.set(devModeKey(target), this.#devMode(target));
    this.#devModeChanged.fire(deploymentOnly(target));
  }

  #update(): void {
    const [selected, linked] = [this.#selected(), this.#linked()];
    this.#active.set(selected ?? linked);
    this.#used.set((this.#isFolderLater ? linked : selected) ?? selected ?? linked);
  }

  #last(): unknown {
    return this.#lastFolder ?? this.#window.get(lastFolderKey);
  }

  #selected(): DeploymentTarget | undefined {
    const parsed = v.safeParse(selectionSchema, this.#window.get(selectionKey));
    return parsed.success && this.#account(parsed.output.accountId) ? parsed.output : undefined;
  }

  #linked(): DeploymentTarget | undefined {
    const last = this.#last();
    const isLast = ({ folderId }: LinkedFolder): boolean => folderId === last;
    for (const folder of [...this.#links.value.filter(isLast), ...this.#links.value]) {
      const target = this.targetOf(folder);
      if (target) return target;
    }
    return undefined;
  }

  #account(id: string): Account | undefined {
    return this.#accounts.get(id);
  }
}

/** Returns the two ids alone: tree nodes have more fields, which must not be stored or compared. */
export function deploymentOnly({ accountId, deploymentId }: DeploymentTarget): DeploymentTarget {
  return { accountId, deploymentId };
}

function devModeKey(target: DeploymentTarget): string {
  return `devMode.${deploymentKey(target)}`;
}
