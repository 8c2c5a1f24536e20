import { isPlatformError } from '#api/errors.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { PlatformData, Session } from '#features/platform/index.ts';
import type { SyncSession } from './sync-sessions.ts';

/** A deployment or branch that this window works on and that the platform no longer has; the local files are untouched. */
export type DeletedTarget =
  | { readonly kind: 'deployment'; readonly target: DeploymentTarget; readonly name: string }
  | { readonly kind: 'branch'; readonly target: DeploymentTarget; readonly name: string };

/** Detects that the shown deployment or the active dev branch was deleted elsewhere, and deselects it. */
export class DeletionWatch {
  readonly #data: PlatformData;
  readonly #session: Session;
  /** Errors that have already led to a refresh of the lists. */
  readonly #checked = new WeakSet<Error>();
  readonly #reported = new Set<string>();
  #name: readonly [string, string] | undefined;

  constructor({ data, session }: { readonly data: PlatformData; readonly session: Session }) {
    this.#data = data;
    this.#session = session;
  }

  /** Checks the loaded lists; only complete, fresh ones count. Resolves to what is gone and was not reported before. */
  async check(): Promise<readonly DeletedTarget[]> {
    const target = this.#session.active.value;
    const known = target && this.#data.known(target);
    if (!target || !known) return [];
    this.#readError(target);
    const gone = [...(await this.#deployment(target)), ...(await this.#branch(target))];
    return gone;
  }

  /** Refreshes the branches when a sync is refused or finds nothing, to learn whether its branch still exists. */
  checkAfter({ sync, target }: Pick<SyncSession, 'sync' | 'target'>): void {
    const { error } = sync.status.value;
    if (!isPlatformError(error, 'notFound') && !isPlatformError(error, 'forbidden')) return;
    if (this.#checked.has(error)) return;
    this.#checked.add(error);
    const { branches, keyBranch } = this.#data.of(target);
    void branches.refresh();
    void keyBranch.refresh();
  }

  /** Refreshes the deployments when branches are not found: their deployment may be gone. */
  #readError(target: DeploymentTarget): void {
    const error = this.#data.known(target)?.branches.state.value.error;
    if (!isPlatformError(error, 'notFound') || this.#checked.has(error)) return;
    this.#checked.add(error);
    void this.#data.deployments(target.accountId).refresh();
  }

  async #deployment(target: DeploymentTarget): Promise<readonly DeletedTarget[]> {
    const { value, error, loading } = this.#data.deployments(target.accountId).state.value;
    const key = JSON.stringify([target.accountId, target.deploymentId]);
    const found = value?.find(({ id }) => id === target.deploymentId);
    if (found) {
      this.#name = [key, found.name];
      this.#reported.delete(key);
      return [];
    }
    if (value === undefined || error || loading || this.#reported.has(key)) return [];
    this.#reported.add(key);
    await this.#session.deselect(target);
    const name = this.#name?.[0] === key ? this.#name[1] : target.deploymentId;
    return [{ kind: 'deployment', target, name }];
  }

  async #branch(target: DeploymentTarget): Promise<readonly DeletedTarget[]> {
    const { value, error, loading } = this.#data.of(target).branches.state.value;
    const name = this.#session.activeBranch(target);
    if (value === undefined || error || loading) return [];
    const lost = await this.#session.keepOnly(target, new Set(value.map((branch) => branch.name)));
    return lost && name !== undefined ? [{ kind: 'branch', target, name }] : [];
  }
}
