import { noTarget } from '#features/data/index.ts';
import { activeFolder } from '#features/data/vscode/index.ts';
import { type DeploymentPickDeps, deploymentOrPick } from '#features/platform/vscode/index.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { Playgrounds } from './playground.ts';

/**
 * Opens the playground on the given or shown deployment, or on a Cube Core server. Without any of them, the user chooses a
 * deployment; throws `Hint` if no user is signed in, because Cube Core needs no account.
 */
export async function openPlayground(
  playgrounds: Pick<Playgrounds, 'show'>,
  picking: DeploymentPickDeps,
  given: DeploymentTarget | undefined,
): Promise<void> {
  const folder = activeFolder();
  const branch = given ?? picking.session.active.value;
  if (await playgrounds.show({ folder, branch, isFixed: given !== undefined })) return;
  if (picking.accounts.all.value.length === 0) throw noTarget();
  const picked = await deploymentOrPick(picking, undefined);
  if (picked) await playgrounds.show({ folder, branch: picked });
}
