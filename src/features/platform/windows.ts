import type { Disposable } from '#base/disposable.ts';
import { Store } from '#base/store.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** Another window of this user on a dev branch. */
export interface OtherWindow extends DeploymentTarget {
  readonly id: string;
  readonly branchName: string;
  /** The name by which users recognize the window: its folder's name. */
  readonly name: string;
}

/** The active dev branches of the user's other windows; `WindowBoard` finds them. */
export class Windows implements Disposable {
  readonly #others = new Store<readonly OtherWindow[]>([]);

  /** Replaces the other windows. */
  set(others: readonly OtherWindow[]): void {
    this.#others.set(others);
  }

  /** Returns the names of the other windows on branches of a deployment, by branch. */
  on({ accountId, deploymentId }: DeploymentTarget): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, readonly string[]>();
    for (const other of this.#others.value) {
      if (other.accountId !== accountId || other.deploymentId !== deploymentId) continue;
      found.set(other.branchName, [...(found.get(other.branchName) ?? []), other.name]);
    }
    return found;
  }

  dispose(): void {
    this.#others.dispose();
  }
}
