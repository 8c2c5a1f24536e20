import type { ProductionPass } from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { DeployAccess } from '#sync/core/remote/platform-remote.ts';
import type { DeployBranch } from '#sync/core/target.ts';

/** The access to a deploy branch: closed, except during an upload that the user has confirmed. */
export class ConfirmedDeploy implements DeployAccess {
  readonly branch: DeployBranch;
  #isOpen = false;

  constructor(branch: DeployBranch) {
    this.branch = branch;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Runs the one upload that the pass was issued for. Throws `Error` if the pass is for something else. */
  async during<T>(pass: ProductionPass, target: BranchTarget, upload: () => Promise<T>): Promise<T> {
    pass.use('deploy', target);
    this.#isOpen = true;
    try {
      return await upload();
    } finally {
      this.#isOpen = false;
    }
  }
}
