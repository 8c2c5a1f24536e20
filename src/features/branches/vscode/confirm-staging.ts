import { refuseStaging } from '#features/branches/dev-mode.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { confirm } from '#shell/vscode/protection.ts';
import type { DevModeDeps } from './deps.ts';

/**
 * Asks about a staging environment by its name, because a link, a key binding or another extension can start this. Throws `Hint` if
 * the platform would refuse it.
 */
export async function confirmStaging(deps: DevModeDeps, target: BranchTarget, enabled: boolean): Promise<boolean> {
  await refuseStaging(deps, target);
  const verb = enabled ? 'Enable' : 'Disable';
  return confirm({
    title: `${verb} the staging environment of “${target.branchName}” of “${deps.data.nameOf(target)}”?`,
    detail: enabled
      ? 'It is always active and everyone with access can query it.'
      : 'Whoever queries it gets no more answers from it.',
    button: `${verb} Staging Environment`,
  });
}
